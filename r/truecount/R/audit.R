#' Estimate with audited rows of the target
#'
#' Combines the scores of the target with labels of a random sample of its rows. The estimate needs
#' no assumption about the scores; the better they predict the labels, the narrower is the interval
#' (PPI++: Angelopoulos, Duchi and Zrnic 2023). The estimate of a model of external labels is shown
#' too. If a test does not reject that the external labels apply to the target, the recommended
#' estimate combines both sources.
#'
#' @param model A model of [tc_fit()] of external labels, with the single method `"es"`; without
#'   external labels a formula, `label ~ score`.
#' @param newdata All rows of the target, as in [tc_estimate()].
#' @param audited A data frame of the audited rows, with their labels.
#' @param by An audit of each combination of values: `~ week`, or names of columns of both tables.
#' @param audited_weights The number of rows that each audited row stands for; `~ w`. Only their ratios
#'   count. By default the column `audit_weight` of `audited`, if there is one, as [tc_draw_audit()]
#'   adds it.
#' @param label The audited rows' labels; by default the left side of the formula. If several people
#'   labelled, the columns of all: `~ anna + ben`, or their names. The label of a row is then the mean of
#'   its labels that are not NA.
#' @param positive The label of a positive; by default the model's.
#' @param margin With a model of external labels: the equivalence margin for them.
#'   They pass if the interval of the difference between both estimates lies within the margin, and
#'   fail if it lies outside. At least 20 audited rows are needed to pass. The table then has the
#'   columns `difference_lower`, `difference_upper`, `margin` and `verdict`.
#' @param weights Weights of the rows in both tables, such as `~ views`: the estimate is then the
#'   share of the views that are of positives.
#' @param cluster The clusters of the rows in both tables, such as `~ user`, if clusters were drawn.
#' @param stratum The strata of the rows in both tables, such as `~ region`, if rows were drawn from each
#'   stratum. Each stratum counts by its number of rows in `newdata`. If `audited` is a design of
#'   `survey::svydesign()`, its weights replace `audited_weights`; name its clusters and strata in `cluster` and
#'   `stratum`.
#' @param total Whether to add all groups together, each by its number of rows; `x$total` has the result.
#' @param audit_outside_test Whether `newdata` lacks the audited rows. By default it includes them.
#' @param level,target,misfit,na.action As in [tc_estimate()].
#' @param interval `"wilson"` or `"wald"`.
#' @return An object of class `tc_audit`: a row for each group and source of evidence. `recommended`
#'   says which to publish, and `x$why` gives the reasons. [coef()] and [confint()] read the
#'   recommended estimates, `tidy()` and `plot()` all of them. The columns are those of the command
#'   `truecount audit`. If several people labelled, `x$agreement` has their agreement with kappa, and
#'   `x$label_errors` the share of positives if their labels have errors.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' audit <- tc_audit(model, spam_pool, spam_audited)
#' audit
#' plot(audit)
#' # Without external labels
#' tc_audit(label ~ score, spam_pool, spam_audited)
#' @references Angelopoulos AN, Duchi JC, Zrnic T (2023). PPI++: efficient prediction-powered inference.
#'   arXiv:2311.01453.
#' @seealso [tc_plan_audit()] for the number of rows to audit, and [tc_draw_audit()] to draw them.
#' @export
tc_audit <- function(model, newdata, audited, by = NULL, audited_weights = NULL, label = NULL, positive = NULL,
                     margin = NULL, audit_outside_test = FALSE, level = 0.95, target = "sample", interval = "wilson",
                     misfit = "widen", na.action = stats::na.fail, weights = NULL, cluster = NULL,
                     stratum = NULL, total = FALSE) {
  arguments <- evaluate_arguments(newdata)
  by <- by_or_grouping(by, newdata)
  refuse_any_design(newdata, "newdata", "name its columns in weights, cluster and stratum")
  labels_only <- inherits(model, "formula")
  pointer <- if (!labels_only) rust_model(model)
  source <- if (labels_only) list(formula = model) else model
  design <- audited_design(audited, audited_weights, cluster, stratum)
  test <- test_columns(source, newdata, by, weights, na.action = na.action)
  if (is.null(positive)) positive <- source$positive
  rows <- audited_columns(
    source, design$data, by, design$weights, label, positive, test$groups, weights, na.action
  )
  units <- audit_units(list(clusters = cluster, strata = stratum), newdata, test$omitted, design$data, rows$omitted)
  locate <- function(error) {
    if (identical(error$fields$of, "audited")) locate_in("audited ", rows)(error) else locate_in("", test)(error)
  }
  request <- c(
    audit_interval_args(level, target, interval, misfit),
    request_options(list(audit_outside_test = audit_outside_test, total = total, margin = margin))
  )
  audited_rows <- c(rows$columns, units)
  audit <- unwrap(audit_scores(test$columns, audited_rows, request, thread_count(), pointer), locate)
  names <- if (is.null(test$groups)) "all" else group_names(test$groups)
  new_result(
    "tc_audit", audit, test$groups,
    why = stats::setNames(audit$why, names), agreement = agreement_table(audit$agreement, test$groups),
    label_errors = agreement_table(audit$label_errors, test$groups), call = match.call(), arguments = arguments,
    level = level
  )
}

