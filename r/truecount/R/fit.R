#' Fit a model to labelled scores
#'
#' Fits quantifiers to the scores of items whose class is known.
#'
#' @param formula `label ~ score`: the class of each item and its score by the classifier.
#'   Expressions are allowed, such as `type == "spam" ~ qlogis(p)`; a score that depends on the other
#'   rows, such as `scale(p)`, is an error. For several classes, `label ~ p_good + p_wrong` has a
#'   column for each class: its probabilities, or decision values if some are negative and most rows do not have the
#'   sum 1; the name of each column ends with the label of its class. A score that is a text or a
#'   factor is the predicted class.
#' @param data A data frame (a tibble, a data.table, an Arrow table), or a `survey.design` with the
#'   weights, strata and first-stage clusters of the labelled items.
#' @param method Names of methods. `"es"`, Efficient Sweep, is recommended; `"all"` fits every
#'   method. [tc_methods()] lists them. For several classes `"ml"`, the default, `"cc"`, `"ac"`, `"pacc"` or
#'   `"sld"`; for predicted classes `"ac"`, the default, or `"cc"`.
#' @param positive The label of a positive. By default `TRUE`; 1 if the other label is 0 or -1; and
#'   the second level of a factor, as in [stats::glm()].
#' @param probability A classifier's probability of being positive, if the score is another number;
#'   `~ p`. For methods that read posterior probabilities.
#' @param weights The number of items of its class that each labelled row stands for, for instance
#'   if labels were drawn by score; `~ w`. Only their ratios count.
#' @param cluster The cluster that each labelled row was drawn with, such as a person or a day; `~
#'   id`. Standard errors are then cluster-robust.
#' @param label_stratum The stratum that each labelled row was drawn in, with a fixed number of rows or
#'   of clusters from each; `~ region`. Standard errors are then smaller.
#' @param model_stratum Fits a model for each of its values, and adds the estimates up by the strata's
#'   shares; `~ region`, in the labelled and the unlabelled data.
#' @param small_strata What to do with strata of fewer than ten labelled scores in a class: an
#'   `"error"`, or fit one model to all of them (`"pool"`).
#' @param family Family of the classes' score distributions, for the methods that fit one:
#'   `"normal"` by default; `"kernel"` makes the weakest assumptions. [tc_families()] lists them.
#' @param transform Transform of the scores before a family is fitted: `"none"`, `"logit"` or
#'   `"rank"`.
#' @param rates Source of the sweeps' rates: the fitted families (`"family"`) or the labelled scores
#'   (`"labels"`).
#' @param threshold For the method `cs`, the smallest difference of the true and false positive
#'   rates at the cuts that it uses: below the largest difference, which is printed as max J. By
#'   default the threshold with the smallest variance, which is that of the method `o-cs`.
#' @param cutoff Score at or above which `cc` and `ac` call a score positive; 0.5 by default if 95 % of
#'   the labelled scores lie in \[0, 1\], otherwise 0.
#' @param na.action Treatment of rows with an `NA`: [stats::na.fail()] raises an error that names
#'   the first; [stats::na.omit()] leaves them out, and the result says how many.
#' @return A model, an object of class `tc_model`, or `tc_class_model` for several classes, which only
#'   [tc_estimate()] and [tc_compare()] read. A `tc_model` can be saved and printed. Its elements
#'   include `methods`, `labelled` (the numbers of positives and negatives), `positive` (the label)
#'   and `parameters` (fitted parameters, thresholds, regions and rates). Methods that the labelled
#'   scores do not allow are left out with a warning; an error of class `truecount_error`, with a
#'   `code` and `fields`, is raised if none is left.
#' @references Forman G (2008). Quantifying counts and costs via classification. *Data Mining and
#'   Knowledge Discovery* 17, 164-206.
#'
#'   Kloos K, Karch JD, Meertens QA, Scholtus S, de Rooij M. Continuous Sweep for binary quantification
#'   learning.
#'
#'   Saerens M, Latinne P, Decaestecker C (2002). Adjusting the outputs of a classifier to new a priori
#'   probabilities. *Neural Computation* 14, 21-41.
#' @seealso [tc_estimate()] for the next step, [tc_check()] for the assumption, [tc_methods()] for the
#'   methods, and [tc_write_model()] to exchange a model with the command and Python.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' model
#' tc_estimate(model, spam_weeks)
#' @export
tc_fit <- function(formula, data = NULL, method = "es", positive = NULL, probability = NULL, weights = NULL,
                   cluster = NULL, label_stratum = NULL, model_stratum = NULL, small_strata = "error",
                   family = NULL, transform = NULL, rates = NULL, threshold = NULL, cutoff = NULL,
                   na.action = stats::na.fail) {
  evaluate_arguments(data)
  if (inherits(data, "formula")) {
    piped <- formula
    formula <- data
    data <- piped
  }
  if (has_classes(formula, if (is_design(data)) data$variables else data)) {
    general <- c("formula", "data", "method", "weights", "cluster", "label_stratum", "small_strata", "na.action")
    single <- mget(setdiff(names(formals(tc_fit)), general))
    if (missing(method)) method <- if (length(class_terms(formula)) > 1) "ml" else "ac"
    design <- labelled_design(data, weights, cluster, label_stratum)
    return(fit_class_model(formula, design, method, na.action, single, generic_call(match.call(), "tc_fit")))
  }
  labelled <- labelled_columns(
    formula, data, positive, probability, weights, cluster, label_stratum, model_stratum, na.action = na.action
  )
  settings <- list(
    methods = as.list(check_option(method, "method", is.character(method), "the name of a method")),
    positive = labelled$positive
  )
  settings <- c(settings, request_options(mget(c("family", "transform", "rates", "threshold", "cutoff"))))
  model <- fit_rows(
    labelled$columns, settings, labelled,
    formula = formula, probability = probability, call = generic_call(match.call(), "tc_fit"),
    omitted = labelled$omitted
  )
  if (!is.null(model_stratum)) {
    small_strata <- match.arg(small_strata, c("error", "pool"))
    model$strata <- list(
      column = model_stratum, values = labelled$model_stratum, rows = labelled$columns, settings = settings,
      small_strata = small_strata
    )
  }
  model
}

