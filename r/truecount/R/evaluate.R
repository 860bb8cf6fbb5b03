#' Measure the errors of estimates
#'
#' Draws samples of known prevalence from a labelled pool and estimates each of them. Measures the
#' errors of every method and the coverage of its intervals, and tests whether another method is
#' closer to the true prevalence.
#'
#' @param model A model of [tc_fit()]; several models as a named list, which may read different
#'   scores of the same pool; or a formula, `label ~ score`, if `labelled` has the labelled scores.
#' @param pool A data frame with labelled rows, from which samples are drawn row by row. Use other
#'   rows than those that the model was fitted to: errors on rows that a method was fitted to are
#'   too small.
#' @param labelled Labelled scores, if `model` is a formula.
#' @param protocol The prevalences of the samples: `"uniform"` on \[0, 1\]; the `"grid"` 0, 0.05,
#'   ..., 1 in turn; or `"natural"`, those of simple random samples of the pool.
#' @param samples Number of samples; by default 1000, for the grid 1050.
#' @param size Number of scores in each sample.
#' @param seed Seed of the random numbers; by default R's generator chooses it, so [set.seed()]
#'   decides. The same seed draws the same samples in the command `truecount evaluate` and the
#'   Python package.
#' @param level Nominal coverage of the intervals, whose target is the sample.
#' @param reference The method that the others are compared with; by default the first. For several
#'   models its name includes the model's, as in `"b: es"`.
#' @param positive The label of a positive; by default the model's.
#' @param na.action As in [tc_fit()].
#' @param ... For a formula, arguments of [tc_fit()]; otherwise not used.
#' @return An object of class `tc_evaluation`. `x$table` and `tidy()` have a row for each method:
#'   the means over the samples of all measures, the coverage and width of the intervals, each with
#'   its standard error, and the comparison. The columns are those of the command `truecount
#'   evaluate`. `as.data.frame()` has every estimate of every sample with the truth, and `plot()`
#'   draws them.
#' @references Esuli A, Fabris A, Moreo A, Sebastiani F (2023). *Learning to Quantify*. Springer.
#' @seealso [tc_check()] for the assumption on new scores, and [tc_plan()] for sizes.
#' @examples
#' model <- tc_fit(label ~ score, spam_train, method = c("es", "ac", "cc"))
#' evaluation <- tc_evaluate(model, spam_pool, samples = 100, seed = 1)
#' evaluation
#' plot(evaluation)
#' head(as.data.frame(evaluation))
#' @export
tc_evaluate <- function(model, pool, ...) {
  UseMethod("tc_evaluate")
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.default <- function(model, pool, ...) {
  call_with_data_first(match.call(), tc_evaluate, model, pool, ...)
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.formula <- function(model, pool, labelled, protocol = "uniform", samples = NULL, size = 250, seed = NULL,
                                level = 0.95, reference = NULL, positive = NULL, na.action = stats::na.fail, ...) {
  model <- tc_fit(model, labelled, positive = positive, na.action = na.action, ...)
  tc_evaluate.tc_model(model, pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.tc_model <- function(model, pool, protocol = "uniform", samples = NULL, size = 250, seed = NULL,
                                 level = 0.95, reference = NULL, positive = NULL, na.action = stats::na.fail, ...) {
  check_unused(...)
  run_evaluation(list(model), pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.list <- function(model, pool, protocol = "uniform", samples = NULL, size = 250, seed = NULL, level = 0.95,
                             reference = NULL, positive = NULL, na.action = stats::na.fail, ...) {
  check_unused(...)
  if (length(model) == 0 || is.null(names(model)) || !all(nzchar(names(model))) || anyDuplicated(names(model))) {
    abort(
      "option-invalid", "options",
      "model: a list of models needs a name for each, such as list(old = a, new = b)", name = "model"
    )
  }
  run_evaluation(model, pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

run_evaluation <- function(models, pool, protocol, samples, size, seed, level, reference, positive, na.action) {
  pointers <- lapply(models, function(model) rust_model(model)$.ptr)
  if (is.null(names(pointers))) names(pointers) <- ""
  refuse_any_design(pool, "pool", "samples are drawn from it row by row")
  rows <- pool_columns(models, to_data_frame(pool), positive, na.action)
  options <- request_options(mget(c("protocol", "samples", "size", "seed", "level", "reference")))
  evaluation <- unwrap(
    evaluate_models(pointers, rows$columns, rows$positive, options, thread_count()), locate_in("pool ", rows)
  )
  if (!is.null(evaluation$overlap)) {
    warn(paste0(evaluation$overlap, " (size)"), "samples-overlap")
  }
  new_result(
    "tc_evaluation", evaluation,
    comparison = if (!is.null(evaluation$comparison)) shape_lines(evaluation$comparison$printed),
    samples = as.data.frame(evaluation$samples), level = level
  )
}

# Returns each model's columns of the pool, and which rows are positive.
pool_columns <- function(models, data, positive, na.action) {
  first <- models[[1]]
  if (length(first$formula) != 3) {
    abort(
      "option-invalid", "options",
      "the model file does not name the label column; fit the model with label ~ score", name = "model"
    )
  }
  label <- eval_column(first$formula[[2]], data, environment(first$formula), "label")
  n <- length(label)
  columns <- lapply(models, function(model) {
    list(
      scores = score_column(model$formula, data, n),
      probabilities = numeric_column(read_column(model$probability, data, "probability"), "probability", n)
    )
  })
  named <- lapply(columns, stats::setNames, c("score", "probability"))
  omitted <- incomplete_rows(c(list(label = label), unlist(named, recursive = FALSE)), na.action)
  if (is.null(positive)) positive <- first$positive
  list(
    columns = lapply(columns, lapply, omit, omitted),
    positive = as.logical(is_positive_label(omit(label, omitted), positive)),
    omitted = omitted, groups = if (length(models) > 1) list(values = list(names(models)))
  )
}

#' @rdname tc_evaluate
#' @param x,object A result of `tc_evaluate()`.
#' @param digits As in [tc_result].
#' @export
print.tc_evaluation <- function(x, digits = NULL, ...) {
  print_table <- function(printed) {
    print_lines(format_table(printed$header, round_cells(printed, digits), printed$names))
  }
  print_table(x$printed)
  if (!is.null(x$comparison)) {
    cat("\n")
    print_table(x$comparison)
  }
  print_notes(x, x$table$method)
  invisible(x)
}

#' @rdname tc_evaluate
#' @export
as.data.frame.tc_evaluation <- function(x, ...) x$samples

#' @rdname tc_evaluate
#' @param xlab,ylab As in [graphics::plot()].
#' @export
plot.tc_evaluation <- function(x, xlab = "true prevalence", ylab = "estimated prevalence", ...) {
  methods <- x$table$method
  old <- graphics::par(mfrow = rev(grDevices::n2mfrow(length(methods))), pty = "s")
  on.exit(graphics::par(old))
  colours <- method_colours(length(methods))
  for (index in seq_along(methods)) {
    samples <- x$samples[x$samples$method == methods[index], ]
    graphics::plot(
      samples$truth, samples$prevalence,
      xlim = c(0, 1), ylim = c(0, 1), pch = 19, cex = 0.5, col = grDevices::adjustcolor(colours[index], 0.4),
      xlab = xlab, ylab = ylab, main = methods[index], las = 1, ...
    )
    graphics::abline(0, 1, lty = 2, col = "grey40")
  }
  invisible(x)
}

#' @rdname tc_evaluate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_evaluation <- function(object, ...) {
  samples <- object$samples
  samples$method <- factor(samples$method, object$table$method)
  .data <- ggplot2::.data
  ggplot2::ggplot(samples, ggplot2::aes(x = .data$truth, y = .data$prevalence)) +
    ggplot2::geom_abline(linetype = 2, colour = "grey40") +
    ggplot2::geom_point(size = 0.6, alpha = 0.4) +
    ggplot2::facet_wrap(ggplot2::vars(.data$method)) +
    ggplot2::coord_fixed(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = "true prevalence", y = "estimated prevalence")
}
