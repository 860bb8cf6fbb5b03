# Several classes: a formula with a column of probabilities for each class, or with a column of predicted classes.

# Returns the terms that a formula's right side adds up.
class_terms <- function(formula) {
  split <- function(term) {
    is_sum <- is.call(term) && identical(term[[1]], as.name("+")) && length(term) == 3
    if (is_sum) c(split(term[[2]]), split(term[[3]])) else list(term)
  }
  if (inherits(formula, "formula")) split(formula[[length(formula)]])
}

# Returns whether a formula is about several classes.
has_classes <- function(formula, data) {
  terms <- class_terms(formula)
  if (length(terms) != 1) {
    return(length(terms) > 1)
  }
  values <- tryCatch(eval(terms[[1]], data, environment(formula)), error = function(error) NULL)
  is.character(values) || is.factor(values)
}

# Returns the probabilities of each class as a list of columns: 0 and 1 for predicted classes. In labelled rows, other
# verdicts may follow the classes.
class_columns <- function(formula, data, n, classes, labels = NULL) {
  terms <- class_terms(formula)
  if (length(terms) == 1) {
    name <- deparse1(terms[[1]])
    predicted <- as.character(check_length(eval_column(terms[[1]], data, environment(formula), name), name, n))
    present <- !is.na(predicted)
    if (!is.null(labels)) {
      # Rows without a value are omitted.
      present <- present & !is.na(labels)
      classes <- sort(unique(labels[present]))
      if (any(predicted[present] %in% classes)) classes <- c(classes, setdiff(predicted[present], classes))
    }
    unknown <- setdiff(predicted[present], classes)
    if (length(unknown) > 0) {
      problem <- sprintf(
        "%s: the predicted class %s is unknown; the labelled rows have %s", name, format_value(unknown[1]),
        format_values(classes)
      )
      abort("label-not-a-class", "labels", problem, column = name)
    }
    return(lapply(stats::setNames(nm = classes), function(class) as.double(predicted == class)))
  }
  names(terms) <- vapply(terms, deparse1, "")
  column <- function(term, name) numeric_column(eval_column(term, data, environment(formula), name), name, n)
  Map(column, terms, names(terms))
}

# Returns an error handler that adds the omitted rows to the row of an error, and says how to correct the
# formula.
locate_classes <- function(rows, formula) {
  function(error) {
    hint <- sprintf("; rename the columns (a sum of scores is written I(%s))", format_value(formula[[length(formula)]]))
    error$message <- sub("; write the label before each column.*", hint, error$message)
    error$message <- sub("class_scores", "the formula", error$message, fixed = TRUE)
    locate_in("", rows)(error)
  }
}

# Fits a model of several classes. `single` has the arguments about a single score, which must be NULL.
fit_class_model <- function(formula, design, method, na.action, single, call) {
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
  data <- design$data
  label <- as.character(eval_column(formula[[2]], data, environment(formula), "label"))
  columns <- c(list(label = label), class_columns(formula, data, length(label), labels = label))
  units <- design_columns(design, length(label))
  omitted <- incomplete_rows(c(columns, units), na.action)
  columns <- lapply(columns, omit, omitted)
  units <- lapply(units, omit, omitted)
  labelled <- list(
    columns = names(columns)[-1], labels = columns[[1]], scores = unlist(columns[-1], use.names = FALSE),
    weights = units$weights, clusters = units$cluster, strata = units$label_stratum,
    method = method, predicted = length(class_terms(formula)) == 1
  )
  strata <- unique(read_column(design$stratum, data, "label_stratum"))
  rows <- list(omitted = omitted, label_strata = strata)
  classes <- unwrap(fit_classes(labelled), locate_classes(rows, formula))$classes
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
tc_estimate.tc_class_model <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, stratum = NULL,
                                       level = 0.95,
                                       target = default_target(
                                         newdata, stratum, weights, population, cluster_population
                                       ),
                                       misfit = "widen", population = NULL, cluster_population = NULL,
                                       lonely_psu = NULL, total = FALSE, standardise = NULL,
                                       na.action = stats::na.fail, ...) {
  check_unused(...)
  evaluate_arguments(newdata)
  sizes <- list(
    clusters = cluster_population, lonely_psu = lonely_psu, population = population, total = standardise
  )
  by <- by_or_grouping(by, newdata)
  test <- test_columns(model, newdata, by, weights, cluster, na.action, sizes, stratum)
  options <- class_options(model, test, list(level = level, target = target, misfit = misfit))
  options$total <- isTRUE(total) && !is.null(by)
  class_result(estimate_classes, model, test, options, "tc_class_estimate", generic_call(match.call(), "tc_estimate"))
}

# Returns options about the shares of classes in the form that Rust reads.
class_options <- function(model, test, intervals) {
  c(
    interval_args(intervals$level, intervals$target, "wilson", intervals$misfit),
    list(class_scores = model$labelled$columns), design_options(test)
  )
}

# Returns the result of a function of Rust for the rows of a test table.
class_result <- function(run, model, test, options, class, call, ...) {
  columns <- test$columns
  if (is.null(columns$groups)) columns$groups <- rep(1L, length(columns$scores) / length(model$labelled$columns))
  values <- unwrap(
    run(model$labelled, columns, options, thread_count()), locate_classes(test[names(test) != "parts"], model$formula)
  )
  new_result(
    class, add_reference_values(values, test$groups), test$groups,
    ..., model = model, call = call, level = options$level
  )
}

#' @rdname tc_compare
#' @export
tc_compare.tc_class_model <- function(model, newdata, by = NULL, reference = NULL, weights = NULL, cluster = NULL,
                                      stratum = NULL, level = 0.95,
                                      target = default_target(newdata, stratum, weights, population),
                                      misfit = "widen", population = NULL, standardise = NULL,
                                      na.action = stats::na.fail, ...) {
  check_unused(...)
  arguments <- evaluate_arguments(newdata)
  sizes <- list(population = population, total = standardise)
  test <- test_columns(model, newdata, by_or_grouping(by, newdata), weights, cluster, na.action, sizes, stratum)
  if (is.null(test$groups)) {
    abort("option-conflict", "options", "only groups can be compared; give the grouping column as by", name = "by")
  }
  options <- class_options(model, test, list(level = level, target = target, misfit = misfit))
  call <- generic_call(match.call(), "tc_compare")
  class_result(
    compare_classes, model, test, c(options, reference_options(test$groups, reference)), "tc_compare", call,
    estimates = class_result(estimate_classes, model, test, options, "tc_class_estimate", call), arguments = arguments
  )
}
