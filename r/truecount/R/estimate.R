#' Estimate the prevalence among unlabelled scores
#'
#' The share of positives, its standard error and interval, in all or by group.
#'
#' @param model A model of [tc_fit()]; or its formula, `label ~ score`, where `labelled` has the labelled scores.
#' @param newdata A data frame with the unlabelled scores, by the names of the formula's right side, or a `survey.design` whose weights and
#'   first-stage clusters say how they were drawn (what it says besides is not used, and a warning tells so); or a vector of scores.
#' @param by One estimate for each combination of values: `~ week`, `~ region + sex`, or names of columns. Rows where it is `NA` are a
#'   group, the last one.
#' @param weights Survey weights of the unlabelled rows; `~ w`. Only their ratios count.
#' @param cluster What says which unlabelled rows were drawn together; `~ id`. For `target = "population"`.
#' @param level Nominal coverage of the intervals.
#' @param target Whose prevalence the standard error and interval are for: that of these very scores (`"sample"`) or of what they were drawn
#'   from (`"population"`).
#' @param interval `"wilson"`, which is right near 0 and 1 too; `"wald"`, so many standard errors either way; or `"bootstrap"`, which every
#'   method has, and which takes its time.
#' @param misfit Where the scores are no mixture of the labelled classes: `"widen"` the interval, or only `"warn"`.
#' @param population How many there are in the finite population that the scores were drawn from, which is then meant: a number, or for
#'   groups a named vector or `~ size`, the same throughout a group.
#' @param total Whether all groups together are estimated as well.
#' @param total_weights Adds the groups up by these sizes instead: a named vector, or `~ size`.
#' @param resamples,seed Resamples of the bootstrap, and where its random numbers start: by default where R's do, so [set.seed()] decides.
#' @param columns More columns to print: `"n_eff"`, the effective number of scores, `"cv"`, the coefficient of variation, `"deff"`, the
#'   design effect. The data frame has them always.
#' @param check Whether it is tested if each group's scores are a mixture of the labelled classes, as in [tc_check()]. Where it is not, no
#'   interval is wider for it.
#' @param na.action As in [tc_fit()].
#' @param labelled Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; else not used.
#' @return An object of class `tc_estimate`: `as.data.frame()`, [coef()], [confint()], [vcov()], `plot()`, and `tidy()`, `glance()` and
#'   `autoplot()` of broom and ggplot2 read it. These are of the groups; `x$total` has all groups together. The object keeps what it was
#'   made of, the scores too, so that `confint()` can answer for another level: save `as.data.frame()` where they must not go along.
#'
#'   Its columns, which are those of the command `truecount estimate`: `n` scores, as good as `n_eff` without weights and clusters; the
#'   `prevalence`, kept inside \[0, 1\], and `raw` as it was computed; `se`, `lower`, `upper`, nominally of `level`; `cv`, the standard
#'   error over the prevalence; `deff`, `n` over `n_eff`; `misfit`, how far the scores are from a mixture of the labelled classes, 1 by
#'   chance alone, the share `unexplained` by any, and by how much each end of the interval is `widening` for it; `severity`, of the gravest
#'   warning.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' weeks <- tc_estimate(model, spam_weeks, by = ~week, total = TRUE)
#' weeks
#' plot(weeks)
#' confint(weeks)
#'
#' # In one call
#' tc_estimate(label ~ score, spam_weeks, labelled = spam_train, method = c("es", "ac"))
#' @export
tc_estimate <- function(model, newdata, ...) {
  UseMethod("tc_estimate")
}

#' @rdname tc_estimate
#' @export
tc_estimate.formula <- function(model, newdata, labelled, ...) {
  asked <- fitting(labelled, list(...), tc_estimate.tc_model)
  found <- do.call(tc_estimate, c(list(asked$fit(model), newdata), asked$rest))
  found$call <- typed(match.call(), "tc_estimate")
  found
}

#' @rdname tc_estimate
#' @export
tc_estimate.default <- function(model, newdata, ...) {
  refuse(
    "option-invalid", "options",
    "model: what tc_fit() returns is wanted, or a formula, label ~ score; of a glm or the like, what predict() returns is such a score",
    name = "model"
  )
}

#' @rdname tc_estimate
#' @export
tc_estimate.tc_model <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, level = 0.95, target = "sample",
                                 interval = "wilson", misfit = "widen", population = NULL, total = FALSE, total_weights = NULL,
                                 columns = NULL, resamples = 1000, seed = NULL, check = TRUE, na.action = stats::na.fail, ...) {
  no_more(...)
  # Asked again for another level, the same resamples are drawn.
  if (identical(interval, "bootstrap")) seed <- seeded(seed)
  given <- as.list(environment())
  grouped <- !is.null(by)
  if (!grouped && !is.null(total_weights)) {
    refuse("option-conflict", "options", "total_weights adds up groups: name their columns with by", name = "total_weights")
  }
  asking <- asking(
    model, newdata, by, weights, cluster, level, target, interval, misfit, population, total_weights, check, na.action,
    total = isTRUE(total) && grouped, columns = columns, resamples = if (identical(interval, "bootstrap")) resamples, seed = seed
  )
  estimated(asking, model, call = typed(match.call(), "tc_estimate"), given = given, level = level)
}

# What is asked about unlabelled scores, as Rust takes it.
asking <- function(model, newdata, by, weights, cluster, level, target, interval, misfit, population, total_weights, check, na.action,
                   total = FALSE, columns = NULL, resamples = NULL, seed = NULL) {
  tested <- tested(model, newdata, by, weights, cluster, na.action, sizes = list(population = population, total = total_weights))
  grouped <- !is.null(tested$groups)
  cells <- tested$cells
  if (!is.null(cells) && is.null(model$strata) && target == "sample" && is.null(population)) {
    refuse(
      "option-conflict", "options",
      "cluster says how the scores were drawn, which matters for what they were drawn from: add target = \"population\"", name = "cluster"
    )
  }
  drawing <- !is.null(resamples)
  if (drawing && !is.null(cells)) {
    refuse("option-conflict", "options", "interval = \"bootstrap\" does not go together with clusters and strata", name = "interval")
  }
  strata <- if (!is.null(model$strata)) strata_models(model, cells$strata)
  asked <- c(
    reporting(real(level, "level"), target, interval, misfit, if (!grouped) tested$sizes$population),
    list(
      total = total, total_weights = tested$sizes$total, populations = if (grouped) tested$sizes$population, check = check,
      columns = columns, resamples = if (drawing) whole(resamples, "resamples"), seed = if (drawing) seeded(seed),
      of_groups = cells$group, groups = cells$number, clusters = if (is.null(strata)) cells$part, blocks = strata$blocks[cells$part],
      stratum = if (!is.null(strata)) label_of(model$strata$asked), strata = strata$names
    )
  )
  models <- lapply(if (is.null(strata)) list(model) else strata$models, function(model) held(model)$.ptr)
  list(models = models, tested = tested, asked = asked)
}

estimated <- function(asking, model, ...) {
  tested <- asking$tested
  found <- native(estimate_scores(asking$models, tested$columns, asking$asked, threads()), located_in("", tested))
  result("tc_estimate", found, tested$groups, model = model, ..., held = found$found)
}
