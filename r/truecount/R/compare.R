#' Compare prevalences
#'
#' Estimates differences and ratios between groups, between two samples, between methods on the same
#' scores, or between two classifiers on the same items. Standard errors account for the labelled
#' scores and the items that both estimates share.
#'
#' @param model A model of [tc_fit()]; or its formula, `label ~ score`, if `labelled` has the
#'   labelled scores; or counts of [tc_counts()] with groups. Of counts, equal rates with equal
#'   denominators are taken to be from one study.
#' @param newdata,weights,cluster,stratum,level,target,misfit,population,check,na.action As in
#'   [tc_estimate()].
#' @param interval `"wilson"` or `"wald"`.
#' @param standardise Sizes that weight the groups in the references `"total"` and `"rest"`, as in
#'   [tc_estimate()].
#' @param by Groups: `~ week`, `~ site + week`, or names of columns. Compares the values of the last
#'   column, within each combination of the others.
#' @param reference The reference of each group: `"previous"`, `"total"`, `"rest"`, `"all"` (each
#'   other group), or the group with this value of the last column of `by`. The default for two
#'   groups is the other group, for dates `"previous"`, otherwise `"total"`. Counts have no `"total"`
#'   and no `"rest"`, and their default is `"all"` instead.
#' @param other Another sample to compare with, group by group if there is `by`; in the form of `newdata`. For several
#'   classes, combine both samples in one data frame, and give the column that distinguishes them as `by`.
#' @param other_model The model of the other scores: a model of [tc_fit()], or for another
#'   classifier's scores of the same labelled items a formula such as `label ~ other_score`, if
#'   `model` is a formula. Without `other`, both classifiers have scored the same unlabelled items.
#' @param paired For another model of [tc_fit()]: whether both were fitted to the same labelled
#'   items, in the same order.
#' @param same For another model, with `other`: whether its rows are the same items as those of
#'   `newdata`, in the same order.
#' @param labelled Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; otherwise not used.
#' @return An object of class `tc_compare`: a row for each difference, with its standard error and
#'   interval, the ratio with its interval, the p-value, also with Holm's correction for the number
#'   of differences (Holm 1979), and the correlation of the two estimates. The columns are those of
#'   the command `truecount compare`. `estimates`, and `other_estimates` of another sample or model,
#'   are results of [tc_estimate()]. `as.data.frame()`, [coef()], [confint()], `plot()` and `tidy()`
#'   read the object.
#' @references Donner A, Zou GY (2012). Closed-form confidence intervals for functions of the normal mean
#'   and standard deviation. *Statistical Methods in Medical Research* 21, 347-359.
#'
#'   Zou GY, Donner A (2008). Construction of confidence limits about effect measures: a general
#'   approach. *Statistics in Medicine* 27, 1693-1702.
#' @seealso [tc_estimate()] for the estimates themselves, and [tc_monitor()] for alarms over time.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_compare(model, spam_weeks, by = ~week)
#' tc_compare(model, spam_weeks, by = ~week, reference = "2026-W01")
#'
#' # Two samples, and two methods
#' early <- spam_weeks$week <= "2026-W12"
#' tc_compare(model, spam_weeks[early, ], other = spam_weeks[!early, ])
#' tc_compare(label ~ score, spam_weeks, labelled = spam_train, method = c("es", "ac"))
#' @export
tc_compare <- function(model, ...) {
  UseMethod("tc_compare")
}

#' @rdname tc_compare
#' @export
tc_compare.default <- function(model, newdata, ...) {
  call_with_data_first(match.call(), tc_compare, model, newdata, ...)
}

#' @rdname tc_compare
#' @export
tc_compare.formula <- function(model, newdata, labelled, other_model = NULL, ...) {
  split <- split_fit_arguments(labelled, evaluate_with_columns(list(...), newdata), tc_compare.tc_model)
  check_labelled(model, newdata, labelled)
  first <- split$fit(model)
  second <- if (!is.null(other_model)) list(other_model = other_model)
  if (inherits(other_model, "formula")) {
    second <- list(other_model = split$fit(other_model), paired = TRUE)
    check_same_omitted(first$omitted, second$other_model$omitted, "labelled: the same rows")
  }
  differences <- do.call(tc_compare, c(list(first, newdata), second, split$other))
  differences$call <- generic_call(match.call(), "tc_compare")
  differences
}

