#' Prevalence from an imperfect classifier's scores
#'
#' A classifier makes mistakes, so counting its positives gives a biased prevalence, and the bias
#' depends on the prevalence itself. truecount corrects it: from the scores of a small labelled
#' sample and of unlabelled data it estimates the *prevalence*, with a standard error.
#'
#' * [tc_fit()] fits a model to labelled scores.
#' * [tc_estimate()] estimates the prevalence of unlabelled scores, in all or by group.
#' * [tc_check()] tests the assumption behind the estimates.
#' * [tc_compare()] compares groups, samples, methods or classifiers.
#' * [tc_monitor()] watches a prevalence over time and raises alarms.
#' * [tc_plan()] plans the numbers of scores for a precision.
#' * [tc_audit()] combines the scores with labels of rows of the target.
#' * [tc_counts()] corrects counts by a published sensitivity and specificity.
#' * [tc_evaluate()] measures errors on samples whose prevalence is known.
#' * [tc_report()] writes a page for readers without statistics.
#' * [tc_sql()] writes a query of estimates or counts for a database.
#' * [tc_tally()] summarises scores in a few numbers that can be added up.
#'
#' The numbers are those of the command `truecount` and of the Python package.
#'
#' A call uses all cores, or the number of threads in `options(truecount.threads = )`, and at most
#' `OMP_THREAD_LIMIT` threads. Results do not depend on the number. Calls can be interrupted, and no
#' thread outlives a call.
#' @useDynLib truecount, .registration = TRUE
#' @keywords internal
"_PACKAGE"