# Returns the audited rows with their sampling weights, which may be those of a survey design.
audited_design <- function(audited, weights, cluster, stratum) {
  if (inherits(audited, "svyrep.design")) {
    abort(
      "design-not-supported", "options",
      "replicate weights of audited rows are not read: give a design of svydesign()", name = "audited"
    )
  }
  design <- sampling_design(audited, weights)
  for (name in c("cluster", "stratum")) {
    if (!is.null(design[[name]]) && is.null(list(cluster = cluster, stratum = stratum)[[name]])) {
      abort(
        "option-conflict", "options",
        sprintf("audited: the design has a %s; name its column, which newdata needs too, as in %s = ~id", name, name),
        name = name
      )
    }
  }
  design
}

# Returns the numbers of the clusters and strata of both tables.
audit_units <- function(specs, newdata, omitted, audited, audited_omitted) {
  units <- list()
  for (name in names(specs)[!vapply(specs, is.null, TRUE)]) {
    read <- function(data, left_out) {
      values <- omit(as.vector(read_column(specs[[name]], data, name)), left_out)
      if (anyNA(values)) abort("unit-missing", "scores", sprintf("%s: a value is missing", name), column = name)
      as.character(values)
    }
    target <- read(to_data_frame(newdata), omitted)
    drawn <- read(audited, audited_omitted)
    known <- unique(c(target, drawn))
    units[[paste0("target_", name)]] <- match(target, known)
    units[[name]] <- match(drawn, known)
  }
  units
}

# Returns a table of the agreement of people as a data frame, the total last; NULL for one person.
agreement_table <- function(values, groups) {
  if (is.null(values)) {
    return(NULL)
  }
  result <- new_result("tc_agreement", values, groups)
  total <- result$total
  if (is.null(total)) {
    return(result$table)
  }
  total[result$by] <- NA
  rbind(result$table, total[names(result$table)])
}

# Returns the columns of audited rows, with the group of each, and the rows that are left out.
audited_columns <- function(model, audited, by, audited_weights, label, positive, groups, weights, na.action) {
  if (is.null(label)) {
    if (length(model$formula) != 3) {
      abort(
        "option-invalid", "options",
        "the model file does not name the label column; add label = ~label", name = "label"
      )
    }
    labels <- list(eval_column(model$formula[[2]], audited, environment(model$formula), "label"))
  } else if (inherits(label, "formula") || (is.character(label) && all(label %in% names(audited)))) {
    labels <- group_columns(label, audited)
  } else {
    labels <- list(read_column(label, audited, "label"))
  }
  if (is.null(audited_weights) && "audit_weight" %in% names(audited)) {
    audited_weights <- audited$audit_weight
  }
  n <- length(labels[[1]])
  columns <- list(
    label = if (length(labels) == 1) labels[[1]], score = score_column(model$formula, audited, n),
    audited_weights = numeric_column(read_column(audited_weights, audited, "audited_weights"), "audited_weights", n),
    weights = numeric_column(read_column(weights, audited, "weights"), "weights", n)
  )
  omitted <- incomplete_rows(columns, na.action)
  columns <- lapply(columns, omit, omitted)
  labels <- lapply(labels, omit, omitted)
  keys <- if (!is.null(groups)) lapply(audited_group_columns(by, audited, n), omit, omitted)
  list(
    columns = list(
      scores = columns$score, labels = people_labels(labels, positive), weights = columns$audited_weights,
      item_weights = columns$weights,
      groups = if (!is.null(groups)) match_groups(keys, groups)
    ),
    omitted = omitted
  )
}

