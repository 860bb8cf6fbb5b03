#' Prevalence from an imperfect classifier's scores
#'
#' A classifier makes mistakes, so counting what it calls positive gives the wrong answer, by an amount that changes with the answer itself.
#' truecount takes the scores of a small labelled sample and those of the unlabelled data and returns the *prevalence*, with a standard
#' error.
#'
#' [tc_fit()] learns from labelled scores, [tc_estimate()] estimates the prevalence of unlabelled ones, in all or by group, [tc_check()]
#' says whether that may be done at all, [tc_compare()] how far groups are apart, [tc_plan()] how many scores a precision needs,
#' [tc_audit()] what labels inside the target say, [tc_counts()] what counts with a published sensitivity and specificity do, and
#' [tc_evaluate()] how far estimates are off on samples whose prevalence is known. The numbers are those of the command `truecount` and of
#' the Python package.
#'
#' Work is shared by all cores, or as many threads as `options(truecount.threads = )` says, at most `OMP_THREAD_LIMIT`; results do not
#' depend on it. It can be interrupted, and no thread outlives a call.
#' @useDynLib truecount, .registration = TRUE
#' @keywords internal
"_PACKAGE"
