#' Estimate the prevalence among unlabelled scores
#'
#' Estimates the share of positives, or of each of several classes, in all or by group, with a standard error and
#' an interval.
#'
#' @param model A model of [tc_fit()]; or its formula, `label ~ score`, if `labelled` has the
#'   labelled scores.
#' @param newdata The unlabelled scores: a data frame with the variables on the formula's right
#'   side, a `survey.design` or `svyrep.design` of such data, or a vector of scores. Of a design,
#'   weights, first-stage strata, clusters and finite populations of one or two stages are used, or its
#'   replicate weights. Calibrated weights without replicates, joint probabilities and two phases raise an
#'   error that names [augment()][estimates].
#' @param by Estimates each combination of values: `~ week`, `~ region + sex`, or names of columns.
#'   Rows with `NA` form the last group.
#' @param weights Survey weights of the unlabelled rows; `~ w`. Only their ratios count.
#' @param cluster The cluster that each unlabelled row was drawn with; `~ id`. For the population,
#'   standard errors are those of sums over clusters. For these scores, they allow for errors of the
#'   classifier that agree within a cluster, as far as labelled rows in clusters show it; otherwise
#'   they are those for the population.
#' @param stratum The stratum that each unlabelled row was drawn in, with a fixed number of rows or of
#'   clusters from each; `~ region`. For the population, standard errors are then those within strata.
#' @param level Nominal coverage of the intervals.
#' @param target The target of the standard error and the interval: the prevalence among these
#'   scores (`"sample"`), or in the population that they were drawn from (`"population"`, the
#'   default for a `survey.design`, with `stratum` and with `weights`).
#' @param interval `"wilson"`, which also works near 0 and 1; `"wald"`, symmetric around the
#'   estimate; or `"bootstrap"`, which is available for every method and takes longer.
#' @param misfit If the scores do not fit any mixture of the labelled classes, `"widen"` widens the
#'   interval, and `"warn"` only warns.
#' @param population Size of the finite population that the scores were drawn from; implies `target
#'   = "population"`. A number; for groups, or with `stratum` for strata, a named vector, or `~ size`,
#'   constant in each group or stratum. With `cluster_population`, `~ size` is the number of rows of the
#'   row's cluster, if only some of these were drawn.
#' @param cluster_population Number of clusters in the population that the clusters were drawn from; with
#'   `stratum` a named vector, or `~ size`.
#' @param lonely_psu Treatment of strata with a single drawn row or cluster, as R's option
#'   `survey.lonely.psu`, which decides for a design: `"error"` (`"fail"`); `"certainty"`, as if the whole
#'   stratum had been drawn; `"adjust"`, the deviation from the mean of all strata; or `"average"`, the mean
#'   variance of the other strata.
#' @param total Whether to estimate all groups together as well.
#' @param standardise Sizes of the groups in a standard population, to which the total is then
#'   standardised: a named vector, or `~ size`. If the groups are the strata that rows were drawn in,
#'   with their sizes in the population, the total is the stratified estimate.
#' @param resamples,seed Number of bootstrap resamples, and the seed of their random numbers; by
#'   default R's generator chooses the seed, so [set.seed()] decides.
#' @param columns Additional columns to print: `"n_eff"`, the effective sample size, `"cv"`, the
#'   coefficient of variation, `"deff"`, the design effect, `"apparent"`, the share before correction,
#'   `"se"` and `"misfit"`. The data frame always has them.
#' @param publish Rule that flags shares, in a column `publish`, or suppresses them as `NA`: `"nchs"`, of the
#'   National Center for Health Statistics; `"statcan"`, of Statistics Canada; or limits of the coefficient of
#'   variation, as in `"cv=0.16,0.33"`.
#' @param check Whether to test that the scores of each group are a mixture of the labelled classes,
#'   as [tc_check()] does. Without the test no interval is widened.
#' @param na.action As in [tc_fit()].
#' @param labelled Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; otherwise not used.
#' @return An object of class `tc_estimate`, for `as.data.frame()`, [coef()], [confint()], [vcov()],
#'   `plot()`, and `tidy()`, `glance()` and `autoplot()` of broom and ggplot2. These read the
#'   groups; `x$total` has the total. The object keeps its data, so that `confint()` can compute
#'   another level: save `as.data.frame()` if the scores must not be saved with it.
#'
#'   The columns are those of the command `truecount estimate`: `n`, the number of scores, and
#'   `n_eff`, the effective number with weights and clusters; `population_size`, if the share is not
#'   that of the scores; `apparent`, the share of scores at or above the cutoff; the `prevalence`,
#'   clipped to \[0, 1\], and the unclipped estimate `raw`; `se`, `lower` and `upper` at the nominal
#'   `level`; `positives`, `positives_lower` and `positives_upper`, their number; `cv`, the
#'   standard error over the prevalence; `deff`, `n` over `n_eff`; `misfit`, the distance of the
#'   scores from a mixture of the labelled classes, about 1 by chance alone; `unexplained`, the
#'   share of scores that no mixture explains; `widening`, the increase of each half of the interval
#'   for misfit; `severity`, that of the most severe warning.
#'
#'   For several classes an object of class `tc_class_estimate` has a row for each group and `class`, with
#'   `lower_all` and `upper_all`, the interval for all classes at once, and `mix_p`, the p-value of the test that
#'   the rows are a mix of the labelled classes.
#' @section Several classes:
#' Intervals are by formula.
#' @section Groups:
#' One call with `by` is not the same as a call for each group, such as by `dplyr::group_modify()`. With
#' `by` the test of the assumption allows for the number of groups (Holm 1979), so that fewer intervals
#' are widened by chance, and [vcov()], [tc_compare()] and totals know the error that the groups share.
#' Groups of [dplyr::group_by()] take the place of `by`.
#' @references Holm S (1979). A simple sequentially rejective multiple test procedure. *Scandinavian
#'   Journal of Statistics* 6, 65-70.
#' @seealso [tc_check()] for the assumption, [tc_compare()] for differences, [tc_monitor()] for alarms
#'   over time, [tc_plan()] for sizes, and [estimates] for R's generic functions.
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
  split <- split_fit_arguments(labelled, evaluate_with_columns(list(...), newdata), tc_estimate.tc_model)
  check_labelled(model, newdata, labelled)
  estimates <- do.call(tc_estimate, c(list(split$fit(model), newdata), split$other))
  estimates$call <- generic_call(match.call(), "tc_estimate")
  estimates
}