# Returns the labels of all people, one person after the other: 1 for a positive, NA for no label.
people_labels <- function(labels, positive) {
  values <- if (length(labels) == 1) labels[[1]] else unlist(lapply(labels, as.vector), use.names = FALSE)
  flags <- rep(NA_real_, length(values))
  is_known <- !is.na(values)
  flags[is_known] <- as.double(is_positive_audited(values[is_known], positive))
  flags
}

# Returns the grouping columns of the audited rows.
audited_group_columns <- function(by, audited, n) {
  if (!inherits(by, "formula") && !(is.character(by) && all(by %in% names(audited)))) {
    abort(
      "option-invalid", "options",
      "by: with an audit, it must be a formula or names of columns that both tables have", name = "by"
    )
  }
  lapply(group_columns(by, audited), check_length, "by", n)
}

# Returns the index of each row's group, or raises an error for a row of another group.
match_groups <- function(columns, groups) {
  index <- group_index(columns, groups$values)
  if (anyNA(index)) {
    name <- group_names(list(values = lapply(columns, `[`, which(is.na(index))[1])))
    abort(
      "audit-unused", "scores",
      sprintf(
        paste(
          "audited: there is a row of the group %s, which has no scores to be estimated; remove it, or add the",
          "group's scores"
        ),
        name
      ),
      group = name
    )
  }
  index
}

# Returns the index of each row's group among the groups with these values, or NA.
group_index <- function(columns, values) {
  known <- lapply(values, unique)
  scales <- cumprod(c(1, lengths(known)))[seq_along(known)]
  combine <- function(columns) {
    Reduce(`+`, Map(function(values, known, scale) (match(values, known) - 1) * scale, columns, known, scales))
  }
  match(combine(columns), combine(values), incomparables = NA)
}

# Returns the options of an audit's intervals, or raises an error for the bootstrap.
audit_interval_args <- function(level, target, interval, misfit = "widen") {
  if (identical(interval, "bootstrap")) {
    abort(
      "option-conflict", "options", "an audit has no bootstrap interval; use interval = \"wilson\" or \"wald\"",
      name = "interval"
    )
  }
  interval_args(level, target, interval, misfit)
}

# Keeps the recommended estimate of each group.
recommended <- function(x) {
  x$table <- x$table[x$table$recommended, setdiff(names(x$table), "source")]
  x
}

#' @rdname estimates
#' @export
coef.tc_audit <- function(object, ...) coef.tc_estimate(recommended(object))

#' @rdname estimates
#' @export
confint.tc_audit <- function(object, parm, level = object$level, ...) {
  check_unused(...)
  estimates <- recommended(at_level(object, level, tc_audit))
  interval_matrix(estimates, row_labels(estimates), parm)
}

#' @rdname estimates
#' @export
vcov.tc_audit <- function(object, ...) {
  table <- object$table[object$table$recommended, ]
  shares_rows <- any(table$source %in% c("external", "combined")) || !is.null(object$arguments$cluster)
  if (nrow(table) > 1 && shares_rows) {
    abort(
      "option-conflict", "options",
      "vcov: tc_audit() returns no covariances of groups that share labelled rows or clusters"
    )
  }
  names <- row_labels(recommended(object))
  structure(diag(table$se_widened^2, length(names)), dimnames = list(names, names))
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_audit <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  x <- at_level(x, conf.level, tc_audit)
  table <- x$table
  tidy_table(
    x, conf.int, term = "prevalence", source = table$source, estimate = table$prevalence, std.error = table$se_widened,
    conf.low = table$lower, conf.high = table$upper, recommended = table$recommended
  )
}

