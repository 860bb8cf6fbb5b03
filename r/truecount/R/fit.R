#' Learn from labelled scores
#'
#' Fits quantifiers to the scores of items whose class is known.
#'
#' @param formula `label ~ score`: what says which items are positive, and the classifier's score of each; expressions are allowed, such as
#'   `type == "spam" ~ qlogis(p)`.
#' @param data A data frame (a tibble, a data.table, an Arrow table), or a `survey.design` whose weights and first-stage clusters say how
#'   the labelled items were drawn.
#' @param method Names of methods; `"es"`, Efficient Sweep, is what we recommend, `"all"` is every one. [tc_methods()] lists them.
#' @param positive The label of a positive. It need not be said of `TRUE` and `FALSE`, of 1 beside 0 or -1, and of a factor, whose second
#'   level it is, as in [stats::glm()].
#' @param probability A classifier's probability of being positive, where the score is another; `~ p`. For methods that read posterior
#'   probabilities.
#' @param weights Each labelled row stands for so many of its class, as where labels were drawn by score; `~ w`. Only their ratios count.
#' @param cluster What says which labelled rows were drawn together, such as persons or days; `~ id`. Standard errors are then those of
#'   clusters.
#' @param stratum A model is fitted for each of its values, and estimates are added up by the strata's shares; `~ region`, in the labelled
#'   data and in the unlabelled.
#' @param small_strata What to do with strata of fewer than ten labelled scores in a class: an `"error"`, or they have a model together (`"pool"`).
#' @param family Family of the classes' score distributions, for the methods that fit one: `"normal"` by default; `"kernel"` assumes the
#'   least. [tc_families()] lists them.
#' @param transform What to do to the scores before a family is fitted: `"none"`, `"logit"` or `"rank"`.
#' @param rates Where the sweeps take their rates from: the fitted families (`"family"`) or the labelled scores themselves (`"labels"`).
#' @param threshold For the method `cs`, the least difference of true and false positive rate at a cut that it uses: a number below the
#'   largest there is, which the model's print calls max J. By default the one with the least variance, which is the method `o-cs`.
#' @param cutoff Score at or above which `cc` and `ac` call a score positive; 0.5 by default where all labelled scores lie in \[0, 1\], else
#'   0.
#' @param na.action What to do with rows where a value is `NA`: [stats::na.fail()] is an error that names the first, [stats::na.omit()]
#'   leaves them out, and the result says how many.
#' @return A model, an object of class `tc_model`. It can be saved and printed; `tc_estimate()` and its kin take it. Its
#'   `methods`, `labelled` (how many positives and negatives), `positive` (the label) and `learnt` (parameters, thresholds, regions and
#'   rates) are values. An error of
#'   class `truecount_error`, with a `code` and `fields`, where the labelled scores allow none of the methods; those that they do not allow
#'   are left out with a warning.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' model
#' tc_estimate(model, spam_weeks)
#' @export
tc_fit <- function(formula, data = NULL, method = "es", positive = NULL, probability = NULL, weights = NULL, cluster = NULL, stratum = NULL,
                   small_strata = "error", family = NULL, transform = NULL, rates = NULL, threshold = NULL, cutoff = NULL,
                   na.action = stats::na.fail) {
  rows <- learnt(formula, data, positive, probability, weights, cluster, stratum = stratum, na.action = na.action)
  settings <- list(
    methods = as.character(method), family = family, transform = transform, rates = rates, threshold = threshold, cutoff = cutoff,
    positive = rows$positive
  )
  model <- fitted_model(
    rows$rows, settings, rows,
    formula = formula, probability = probability, call = typed(match.call(), "tc_fit"), omitted = rows$omitted
  )
  if (!is.null(stratum)) {
    small_strata <- match.arg(small_strata, c("error", "pool"))
    model$strata <- list(asked = stratum, values = rows$stratum, rows = rows$rows, settings = settings, small_strata = small_strata)
  }
  model
}