#' @rdname tc_estimate
#' @export
tc_estimate.default <- function(model, newdata, ...) {
  call_with_data_first(match.call(), tc_estimate, model, newdata, ...)
}

# Calls a generic function whose first two arguments are data and a model, as after a pipe. Other first
# arguments are errors.
call_with_data_first <- function(call, generic, data, model, ...) {
  if (!missing(model) && inherits(model, c("tc_model", "tc_class_model", "formula"))) {
    result <- generic(model, data, ...)
    call[2:3] <- call[3:2]
    if (!is.null(result$call)) result$call <- generic_call(call, result$call[[1]])
    return(result)
  }
  if (inherits(data, "tc_result")) {
    abort(
      "option-invalid", "options",
      sprintf("model is a result of %s(); give the model and the data that it was made from", class(data)[1]),
      name = "model"
    )
  }
  if (inherits(data, "tc_class_model")) {
    abort(
      "option-conflict", "options",
      "this function takes models of two classes only; for several, use tc_estimate() or tc_compare()", name = "model"
    )
  }
  abort(
    "option-invalid", "options",
    paste(
      "model must be a result of tc_fit(), or a formula such as label ~ score (for a glm, use predict() as the",
      "score)"
    ),
    name = "model"
  )
}

#' @rdname tc_estimate
#' @export
tc_estimate.tc_model <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, stratum = NULL,
                                 level = 0.95,
                                 target = default_target(newdata, stratum, weights, population, cluster_population),
                                 interval = "wilson", misfit = "widen", population = NULL, cluster_population = NULL,
                                 lonely_psu = NULL, total = FALSE, standardise = NULL,
                                 columns = NULL, publish = NULL, resamples = 1000, seed = NULL, check = TRUE,
                                 na.action = stats::na.fail, ...) {
  check_unused(...)
  evaluate_arguments(newdata)
  by <- by_or_grouping(by, newdata)
  # The seed is kept, so that confint() for another level draws the same resamples.
  if (identical(interval, "bootstrap")) seed <- seed_or_random(seed)
  arguments <- as.list(environment())
  has_groups <- !is.null(by)
  if (!has_groups && !is.null(standardise)) {
    abort(
      "option-conflict", "options", "standardise needs groups: name their columns with by",
      name = "standardise"
    )
  }
  options <- c("level", "target", "interval", "misfit", "total", "columns", "publish", "check")
  options <- request_options(arguments[c(options, if (identical(interval, "bootstrap")) c("resamples", "seed"))])
  options$total <- options$total && has_groups
  sizes <- list(clusters = cluster_population, lonely_psu = lonely_psu, population = population, total = standardise)
  request <- estimate_request(model, newdata, by, weights, cluster, stratum, options, na.action, sizes)
  arguments$model <- request$model
  run_estimate(
    request,
    call = generic_call(match.call(), "tc_estimate"), arguments = arguments, level = level
  )
}