#' @rdname tc_compare
#' @export
tc_compare.tc_model <- function(model, newdata, by = NULL, reference = NULL, other = NULL, other_model = NULL,
                                paired = NULL, same = NULL, weights = NULL, cluster = NULL, stratum = NULL,
                                level = 0.95, target = default_target(newdata, stratum, weights, population),
                                interval = "wilson", misfit = "widen", population = NULL, standardise = NULL,
                                check = TRUE,
                                na.action = stats::na.fail, ...) {
  check_unused(...)
  arguments <- evaluate_arguments(newdata)
  if (is.data.frame(by) && is.data.frame(newdata) && setequal(names(by), names(newdata))) {
    abort(
      "option-invalid", "options", "by has the columns of newdata; to compare with another sample, give it as other",
      name = "by"
    )
  }
  by <- by_or_grouping(by, newdata)
  if (identical(interval, "bootstrap")) {
    abort(
      "option-conflict", "options",
      "a comparison has no bootstrap interval; use interval = \"wilson\" or \"wald\"", name = "interval"
    )
  }
  relation <- sample_relation(other, other_model, paired, same)
  several_methods <- length(model$methods) > 1
  by_group <- !relation$two_samples && (!is.null(reference) || (!is.null(by) && !several_methods))
  group_options <- list(
    reference = reference, cluster = cluster, population = population, standardise = standardise,
    model_stratum = model$strata, stratum = stratum
  )
  unused <- names(group_options)[lengths(group_options) > 0]
  if (!by_group && length(unused) > 0) {
    abort(
      "option-conflict", "options",
      sprintf("%s is for comparisons of groups; give by and reference, and no other sample", unused[1]),
      name = unused[1]
    )
  }
  if (by_group && is.null(by)) {
    abort(
      "option-conflict", "options", "reference is for comparisons of groups; name their columns with by",
      name = "reference"
    )
  }
  if (!relation$two_samples && !by_group && !several_methods) {
    abort(
      "option-invalid", "options",
      "there is nothing to compare with: give by, other or other_model, or fit several methods", name = "other"
    )
  }
  if (by_group || relation$two_samples) {
    model <- supporting_methods(model, "no-covariance")
    arguments$model <- model
  }
  options <- request_options(mget(c("level", "target", "interval", "misfit", "check")))
  sizes <- list(population = population, total = standardise)
  estimate_side <- function(model, data) {
    request <- estimate_request(model, data, by, weights, cluster, stratum, options, na.action, sizes)
    c(request, list(estimates = run_estimate(request, level = level)))
  }
  first <- estimate_side(model, newdata)
  second <- if (relation$two_samples) {
    second_model <- if (is.null(other_model)) model else other_model
    prefix_error("other: ", estimate_side(second_model, if (is.null(other)) newdata else other))
  }
  if (!by_group && (has_design(first$test) || has_design(second$test))) {
    abort(
      "option-conflict", "options",
      paste(
        "only groups can be compared under a design with strata, clusters or replicate weights: combine both samples",
        "in one design, and give the column that distinguishes them as by"
      ),
      name = "newdata"
    )
  }
  differences <- if (relation$two_samples) {
    sample_differences(first, second, relation)
  } else if (by_group) {
    group_differences(first, reference)
  } else {
    options <- c(first$options, group_texts(first$test$groups))
    unwrap(compare_methods(rust_model(first$model), first$test$columns, options, thread_count()))
  }
  new_result(
    "tc_compare", differences, first$test$groups,
    compared = if (relation$two_samples) relation$compared else if (!by_group) "method",
    estimates = first$estimates, other_estimates = second$estimates, model = model,
    call = generic_call(match.call(), "tc_compare"), arguments = arguments, level = level
  )
}

#' @rdname tc_compare
#' @export
tc_compare.tc_counts <- function(model, reference = NULL, level = model$level, ...) {
  arguments <- as.list(environment())
  check_unused(...)
  counted <- model$counted
  if (is.null(counted$groups)) {
    abort("option-conflict", "options", "there are no groups to compare: name their columns with by", name = "by")
  }
  options <- utils::modifyList(counted$options, list(level = check_number(level, "level")))
  options <- c(options, reference_options(counted$groups, reference))
  differences <- add_reference_values(unwrap(compare_counts(counted$columns, options)), counted$groups)
  new_result(
    "tc_compare", differences, counted$groups,
    estimates = model, call = generic_call(match.call(), "tc_compare"), arguments = arguments, level = level
  )
}