# Returns the data of labelled rows, and their weights, clusters and strata.
labelled_design <- function(data, weights, cluster, label_stratum) {
  design <- sampling_design(data, weights, cluster, label_stratum)
  if (!is.null(design$replicates)) {
    abort(
      "design-not-supported", "options",
      "replicate weights of labelled rows are not read: give a design of svydesign()", name = "data"
    )
  }
  if (!is.null(design$finite)) {
    warn("standard errors may be too large: the finite population of the labelled design is not used", "fpc-unused")
  }
  design
}

# Returns the columns of the design of n labelled rows.
design_columns <- function(design, n) {
  list(
    weights = numeric_column(read_column(design$weights, design$data, "weights"), "weights", n),
    cluster = code_values(read_column(design$cluster, design$data, "cluster"), "cluster", n),
    label_stratum = code_values(read_column(design$stratum, design$data, "label_stratum"), "label_stratum", n)
  )
}

# Returns the columns of labelled rows for Rust, the stratum of each row, the label of a positive,
# and the rows that are left out.
labelled_columns <- function(formula, data, positive = NULL, probability = NULL, weights = NULL, cluster = NULL,
                             label_stratum = NULL, model_stratum = NULL, fold = NULL, na.action = stats::na.fail) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort("option-invalid", "options", "formula: it must be label ~ score", name = "formula")
  }
  columns <- grouping_columns(data)
  if (!is.null(columns)) {
    abort(
      "option-conflict", "options",
      sprintf(
        "labelled scores are grouped by %s: use dplyr::ungroup(), or fit a model for each group with model_stratum",
        paste(columns, collapse = ", ")
      ),
      name = "data"
    )
  }
  design <- labelled_design(data, weights, cluster, label_stratum)
  data <- design$data
  refuse_fixed_score(formula, data)
  refuse_relative_score(formula, data)
  label <- eval_column(formula[[2]], data, environment(formula), "label")
  n <- if (is.data.frame(data)) nrow(data) else length(label)
  label <- check_length(label, "label", n)
  columns <- list(
    label = label,
    score = score_column(formula, data, n),
    probability = numeric_column(read_column(probability, data, "probability"), "probability", n)
  )
  columns <- c(columns, design_columns(design, n), list(
    model_stratum = text_column(read_column(model_stratum, data, "model_stratum"), "model_stratum", n),
    fold = code_values(read_column(fold, data, "fold"), "fold", n)
  ))
  omitted <- incomplete_rows(columns, na.action)
  columns <- lapply(columns, omit, omitted)
  positive <- is_positive_label(columns$label, positive, format_value(formula[[2]]))
  list(
    columns = list(
      scores = columns$score, positive = as.logical(positive), probabilities = columns$probability,
      weights = columns$weights, clusters = columns$cluster, strata = columns$label_stratum, folds = columns$fold
    ),
    label_strata = unique(read_column(design$stratum, data, "label_stratum")),
    model_stratum = columns$model_stratum, positive = attr(positive, "positive"), omitted = omitted
  )
}

