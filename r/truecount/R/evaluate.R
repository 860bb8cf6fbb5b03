#' How far estimates are off
#'
#' Draws samples of known prevalence from a labelled pool, estimates each of them, and measures the errors of every method, how often the
#' intervals hold the truth, and whether one method is closer to it than another.
#'
#' @param model A model of [tc_fit()]; several as a named list, which may read different scores of the same pool; or a formula,
#'   `label ~ score`, where `labelled` has the labelled scores.
#' @param pool A data frame with labelled rows, from which the samples are drawn row by row: others than those that the model was fitted to,
#'   as errors on what a method has learnt from are too small.
#' @param labelled Labelled scores, if `model` is a formula.
#' @param protocol Which prevalences the samples have: `"uniform"` on \[0, 1\]; the `"grid"` 0, 0.05, ..., 1 by turns; or `"natural"`, those
#'   of simple random samples of the pool.
#' @param samples Number of samples; by default 1000, of the grid 1050.
#' @param size Scores in each.
#' @param seed Where the random numbers start: by default where R's do, so [set.seed()] decides. The same seed draws the same samples as the
#'   command `truecount evaluate` and the Python package.
#' @param level Nominal coverage of the intervals, whose target is the sample.
#' @param reference The method that the others are compared with; by default the first. Of several models it has the model's name too, as in
#'   `"b: es"`.
#' @param positive The label of a positive; by default the model's.
#' @param na.action As in [tc_fit()].
#' @param ... For a formula, arguments of [tc_fit()]; else not used.
#' @return An object of class `tc_evaluation`. `x$table` and `tidy()` have a row for each method: the means over the samples of all
#'   measures, coverage and width of the intervals, each with its standard error, and the comparison; its columns are those of the command
#'   `truecount evaluate`. `as.data.frame()` has every estimate of every sample beside the truth, and `plot()` draws them.
#' @examples
#' model <- tc_fit(label ~ score, spam_train, method = c("es", "ac", "cc"))
#' found <- tc_evaluate(model, spam_pool, samples = 100, seed = 1)
#' found
#' plot(found)
#' head(as.data.frame(found))
#' @export
tc_evaluate <- function(model, pool, ...) {
  UseMethod("tc_evaluate")
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.formula <- function(model, pool, labelled, protocol = "uniform", samples = NULL, size = 250, seed = NULL, level = 0.95,
                                reference = NULL, positive = NULL, na.action = stats::na.fail, ...) {
  fitted <- tc_fit(model, labelled, positive = positive, na.action = na.action, ...)
  tc_evaluate.tc_model(fitted, pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.tc_model <- function(model, pool, protocol = "uniform", samples = NULL, size = 250, seed = NULL, level = 0.95, reference = NULL,
                                 positive = NULL, na.action = stats::na.fail, ...) {
  no_more(...)
  evaluated(list(model), pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

#' @rdname tc_evaluate
#' @export
tc_evaluate.list <- function(model, pool, protocol = "uniform", samples = NULL, size = 250, seed = NULL, level = 0.95, reference = NULL,
                             positive = NULL, na.action = stats::na.fail, ...) {
  no_more(...)
  if (length(model) == 0 || is.null(names(model)) || !all(nzchar(names(model))) || anyDuplicated(names(model))) {
    refuse("option-invalid", "options", "model: a list of models needs a name for each, such as list(old = a, new = b)", name = "model")
  }
  evaluated(model, pool, protocol, samples, size, seed, level, reference, positive, na.action)
}

evaluated <- function(models, pool, protocol, samples, size, seed, level, reference, positive, na.action) {
  pointers <- lapply(models, function(model) held(model)$.ptr)
  if (is.null(names(pointers))) names(pointers) <- ""
  rows <- pooled(models, drawn(pool)$data, positive, na.action)
  asked <- list(
    protocol = protocol, samples = whole(samples, "samples", least = 1), size = whole(size, "size", least = 1), seed = seeded(seed),
    level = real(level, "level"), reference = reference
  )
  found <- native(evaluate_models(pointers, rows$columns, rows$positive, asked, threads()), located_in("pool ", rows))
  if (!is.null(found$overlap)) {
    warned(paste0(found$overlap, " (size)"), "samples-overlap")
  }
  result(
    "tc_evaluation", found,
    compared = if (!is.null(found$comparison)) shaped(found$comparison$shown),
    samples = as.data.frame(found$samples), level = level
  )
}

# What each model reads of the pool, and which rows are positive.
pooled <- function(models, data, positive, na.action) {
  first <- models[[1]]
  if (length(first$formula) != 3) {
    refuse("option-invalid", "options", "model: what it was read from has no label; fit it with label ~ score", name = "model")
  }
  label <- valued(first$formula[[2]], data, environment(first$formula), "label")
  n <- length(label)
  columns <- lapply(models, function(model) {
    list(
      score = scored(model$formula, data, n),
      probability = numbers(column(model$probability, data, "probability"), "probability", n)
    )
  })
  omitted <- complete(c(list(label = label), unlist(columns, recursive = FALSE)), na.action)
  names <- if (length(models) > 1) names(models)
  list(
    columns = lapply(columns, function(of) list(scores = without(of$score, omitted), probabilities = without(of$probability, omitted))),
    positive = as.logical(positives(without(label, omitted), if (is.null(positive)) first$positive else positive)),
    omitted = omitted, groups = if (!is.null(names)) list(values = list(names))
  )
}

#' @rdname tc_evaluate
#' @param x,object What `tc_evaluate()` has returned.
#' @export
print.tc_evaluation <- function(x, ...) {
  cat(tabulated(x$shown$header, x$shown$lines, x$shown$names), sep = "\n")
  if (!is.null(x$compared)) {
    cat("\n")
    cat(tabulated(x$compared$header, x$compared$lines, x$compared$names), sep = "\n")
  }
  below(x, x$table$method)
  invisible(x)
}

#' @rdname tc_evaluate
#' @export
as.data.frame.tc_evaluation <- function(x, ...) x$samples

#' @rdname tc_evaluate
#' @exportS3Method generics::tidy
tidy.tc_evaluation <- function(x, ...) as_tibble_if(x$table)

#' @rdname tc_evaluate
#' @param xlab,ylab As in [graphics::plot()].
#' @export
plot.tc_evaluation <- function(x, xlab = "true prevalence", ylab = "estimated prevalence", ...) {
  methods <- x$table$method
  old <- graphics::par(mfrow = rev(grDevices::n2mfrow(length(methods))), pty = "s")
  on.exit(graphics::par(old))
  for (at in seq_along(methods)) {
    of <- x$samples[x$samples$method == methods[at], ]
    graphics::plot(
      of$truth, of$prevalence,
      xlim = c(0, 1), ylim = c(0, 1), pch = 19, cex = 0.5, col = grDevices::adjustcolor(palette_of(length(methods))[at], 0.4),
      xlab = xlab, ylab = ylab, main = methods[at], las = 1, ...
    )
    graphics::abline(0, 1, lty = 2, col = "grey40")
  }
  invisible(x)
}

#' @rdname tc_evaluate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_evaluation <- function(object, ...) {
  shown <- object$samples
  shown$method <- factor(shown$method, object$table$method)
  .data <- ggplot2::.data
  ggplot2::ggplot(shown, ggplot2::aes(x = .data$truth, y = .data$prevalence)) +
    ggplot2::geom_abline(linetype = 2, colour = "grey40") +
    ggplot2::geom_point(size = 0.6, alpha = 0.4) +
    ggplot2::facet_wrap(ggplot2::vars(.data$method)) +
    ggplot2::coord_fixed(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = "true prevalence", y = "estimated prevalence")
}