# Labelled rows as Rust takes them, the stratum of each, the label of a positive, and which rows are left out.
learnt <- function(formula, data, positive = NULL, probability = NULL, weights = NULL, cluster = NULL, stratum = NULL, fold = NULL,
                   na.action = stats::na.fail) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    refuse("option-invalid", "options", "formula: label ~ score is wanted", name = "formula")
  }
  drawn <- drawn(data, weights, cluster, !is.null(stratum))
  data <- drawn$data
  label <- valued(formula[[2]], data, environment(formula), "label")
  n <- if (is.data.frame(data)) nrow(data) else length(label)
  label <- lengthy(label, "label", n)
  columns <- list(
    label = label,
    score = scored(formula, data, n),
    probability = numbers(column(probability, data, "probability"), "probability", n),
    weights = numbers(column(drawn$weights, data, "weights"), "weights", n),
    cluster = whichever(column(drawn$cluster, data, "cluster"), "cluster", n),
    stratum = texts(column(stratum, data, "stratum"), "stratum", n),
    fold = whichever(column(fold, data, "fold"), "fold", n)
  )
  omitted <- complete(columns, na.action)
  columns <- lapply(columns, without, omitted)
  positive <- positives(columns$label, positive)
  list(
    rows = list(
      scores = columns$score, positive = as.logical(positive), probabilities = columns$probability, weights = columns$weights,
      clusters = columns$cluster, folds = columns$fold
    ),
    stratum = columns$stratum, positive = attr(positive, "positive"), omitted = omitted
  )
}

# Of arguments given where a model has still to be fitted: how to fit it, and those that are for what is done with it.
fitting <- function(labelled, given, method) {
  of_fit <- intersect(names(given), setdiff(names(formals(tc_fit)), names(formals(method))))
  do.call(no_more, given[setdiff(names(given), c(of_fit, names(formals(method))))])
  list(
    fit = function(formula) do.call(tc_fit, c(list(formula, labelled), given[of_fit])),
    rest = given[setdiff(names(given), of_fit)]
  )
}

fitted_model <- function(rows, settings, located, ...) {
  found <- native(fit_model(rows, settings), located_in("labelled ", located))
  reasons <- vapply(found$refused, function(of) worded(of$code, of$message), "")
  for (reason in unique(reasons)) {
    of <- names(reasons)[reasons == reason]
    warned(sprintf("left out, %s: %s", paste(of, collapse = ", "), reason), found$refused[[of[1]]]$code, methods = of)
  }
  modelled(found, ...)
}

# A model as R has it. What Rust holds is made again where it did not survive: in another session, from a file.
modelled <- function(found, ...) {
  held <- of_rust(found$model, "Model")
  structure(c(found[!names(found) %in% c("refused", "model")], list(held = held, ...)), class = "tc_model")
}

held <- function(model) {
  if (!inherits(model, "tc_model")) {
    refuse("option-invalid", "options", "model: what tc_fit() or tc_read_model() returns is wanted", name = "model")
  }
  if (is_gone(model$held$.ptr)) {
    model$held$.ptr <- native(open_model(model$text))$model
  }
  model$held
}

# What Rust holds, as the functions that call it want it.
of_rust <- function(pointer, class) {
  held <- structure(new.env(parent = emptyenv()), class = paste0("truecount::", class))
  held$.ptr <- pointer
  held
}

# Whether that is in another session.
is_gone <- function(pointer) identical(pointer, methods::new("externalptr"))

# The score of each row, from a formula's right side.
scored <- function(formula, data, n = if (is.data.frame(data)) nrow(data)) {
  score <- formula[[length(formula)]]
  if (is.call(score) && identical(score[[1]], as.name("+"))) {
    refuse(
      "option-invalid", "options",
      sprintf("score: one is wanted, and %s names several; I(%s) is their sum", deparse1(score), deparse1(score)),
      name = "formula"
    )
  }
  numbers(valued(formula[[length(formula)]], data, environment(formula), "score"), "score", n)
}