# Splits the arguments of a call that fits a model first. Returns a function that fits a model to a
# formula, and the arguments of `method`, which is then called with the model.
split_fit_arguments <- function(labelled, arguments, method) {
  if (missing(labelled)) {
    argument <- deparse1(substitute(labelled))
    abort(
      "option-invalid", "options",
      sprintf("%1$s is missing: give the labelled scores, as in %1$s = train", argument), name = argument
    )
  }
  known <- union(names(formals(tc_fit)), names(formals(method)))
  fit_names <- intersect(names(arguments), setdiff(names(formals(tc_fit)), names(formals(method))))
  do.call(check_unused, c(arguments[setdiff(names(arguments), known)], list(.known = known)))
  list(
    fit = function(formula) do.call(tc_fit, c(list(formula, labelled), arguments[fit_names])),
    other = arguments[setdiff(names(arguments), fit_names)]
  )
}

# Raises an error if only the new scores have the label, because labelled scores were given first.
check_labelled <- function(formula, newdata, labelled) {
  labels <- if (length(formula) == 3) all.vars(formula[[2]])
  has_labels <- function(data) is.data.frame(data) && length(labels) > 0 && all(labels %in% names(data))
  if (is.data.frame(labelled) && !has_labels(labelled) && has_labels(newdata)) {
    abort(
      "option-invalid", "options",
      sprintf("labelled has no column %s, but newdata has; the labelled scores come after the new ones", labels[1]),
      name = "labelled"
    )
  }
}

# Fits a model to columns of labelled rows, and warns about the methods that they do not allow.
fit_rows <- function(columns, settings, labelled, ...) {
  values <- unwrap(fit_model(columns, settings), locate_in("labelled ", labelled))
  warn_of_refused(values)
  new_model(values, ...)
}

# Returns the model with the methods that support operations, and warns about the others. `operations`
# are the codes of the errors of methods that do not support them.
supporting_methods <- function(model, operations) {
  values <- unwrap(restrict_model(rust_model(model), as.character(operations)))
  if (is.null(values)) {
    return(model)
  }
  warn_of_refused(values)
  restricted <- new_model(values)
  others <- setdiff(names(model), names(restricted))
  restricted[others] <- unclass(model)[others]
  if (!is.null(restricted$strata)) restricted$strata$settings$methods <- as.list(restricted$methods)
  restricted
}

# Warns about the methods that are left out, once for each reason.
warn_of_refused <- function(values) {
  reasons <- vapply(values$refused, function(error) error$message, "")
  for (reason in unique(reasons)) {
    methods <- names(reasons)[reasons == reason]
    code <- values$refused[[methods[1]]]$code
    warn(sprintf("left out, %s: %s", paste(methods, collapse = ", "), reason), code, methods = methods)
  }
}

# Creates a model of class tc_model.
new_model <- function(values, ...) {
  rust <- rust_object(values$model, "Model")
  structure(c(values[!names(values) %in% c("refused", "model")], list(rust = rust, ...)), class = "tc_model")
}

# Returns the Rust object of a model. It is created again from its JSON after the model was read
# from a file or another session.
rust_model <- function(model) {
  if (!inherits(model, "tc_model")) {
    abort(
      "option-invalid", "options", "model must be a result of tc_fit() or tc_read_model()", name = "model"
    )
  }
  if (is_null_pointer(model$rust$.ptr)) {
    model$rust$.ptr <- unwrap(parse_model(model$text))$model
  }
  model$rust
}

# Wraps a pointer to a Rust object, as the functions that call Rust expect it.
rust_object <- function(pointer, class) {
  object <- structure(new.env(parent = emptyenv()), class = paste0("truecount::", class))
  object$.ptr <- pointer
  object
}

# Pointers are null after they were saved and read.
is_null_pointer <- function(pointer) identical(pointer, methods::new("externalptr"))