# Returns the relation of two samples: whether there are two, what they share, and their names.
sample_relation <- function(other, other_model, paired, same) {
  if (is.null(other_model)) {
    if (!is.null(paired) || !is.null(same)) {
      abort(
        "option-conflict", "options", "paired and same are for another model: give other_model, or leave them out",
        name = "paired"
      )
    }
    return(list(
      two_samples = !is.null(other), paired = TRUE, same = FALSE, compared = "newdata", other_name = "other"
    ))
  }
  rust_model(other_model)
  if (!isTRUE(paired) && !isFALSE(paired)) {
    abort(
      "option-invalid", "options",
      paste(
        "paired is missing: set paired = TRUE if both models were fitted to the same labelled items, otherwise",
        "paired = FALSE"
      ),
      name = "paired"
    )
  }
  if (!is.null(other) && !isTRUE(same) && !isFALSE(same)) {
    abort(
      "option-invalid", "options",
      "same is missing: set same = TRUE if other has the same items as newdata, otherwise same = FALSE", name = "same"
    )
  }
  if (is.null(other) && isFALSE(same)) {
    abort(
      "option-conflict", "options", "same: the items are said to be different; give other", name = "same"
    )
  }
  list(
    two_samples = TRUE, paired = paired, same = is.null(other) || same, compared = "model",
    other_name = "other_model"
  )
}

# Evaluates an expression, and puts a prefix before the message of its error.
prefix_error <- function(prefix, expression) {
  tryCatch(expression, truecount_error = function(error) {
    error$message <- paste0(prefix, error$message)
    stop(error)
  })
}

# Raises an error unless both samples of the same items leave out the same rows.
check_same_omitted <- function(omitted, other_omitted, what) {
  if (!setequal(omitted, other_omitted)) {
    row <- setdiff(union(omitted, other_omitted), intersect(omitted, other_omitted))[1]
    abort(
      "value-missing", "scores",
      sprintf("%s must be left out for both scores, and row %d is NA for one: remove it", what, row), row = row
    )
  }
}

group_differences <- function(first, reference) {
  options <- c(first$options, reference_options(first$test$groups, reference))
  differences <- unwrap(compare_groups(first$models, first$test$columns, options, thread_count()))
  add_reference_values(differences, first$test$groups)
}

# Returns the groups and their reference in the form that Rust reads.
reference_options <- function(groups, reference) {
  check_single(reference, "reference", "one value")
  c(group_texts(groups), list(starts = level_starts(groups), reference = if (!is.null(reference)) as_text(reference)))
}

# Replaces the names of reference groups by their values, if all references are single groups.
add_reference_values <- function(differences, groups) {
  if (!is.null(differences$reference_groups)) {
    last <- groups$values[[length(groups$values)]]
    differences$columns$reference <- last[differences$reference_groups]
  }
  differences
}

# Returns the first group of each level, followed by the end of the last level. The groups of a
# level differ in the last column only.
level_starts <- function(groups) {
  is_start <- c(TRUE, logical(groups$n - 1))
  for (values in groups$values[-length(groups$values)]) {
    is_start[-1] <- is_start[-1] | diff(match(values, unique(values))) != 0
  }
  c(which(is_start), groups$n + 1L)
}

# Returns the values of all grouping columns as texts, column after column.
group_texts <- function(groups) {
  list(
    group_columns = as.character(names(groups$values)),
    group_names = as.character(unlist(lapply(groups$values, as_text)))
  )
}

# Converts values to texts; a missing value becomes an empty text.
as_text <- function(values) {
  texts <- as.character(values)
  replace(texts, is.na(texts), "")
}