# Returns the models, the columns and the options of an estimate, in the form that Rust reads.
estimate_request <- function(model, newdata, by, weights, cluster, stratum, options, na.action, sizes = NULL) {
  test <- test_columns(model, newdata, by, weights, cluster, na.action, sizes, stratum)
  parts <- test$parts
  if (!is.null(options$resamples) && (!is.null(parts) || !is.null(test$replicates))) {
    abort(
      "option-conflict", "options",
      "interval = \"bootstrap\" does not go together with clusters, strata and replicate weights",
      name = "interval"
    )
  }
  model <- supporting_methods(model, c(
    if (!is.null(test$columns$weights)) "weights-not-possible",
    if (has_design(test)) "test-design-not-possible",
    if (!is.null(sizes$total)) "no-covariance"
  ))
  strata <- if (!is.null(model$strata)) strata_models(model, parts$models)
  options <- c(
    options, design_options(test),
    list(
      set_models = strata$model_index[parts$model],
      stratum_column = if (!is.null(strata)) column_label(model$strata$column), model_names = strata$names
    )
  )
  models <- lapply(if (is.null(strata)) list(model) else strata$models, function(model) rust_model(model)$.ptr)
  list(model = model, models = models, test = test, options = options)
}

# Returns the sampling design of test columns and the sizes of groups, in the form that Rust reads.
design_options <- function(test) {
  parts <- test$parts
  has_groups <- !is.null(test$groups)
  list(
    population = if (!has_groups) test$sizes$population, standard_sizes = test$sizes$total,
    populations = if (has_groups) test$sizes$population,
    # A test set is a group, or a part of a group: a stratum, a cluster, or a stratum with its model.
    set_groups = parts$group, number_of_groups = parts$number_of_groups, set_strata = parts$stratum,
    set_clusters = parts$cluster, strata_sizes = test$strata$sizes,
    strata_units = if (!is.null(test$strata$units)) as.double(test$strata$units),
    counts_clusters = isTRUE(test$strata$counts_clusters), cluster_rows = parts$rows,
    strata_lonely = if (!is.null(parts$stratum)) test$lonely_psu,
    replicate_weights = as.double(test$replicates$weights), replicate_factors = as.double(test$replicates$factors),
    replicates_about_mean = isTRUE(test$replicates$about_mean), replicate_dof = as.double(test$replicates$dof)
  )
}

run_estimate <- function(request, ...) {
  test <- request$test
  estimates <- unwrap(
    estimate_scores(request$models, test$columns, request$options, thread_count()), locate_in("", test)
  )
  new_result("tc_estimate", estimates, test$groups, model = request$model, ..., pointer = estimates$estimates)
}