# Returns the score of each row, from a formula's right side.
score_column <- function(formula, data, n = if (is.data.frame(data)) nrow(data)) {
  score <- formula[[length(formula)]]
  if (is.call(score) && identical(score[[1]], as.name("+"))) {
    abort(
      "option-invalid", "options",
      sprintf("score: %s names several columns; for their sum write I(%s)", format_value(score), format_value(score)),
      name = "formula"
    )
  }
  numeric_column(eval_column(score, data, environment(formula), "score"), "score", n)
}

# Raises an error for a score of another table's column, such as train$score: it is the same for all new data.
refuse_fixed_score <- function(formula, data) {
  variables <- function(expression) {
    arguments <- if (is.call(expression)) as.list(expression)[-1]
    if (is.call(expression) && identical(expression[[1]], as.name("$"))) arguments <- arguments[1]
    if (is.name(expression)) as.character(expression) else unlist(lapply(arguments, variables))
  }
  tables <- setdiff(variables(formula[[3]]), names(data))
  is_table <- function(name) is.list(get0(name, environment(formula)))
  if (length(tables) > 0 && length(tables) == length(variables(formula[[3]])) && all(vapply(tables, is_table, NA))) {
    columns <- gsub(paste0(tables[1], "$"), "", format_value(formula), fixed = TRUE)
    abort(
      "option-invalid", "options",
      sprintf(
        "formula: %s has the same values for all new data; use data =, as in tc_fit(%s, data = %s)",
        format_value(formula[[3]]), columns, tables[1]
      ),
      name = "formula"
    )
  }
}

# Raises an error for a score that depends on the other rows, such as scale(score): new scores would be
# transformed by their own mean, without an error and far off.
refuse_relative_score <- function(formula, data) {
  score <- formula[[3]]
  columns <- intersect(all.vars(score), names(data))
  if (is.name(score) || !is.data.frame(data) || length(columns) == 0 || nrow(data) < 2) {
    return(invisible())
  }
  rows <- seq_len(nrow(data))
  half <- rows <= nrow(data) / 2
  evaluate <- function(rows) {
    values <- lapply(stats::setNames(nm = columns), function(column) data[[column]][rows])
    tryCatch(suppressWarnings(as.double(eval(score, values, environment(formula)))), error = function(error) NULL)
  }
  parts <- c(evaluate(rows[half]), evaluate(rows[!half]))
  if (length(parts) == length(rows) && !isTRUE(all.equal(parts, evaluate(rows)))) {
    abort(
      "column-invalid", "scores",
      sprintf(
        "score: %s depends on the other rows, so new scores would be transformed in another way; use fixed numbers",
        format_value(score)
      ),
      column = "score"
    )
  }
}

# Numbers the different values from 1; NA stays NA.
code_values <- function(values, name, n) {
  if (is.null(values)) {
    return(NULL)
  }
  replace(match(check_length(values, name, n), unique(values)), is.na(values), NA)
}

# Returns a function that adds the caller's location to an error of the library: the names of
# columns after `prefix`, the number of the row with omitted rows counted, and the name of the
# group.
locate_in <- function(prefix, rows) {
  force(rows)
  function(error) {
    column <- error$fields$column
    names <- c(scores = "score", probabilities = "probability", weights = "weights")
    if (isTRUE(column %in% names(names))) {
      error$fields$column <- names[[column]]
      error$message <- sprintf("%s%s: %s", prefix, error$fields$column, error$message)
    }
    if (!is.null(rows$omitted) && !is.null(error$fields$row)) {
      row <- original_row(error$fields$row, rows$omitted)
      error$message <- sub(sprintf("\\b%d\\b", error$fields$row), row, error$message)
      error$fields$row <- row
    }
    set <- error$fields$set
    strata <- rows$label_strata
    if (isTRUE(error$code %in% c("small-population", "small-stage", "single-unit-test-strata"))) {
      strata <- rows$strata$values$stratum
    }
    if (!is.null(set) && !is.null(strata) && nzchar(strata[set])) {
      error$fields$stratum <- strata[set]
      error$message <- sprintf("stratum %s: %s", error$fields$stratum, error$message)
    } else if (!is.null(rows$groups) && !is.null(set)) {
      name <- group_names(rows$groups)[if (is.null(rows$parts)) set else rows$parts$group[set]]
      error$fields$group <- name
      error$message <- sprintf("%s: %s", name, error$message)
    }
    error$fields$set <- NULL
    error
  }
}