sample_differences <- function(first, second, relation) {
  if (relation$same) {
    check_same_omitted(first$test$omitted, second$test$omitted, "newdata: the same rows")
    sizes <- lengths(list(first$test$columns$scores, second$test$columns$scores))
    if (sizes[1] != sizes[2]) {
      abort(
        "lengths-differ", "scores",
        sprintf(
          "other: %d scores, where newdata has %d, and they are said to be of the same items", sizes[2], sizes[1]
        ),
        column = "other"
      )
    }
  }
  pairs <- pair_groups(first$test$groups, second$test$groups)
  options <- c(first$options, group_texts(first$test$groups), relation[c("paired", "same", "other_name")], pairs)
  models <- c(first$models, if (relation$compared == "model") second$models)
  unwrap(compare_samples(models, first$test$columns, second$test$columns, options, thread_count()))
}

# Returns the pairs of groups that both samples have, and warns about the others.
pair_groups <- function(groups, other_groups) {
  if (is.null(groups)) {
    return(list(own_groups = 1L, other_groups = 1L))
  }
  keys <- function(groups) {
    lapply(seq_len(groups$n), function(group) {
      vapply(groups$values, function(values) as.character(values[group]), "")
    })
  }
  own_keys <- keys(groups)
  other_keys <- keys(other_groups)
  pairs <- match(own_keys, other_keys)
  if (all(is.na(pairs))) {
    abort("option-conflict", "options", "by: newdata and other have no group in common", name = "by")
  }
  left_out <- list(
    newdata = group_names(groups)[is.na(pairs)], other = group_names(other_groups)[!other_keys %in% own_keys]
  )
  for (name in names(left_out)[lengths(left_out) > 0]) {
    warn(
      sprintf("left out, only in %s: %s", name, format_values(left_out[[name]])), "group-left-out",
      groups = left_out[[name]]
    )
  }
  list(own_groups = which(!is.na(pairs)), other_groups = pairs[!is.na(pairs)])
}

# Returns a label for each difference.
contrast_labels <- function(x) {
  table <- x$table
  group <- if (length(x$by) > 0) {
    do.call(paste, c(lapply(table[c(x$by, intersect("class", names(table)))], as.character), sep = ", "))
  }
  of_methods <- identical(x$compared, "method")
  compared <- if (of_methods) table$method else if (is.null(group)) x$compared else group
  contrast <- paste(compared, "-", as.character(table$reference))
  if (of_methods) {
    if (is.null(group)) contrast else paste(group, contrast, sep = ", ")
  } else {
    if (length(unique(table$method)) > 1) paste(contrast, table$method, sep = ", ") else contrast
  }
}

#' @rdname tc_compare
#' @param x,object Differences of [tc_compare()].
#' @export
print.tc_compare <- function(x, ...) {
  NextMethod()
  warnings <- summarise_warnings(x$estimates$warnings, row_labels(x$estimates))
  if (!is.null(x$other_estimates)) {
    other_warnings <- summarise_warnings(x$other_estimates$warnings, row_labels(x$other_estimates))
    warnings <- c(warnings, sprintf("other: %s", other_warnings))
  }
  if (length(warnings) > 0) {
    cat("\n", sep = "")
    print_lines(strwrap(warnings, exdent = 2))
  }
  invisible(x)
}

#' @rdname tc_compare
#' @export
coef.tc_compare <- function(object, ...) stats::setNames(object$table$difference, contrast_labels(object))

#' @rdname tc_compare
#' @param parm The rows, by number or name; all by default.
#' @export
confint.tc_compare <- function(object, parm, level = object$level, ...) {
  check_unused(...)
  interval_matrix(at_level(object, level, tc_compare), contrast_labels(object), parm)
}

#' @rdname tc_compare
#' @param conf.int,conf.level As in [estimates].
#' @exportS3Method generics::tidy
tidy.tc_compare <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  x <- at_level(x, conf.level, tc_compare)
  table <- x$table
  tidy_table(
    x, conf.int, contrast = contrast_labels(x), method = table$method, null.value = 0, estimate = table$difference,
    std.error = table$se_widened, conf.low = table$lower, conf.high = table$upper, p.value = table$p_value,
    adj.p.value = table$p_value_holm
  )
}

#' @rdname tc_compare
#' @exportS3Method generics::glance
glance.tc_compare <- function(x, ...) {
  as_tibble_if_installed(data.frame(
    nobs = nobs(x$estimates), differences = nrow(x$table), adj.p.value = min(x$table$p_value_holm),
    conf.level = x$level
  ))
}
