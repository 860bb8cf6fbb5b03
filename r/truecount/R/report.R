#' Write a report
#'
#' Writes one HTML page about an estimate for readers without statistics: the answer in a sentence, the
#' groups, the check of the assumption, and how the numbers were computed. The page needs no other
#' files.
#'
#' @param model A model of [tc_fit()]; the report is about its first method.
#' @param newdata,by,weights,level,target,interval,misfit,na.action As in [tc_estimate()], without the
#'   bootstrap.
#' @param file The path of the page.
#' @param items The name of the rows in sentences, in the plural.
#' @param positive_name The name of the positives, as in `"spam"`.
#' @return The path, invisibly.
#' @seealso [tc_estimate()] for the numbers.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' file <- tempfile(fileext = ".html")
#' tc_report(model, spam_weeks, file, by = ~week, items = "messages", positive_name = "spam")
#' @export
tc_report <- function(model, newdata, file, by = NULL, weights = NULL, items = "items", positive_name = "positive",
                      level = 0.95, target = "sample", interval = "wilson", misfit = "widen",
                      na.action = stats::na.fail) {
  evaluate_arguments(newdata)
  refuse_any_design(newdata, "newdata", "a report has no clusters and strata")
  rust <- unstratified_model(model, "tc_report()")
  test <- test_columns(model, newdata, by_or_grouping(by, newdata), weights, na.action = na.action)
  request <- c(
    interval_args(level, target, interval, misfit),
    if (!is.null(test$groups)) group_texts(test$groups), list(items = items, positive_name = positive_name)
  )
  page <- unwrap(report_page(rust, test$columns, request, thread_count()), locate_in("", test))
  write_file(page, file)
  invisible(file)
}
