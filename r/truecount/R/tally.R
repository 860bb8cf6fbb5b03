#' Tally scores
#'
#' A tally summarises unlabelled scores in a few numbers for each group, from which estimates are
#' computed as from the scores themselves. Tallies of parts, such as one a day, are added with `c()` or
#' `+`, so that old scores need not be kept.
#'
#' @param model A model of [tc_fit()].
#' @param newdata,by,weights,na.action As in [tc_estimate()].
#' @param x,e1,e2,... Tallies by the same model.
#' @return An object of class `tc_tally`, which [saveRDS()] saves, and which `tc_estimate()` reads in
#'   place of a model and its data. `c()` adds tallies, group by group. (The command and Python have
#'   tally files of their own.)
#' @seealso [tc_estimate()]
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' spring <- tc_tally(model, spam_weeks[1:6000, ], by = ~week)
#' summer <- tc_tally(model, spam_weeks[6001:13646, ], by = ~week)
#' tc_estimate(c(spring, summer), total = TRUE)
#' @export
tc_tally <- function(model, newdata, by = NULL, weights = NULL, na.action = stats::na.fail) {
  evaluate_arguments(newdata)
  refuse_any_design(newdata, "newdata", "a tally has no clusters and strata")
  rust <- unstratified_model(model, "tc_tally()")
  test <- test_columns(model, newdata, by_or_grouping(by, newdata), weights, na.action = na.action)
  states <- unwrap(tally_groups(rust, test$columns, thread_count()), locate_in("", test))
  new_tally(model, states, test$groups$values, length(test$columns$scores))
}

new_tally <- function(model, states, values, n) {
  structure(list(model = model, states = states, values = values, n = n), class = "tc_tally")
}

#' @rdname tc_tally
#' @export
c.tc_tally <- function(...) {
  tallies <- list(...)
  first <- tallies[[1]]
  for (tally in tallies) {
    if (!inherits(tally, "tc_tally") || !identical(tally$model$text, first$model$text)) {
      abort("tally-model-mismatch", "tally", "only tallies by the same model can be added")
    }
    if (!identical(names(tally$values), names(first$values))) {
      abort("option-conflict", "tally", "the tallies have different grouping columns")
    }
  }
  states <- unlist(lapply(tallies, `[[`, "states"))
  values <- do.call(Map, c(list(c), lapply(tallies, `[[`, "values")))
  groups <- if (length(values) > 0) number_groups(values, length(states))
  index <- if (is.null(groups)) rep(1L, length(states)) else groups$index
  order <- order(index)
  states <- unwrap(merge_tallies(rust_model(first$model), states[order], index[order]))
  new_tally(first$model, states, groups$values, sum(vapply(tallies, `[[`, 0, "n")))
}

#' @rdname tc_tally
#' @export
`+.tc_tally` <- function(e1, e2) c.tc_tally(e1, e2)

#' @rdname tc_tally
#' @export
print.tc_tally <- function(x, ...) {
  groups <- if (length(x$values) > 0) sprintf(" in %d groups", length(x$states)) else ""
  cat(sprintf("Tally of %.0f scores%s, by %s\n", x$n, groups, paste(x$model$methods, collapse = ", ")))
  invisible(x)
}

#' @rdname tc_estimate
#' @export
tc_estimate.tc_tally <- function(model, newdata, level = 0.95, target = "sample", interval = "wilson",
                                 misfit = "widen", total = FALSE, standardise = NULL, columns = NULL,
                                 publish = NULL, check = TRUE, ...) {
  check_unused(...)
  if (!missing(newdata)) {
    abort(
      "option-conflict", "options",
      "newdata: a tally has its own scores; add new ones with c(tally, tc_tally(model, newdata))", name = "newdata"
    )
  }
  arguments <- list(
    model = model, level = level, target = target, interval = interval, misfit = misfit, total = total,
    standardise = standardise, columns = columns, publish = publish, check = check
  )
  groups <- if (length(model$values) > 0) number_groups(model$values, length(model$states))
  options <- c("level", "target", "interval", "misfit", "total", "columns", "publish", "check")
  request <- request_options(arguments[options])
  request$total <- request$total && !is.null(groups)
  request$standard_sizes <- group_sizes(standardise, "standardise", NULL, groups, NULL)
  estimates <- unwrap(estimate_tallies(rust_model(model$model), model$states, request, thread_count()))
  new_result(
    "tc_estimate", estimates, groups,
    model = model$model, call = generic_call(match.call(), "tc_estimate"), arguments = arguments, level = level,
    pointer = estimates$estimates
  )
}