#' Audit predicted classes
#'
#' Estimates the shares of classes, such as the areas of a map, and the accuracy of their predictions. The audited items
#' are a stratified random sample; the strata are the predicted classes (Olofsson et al. 2014) or others (Stehman 2014).
#'
#' @param formula The columns of the label and of the predicted class: `label ~ prediction`.
#' @param audited A data frame of the audited items.
#' @param sizes The size of each predicted class, or of each stratum, in any unit: a vector with their names. Or a data
#'   frame of all items, which has the column of the predicted class or of the stratum.
#' @param stratum The strata of the audited items: `~ region` or the name of a column; by default the predicted classes.
#' @param count The number of audited items that each row stands for: `~ n` or the name of a column.
#' @param level The nominal coverage of the intervals.
#' @param target `"sample"` for the items that `sizes` counts, or `"population"` for the population that these were
#'   drawn from, which is the default if `sizes` is a vector.
#' @return An object of class `tc_class_audit`: a row for each share (`measure` is `"share"`), with its `size`, and for
#'   the overall, user's and producer's accuracy. The columns are those of the command `truecount audit --prediction`.
#' @references Olofsson P, Foody GM, Herold M, Stehman SV, Woodcock CE, Wulder MA (2014). Good practices for estimating
#'   area and assessing accuracy of land change. *Remote Sensing of Environment* 148, 42-57.
#'
#'   Stehman SV (2014). Estimating area and map accuracy for stratified random sampling when the strata are different
#'   from the map classes. *International Journal of Remote Sensing* 35, 4923-4939.
#' @seealso [tc_audit()] for scores.
#' @examples
#' sites <- data.frame(
#'   map = rep(c("loss", "forest"), each = 2), reference = rep(c("loss", "forest"), 2), n = c(66, 9, 1, 164)
#' )
#' tc_audit_classes(reference ~ map, sites, c(loss = 2000, forest = 32000), count = ~n)
#' @export
tc_audit_classes <- function(formula, audited, sizes, stratum = NULL, count = NULL, level = 0.95,
                             target = if (is.data.frame(sizes)) "sample" else "population") {
  check_option(formula, "formula", inherits(formula, "formula") && length(formula) == 3, "label ~ prediction")
  if (is.null(stratum)) stratum <- formula[-2]
  n <- nrow(audited)
  column <- function(name, value) {
    texts <- as_text(check_length(as.vector(value), name, n))
    missing <- paste0(name, ": a value is missing; leave its row out")
    if (anyNA(value)) abort("label-missing", "labels", missing, column = name)
    texts
  }
  labels <- column("label", eval_column(formula[[2]], audited, environment(formula), "label"))
  predictions <- column("prediction", eval_column(formula[[3]], audited, environment(formula), "prediction"))
  strata <- column("stratum", read_column(stratum, audited, "stratum"))
  counts <- if (is.null(count)) rep(1, n) else numeric_column(read_column(count, audited, "count"), "count", n)
  check_counts(counts, "count")
  if (is.data.frame(sizes)) {
    of_rows <- table(as_text(as.vector(read_column(stratum, sizes, "stratum"))))
    sizes <- stats::setNames(as.double(of_rows), names(of_rows))
  }
  unknown <- setdiff(strata, names(sizes))
  if (length(unknown) > 0) {
    abort("size-missing", "options", sprintf("sizes has no size of '%s'; add it", unknown[1]), name = "sizes")
  }
  classes <- unique(c(labels, predictions))
  numbers <- suppressWarnings(as.double(classes))
  classes <- classes[order(replace(numbers, is.na(numbers), Inf), classes, method = "radix")]
  columns <- list(
    classes = classes, names = names(sizes), sizes = as.double(sizes), n = counts, strata = match(strata, names(sizes)),
    labels = match(labels, classes), predictions = match(predictions, classes)
  )
  audit <- unwrap(audit_classes(columns, interval_args(level, target, "wilson", "widen")))
  new_result("tc_class_audit", audit, call = match.call(), level = level)
}
