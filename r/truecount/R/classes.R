# Several classes: a formula with a column of probabilities for each class.

# Returns the terms that a formula's right side adds up.
class_terms <- function(formula) {
  split <- function(term) {
    is_sum <- is.call(term) && identical(term[[1]], as.name("+")) && length(term) == 3
    if (is_sum) c(split(term[[2]]), split(term[[3]])) else list(term)
  }
  if (inherits(formula, "formula")) split(formula[[length(formula)]])
}

# Returns the probabilities of each class as a list of columns.
class_columns <- function(formula, data, n) {
  terms <- class_terms(formula)
  names(terms) <- vapply(terms, deparse1, "")
  column <- function(term, name) numeric_column(eval_column(term, data, environment(formula), name), name, n)
  Map(column, terms, names(terms))
}

# Returns the data frame of a model of several classes.
class_data <- function(data) {
  if (is_design(data)) {
    abort(
      "design-not-supported", "options", "survey designs are not supported for several classes; use a data frame",
      name = "data"
    )
  }
  to_data_frame(data)
}

# Returns an error handler that adds the omitted rows to the row of an error, and says how to correct the
# formula.
locate_classes <- function(omitted, formula) {
  function(error) {
    hint <- sprintf("; rename the columns (a sum of scores is written I(%s))", format_value(formula[[length(formula)]]))
    error$message <- sub("; write the label before each column.*", hint, error$message)
    error$message <- sub("class_scores", "the formula", error$message, fixed = TRUE)
    locate_in("", list(omitted = omitted))(error)
  }
}

# Fits a model of several classes. `single` has the arguments about a single score, which must be NULL.
fit_class_model <- function(formula, data, method, na.action, single, call) {
  given <- names(single)[!vapply(single, is.null, NA)]
  if (length(given) > 0) {
    abort(
      "option-conflict", "options",
      sprintf(
        "%s cannot be used with several classes; a sum of scores is written I(%s)", given[1], format_value(formula[[3]])
      ),
      name = given[1]
    )
  }
  check_option(method, "method", is.character(method) && length(method) == 1, "the name of a method")
  data <- class_data(data)
  label <- as.character(eval_column(formula[[2]], data, environment(formula), "label"))
  columns <- c(list(label = label), class_columns(formula, data, length(label)))
  omitted <- incomplete_rows(columns, na.action)
  columns <- lapply(columns, omit, omitted)
  labelled <- list(
    columns = names(columns)[-1], labels = columns[[1]], scores = unlist(columns[-1], use.names = FALSE),
    method = method
  )
  classes <- unwrap(fit_classes(labelled), locate_classes(omitted, formula))$classes
  structure(
    list(classes = classes, method = method, labelled = labelled, formula = formula, call = call, omitted = omitted),
    class = "tc_class_model"
  )
}

#' @rdname tc_model
#' @export
print.tc_class_model <- function(x, ...) {
  cat(sprintf("Model of %s, method %s\n", format_value(x$formula, 500), x$method))
  labelled <- paste(table(x$labelled$labels)[x$classes], x$classes, collapse = ", ")
  print_lines(strwrap(sprintf("labelled: %s", labelled), exdent = 2))
  invisible(x)
}

#' @rdname tc_estimate
#' @export
tc_estimate.tc_class_model <- function(model, newdata, by = NULL, level = 0.95, target = "sample",
                                       na.action = stats::na.fail, ...) {
  check_unused(...)
  evaluate_arguments(newdata)
  data <- class_data(newdata)
  by <- group_columns(by_or_grouping(by, newdata), data)
  columns <- class_columns(model$formula, data, nrow(data))
  omitted <- incomplete_rows(columns, na.action)
  scores <- unlist(lapply(columns, omit, omitted), use.names = FALSE)
  n <- length(scores) / length(columns)
  if (n == 0) {
    abort("no-rows", "scores", "newdata: there are no rows", column = "newdata")
  }
  groups <- if (length(by) > 0) number_groups(lapply(by, omit, omitted), n)
  rows <- list(
    scores = scores, groups = if (is.null(groups)) rep(1L, n) else groups$index,
    number_of_groups = if (is.null(groups)) 1 else groups$n
  )
  estimates <- unwrap(
    estimate_classes(model$labelled, rows, interval_args(level, target, "wilson"), thread_count()),
    locate_classes(omitted, model$formula)
  )
  new_result(
    "tc_class_estimate", estimates, groups,
    model = model, call = generic_call(match.call(), "tc_estimate"), level = level
  )
}