# Numbers from 1 for different values.
whichever <- function(values, what, n) {
  if (is.null(values)) NULL else replace(match(lengthy(values, what, n), unique(values)), is.na(values), NA)
}

# An error of the library with the caller's names of columns, rows as the caller counts them, and the name of the group it is of.
located_in <- function(whose, tested) {
  force(tested)
  function(what) {
    place <- what$fields$column
    if (!is.null(place)) {
      what$fields$column <- c(scores = "score", probabilities = "probability", weights = "weights")[[place]]
      what$message <- sprintf("%s%s: %s", whose, what$fields$column, what$message)
    }
    if (!is.null(tested$omitted) && !is.null(what$fields$row)) {
      row <- before_omission(what$fields$row, tested$omitted)
      what$message <- sub(sprintf("\\b%d\\b", what$fields$row), row, what$message)
      what$fields$row <- row
    }
    if (!is.null(tested$groups) && !is.null(what$fields$set)) {
      set <- what$fields$set
      name <- group_names(tested$groups)[if (is.null(tested$cells)) set else tested$cells$group[set]]
      what$fields$group <- name
      what$message <- sprintf("%s: %s", name, what$message)
    }
    what$fields$set <- NULL
    what
  }
}

#' Models in print
#'
#' @param x,object A model of [tc_fit()].
#' @param ... Not used.
#' @return `print()` and `summary()` their argument, invisibly: what was learnt, and what standard errors account for. `nobs()` the number
#'   of labelled scores.
#' @examples
#' tc_fit(label ~ score, spam_train, method = c("es", "o-cs"))
#' @name tc_model
NULL

#' @rdname tc_model
#' @export
print.tc_model <- function(x, ...) {
  cat(sprintf("Prevalence by %s, of %s\n", paste(x$methods, collapse = ", "), deparse1(x$formula)))
  cat(strwrap(c(if (length(x$positive) > 0) sprintf("positive: %s", x$positive), x$told), exdent = 2), sep = "\n")
  if (!is.null(x$strata)) {
    cat(strwrap(sprintf("a model of its own for each %s that there are scores of", label_of(x$strata$asked)), exdent = 2), sep = "\n")
  }
  if (length(x$omitted) > 0) {
    cat(sprintf("%d rows with NA left out\n", length(x$omitted)))
  }
  invisible(x)
}

#' @rdname tc_model
#' @export
summary.tc_model <- function(object, ...) print(object)

#' @rdname tc_model
#' @export
nobs.tc_model <- function(object, ...) sum(object$labelled)

#' Write and read a model
#'
#' A model's file is the one of the command `truecount fit` and of the Python package, and each reads the others'.
#'
#' @param model A model of [tc_fit()].
#' @param file Its file.
#' @return `tc_write_model()` the model, invisibly; `tc_read_model()` a model, of which scores have the name `score`.
#' @examples
#' file <- tempfile(fileext = ".json")
#' tc_write_model(tc_fit(label ~ score, spam_train), file)
#' tc_read_model(file)
#' @export
tc_write_model <- function(model, file) {
  held(model)
  beside <- tempfile(tmpdir = dirname(file))
  on.exit(unlink(beside))
  # Whole or not at all.
  written <- tryCatch(
    {
      writeBin(charToRaw(enc2utf8(model$text)), beside)
      file.rename(beside, file)
    },
    condition = function(condition) FALSE
  )
  if (!written) {
    refuse("file-not-writable", "file", sprintf("%s: cannot be written", file))
  }
  invisible(model)
}

#' @rdname tc_write_model
#' @export
tc_read_model <- function(file) {
  if (!file.exists(file)) {
    refuse("file-not-found", "file", sprintf("%s: there is no such file", file))
  }
  text <- rawToChar(readBin(file, "raw", file.size(file)))
  Encoding(text) <- "UTF-8"
  modelled(native(open_model(text)), formula = ~score, call = match.call())
}