#' Print a model
#'
#' @param x,object A model of [tc_fit()].
#' @param ... Not used.
#' @return `print()` and `summary()` show the fit and the sources of error that standard errors
#'   include, and return their argument, invisibly. `nobs()` returns the number of labelled scores.
#'   `tidy()` has a row for each fitted number of each method, and `glance()` one row about the model.
#' @examples
#' tc_fit(label ~ score, spam_train, method = c("es", "o-cs"))
#' @name tc_model
NULL

#' @rdname tc_model
#' @export
print.tc_model <- function(x, ...) {
  method <- if (length(x$methods) == 1) "method" else "methods"
  cat(sprintf("Model of %s, %s %s\n", format_value(x$formula, 500), method, paste(x$methods, collapse = ", ")))
  print_lines(strwrap(c(if (length(x$positive) > 0) sprintf("positive: %s", x$positive), x$notes), exdent = 2))
  if (!is.null(x$strata)) {
    note <- sprintf("one model for each %s with unlabelled scores", column_label(x$strata$column))
    print_lines(strwrap(note, exdent = 2))
  }
  if (length(x$omitted) > 0) {
    n <- length(x$omitted)
    cat(sprintf("%d %s with NA left out\n", n, if (n == 1) "row" else "rows"))
  }
  invisible(x)
}

#' @rdname tc_model
#' @export
summary.tc_model <- function(object, ...) print(object)

#' @rdname tc_model
#' @export
nobs.tc_model <- function(object, ...) sum(object$labelled)

#' @rdname tc_model
#' @exportS3Method generics::tidy
tidy.tc_model <- function(x, ...) {
  numbers <- lapply(x$parameters$methods, function(parameters) {
    unlist(Filter(function(value) is.numeric(value) && length(value) == 1, parameters))
  })
  as_tibble_if_installed(data.frame(
    method = rep(names(numbers), lengths(numbers)), term = unlist(lapply(numbers, names), use.names = FALSE),
    estimate = unlist(numbers, use.names = FALSE)
  ))
}

#' @rdname tc_model
#' @exportS3Method generics::glance
glance.tc_model <- function(x, ...) {
  as_tibble_if_installed(data.frame(
    nobs = nobs(x), labelled.positive = x$labelled[1], labelled.negative = x$labelled[2],
    methods = paste(x$methods, collapse = ", "),
    positive = if (length(x$positive) == 0) NA_character_ else as.character(x$positive)
  ))
}

#' Write and read a model
#'
#' The command `truecount fit`, the Python package and R write the same files, and each reads those
#' of the others.
#'
#' @param model A model of [tc_fit()].
#' @param file The path of its file.
#' @return `tc_write_model()` returns the model, invisibly. `tc_read_model()` returns a model, which
#'   reads scores from a column `score`.
#' @examples
#' file <- tempfile(fileext = ".json")
#' tc_write_model(tc_fit(label ~ score, spam_train), file)
#' tc_read_model(file)
#' @export
tc_write_model <- function(model, file) {
  rust_model(model)
  write_file(model$text, file)
  invisible(model)
}

# Writes a text to a file.
write_file <- function(text, file) {
  check_option(file, "file", is.character(file) && length(file) == 1, "a path")
  # A rename replaces the file at once, so that no incomplete file is ever read.
  temporary <- tempfile(tmpdir = dirname(file))
  on.exit(unlink(temporary))
  written <- tryCatch(
    {
      writeBin(charToRaw(enc2utf8(text)), temporary)
      file.rename(temporary, file)
    },
    condition = function(condition) FALSE
  )
  if (!written) {
    abort("file-not-writable", "file", sprintf("%s: cannot be written", file))
  }
}

#' @rdname tc_write_model
#' @export
tc_read_model <- function(file) {
  check_option(file, "file", is.character(file) && length(file) == 1, "a path")
  if (!file.exists(file)) {
    abort("file-not-found", "file", sprintf("%s: there is no such file", file))
  }
  bytes <- readBin(file, "raw", file.size(file))
  # Files of saveRDS() and save() are compressed or have zero bytes.
  if (any(bytes == 0) || identical(bytes[1:2], as.raw(c(0x1f, 0x8b)))) {
    abort(
      "not-a-model", "model",
      sprintf("%s: not a model of tc_write_model(); a file of saveRDS() is read by readRDS()", file)
    )
  }
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  new_model(unwrap(parse_model(text)), formula = ~score, call = match.call())
}
