#' Learn from labelled scores
#'
#' Fits quantifiers to the scores of items whose class is known.
#'
#' @param formula `label ~ score`: what says which items are positive, and the classifier's score of each; expressions are allowed, such as
#'   `type == "spam" ~ qlogis(p)`.
#' @param data A data frame (a tibble, a data.table, an Arrow table), or a `survey.design` whose weights and first-stage clusters say how
#'   the labelled items were drawn.
#' @param method Names of methods; `"es"`, Efficient Sweep, is what we recommend, `"all"` is every one. `tc_methods()` lists them.
#' @param positive The label of a positive. It need not be said of `TRUE` and `FALSE`, of 1 beside 0 or -1, and of a factor, whose second level
#'   it is, as in [stats::glm()].
#' @param probability A classifier's probability of being positive, where the score is another; `~ p`. For methods that read posterior probabilities.
#' @param weights Each labelled row stands for so many of its class, as where labels were drawn by score; `~ w`. Only their ratios count.
#' @param cluster What says which labelled rows were drawn together, such as persons or days; `~ id`. Standard errors are then those of clusters.
#' @param family Family of the classes' score distributions, for the methods that fit one.
#' @param transform What to do to the scores before a family is fitted: `"none"`, `"logit"` or `"rank"`.
#' @param anchor Where the sweeps take their rates from: `"model"` or `"sample"`.
#' @param threshold Threshold of the method `cs`, a number below the largest J; the best by default.
#' @param cutoff Score at or above which `cc` and `ac` call a score positive; 0.5 by default where all labelled scores lie in \[0, 1\], else 0.
#' @param na.action What to do with rows where a value is `NA`: [stats::na.fail()] is an error that names the first, [stats::na.omit()] leaves
#'   them out, and the result says how many.
#' @return A model, an object of class `tc_model`. It can be saved, printed and summarised; `tc_estimate()` and its kin take it. An error of
#'   class `truecount_error`, with a `code` and `fields`, where the labelled scores allow none of the methods; those that they do not allow are
#'   left out with a warning.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' model
#' tc_estimate(model, spam_weeks)
#' @export
tc_fit <- function(formula, data = NULL, method = "es", positive = NULL, probability = NULL, weights = NULL, cluster = NULL, family = NULL,
                   transform = NULL, anchor = NULL, threshold = NULL, cutoff = NULL, na.action = stats::na.fail) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    refuse("option-invalid", "options", "formula: label ~ score is wanted", name = "formula")
  }
  drawn <- drawn(data, weights, cluster)
  data <- drawn$data
  label <- valued(formula[[2]], data, environment(formula), "label")
  n <- length(label)
  score <- scored(formula, data, n)
  columns <- list(
    label = label,
    score = score,
    probability = numbers(column(probability, data, "probability"), "probability", n),
    weights = numbers(column(drawn$weights, data, "weights"), "weights", n),
    cluster = whichever(column(drawn$cluster, data, "cluster"), "cluster", n)
  )
  omitted <- complete(columns, na.action)
  columns <- lapply(columns, without, omitted)
  positive <- positives(columns$label, positive)
  found <- native(
    fit_model(
      list(
        scores = columns$score, positive = as.logical(positive), probabilities = columns$probability, weights = columns$weights,
        clusters = columns$cluster
      ),
      list(
        methods = as.character(method), family = family, transform = transform, anchor = anchor, threshold = threshold, cutoff = cutoff,
        positive = attr(positive, "positive")
      )
    ),
    located_in("labelled ", list(omitted = omitted, n = n))
  )
  for (name in names(found$refused)) {
    of <- found$refused[[name]]
    warned(sprintf("left out, %s: %s", name, worded(of$code, of$message)), of$code, method = name)
  }
  modelled(found, formula = formula, probability = probability, call = match.call(), omitted = omitted)
}

# A model as R has it. What Rust holds is made again where it did not survive: in another session, from a file.
modelled <- function(found, ...) {
  held <- structure(new.env(parent = emptyenv()), class = "truecount::Model")
  held$.ptr <- found$model
  structure(c(found[!names(found) %in% c("refused", "model")], list(held = held, ...)), class = "tc_model")
}

held <- function(model) {
  if (!inherits(model, "tc_model")) {
    refuse("option-invalid", "options", "model: what tc_fit() or tc_read_model() returns is wanted", name = "model")
  }
  if (identical(model$held$.ptr, methods::new("externalptr"))) {
    model$held$.ptr <- native(open_model(model$text))$model
  }
  model$held
}

# The score of each row, from a formula's right side.
scored <- function(formula, data, n = NULL) {
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
      name <- group_names(tested$groups)[what$fields$set]
      what$fields$group <- name
      what$message <- sprintf("%s: %s", name, what$message)
    }
    what$fields$set <- NULL
    what
  }
}

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
  writeBin(charToRaw(enc2utf8(model$text)), beside)
  if (!file.rename(beside, file)) {
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
