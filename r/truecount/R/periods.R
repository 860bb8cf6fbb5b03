#' Replace dates by periods
#'
#' Returns the hour, day, week, month, quarter or year of each date, for instance to group by week.
#'
#' @param dates Dates, times, or texts such as 2026-01-31, with a time or without, 31.1.2026, or
#'   31/1/2026 or 1/31/2026 if a date shows whether the day comes first. A missing date stays
#'   missing.
#' @param every `"hour"`, `"day"`, `"week"`, `"month"`, `"quarter"` or `"year"`. A week begins on
#'   Monday.
#' @param zone Time zone of the hours and days, such as `"Europe/Berlin"`, to which times are converted
#'   first; a text without an offset is UTC. By default hours and days are taken as written.
#' @return Texts such as 2026-01-31 12:00, 2026-01-31, 2026-W05, 2026-01, 2026-Q1 and 2026.
#' @seealso [tc_monitor()] and [tc_estimate()], whose groups may be periods.
#' @examples
#' tc_periods(c("2026-01-31 12:30", "2026-02-01", NA), "week")
#' visits <- data.frame(day = as.Date("2026-01-01") + 0:1199 %/% 10, score = spam_weeks$score[1:1200])
#' tc_estimate(label ~ score, visits, labelled = spam_train, by = list(month = tc_periods(visits$day, "month")))
#' @export
tc_periods <- function(dates, every, zone = NULL) {
  distinct <- unique(dates[!is.na(dates)])
  if (!is.null(zone) && inherits(distinct, "POSIXt")) attr(distinct, "tzone") <- "UTC"
  texts <- if (inherits(distinct, "POSIXt")) format(distinct, "%Y-%m-%d %H:%M:%S") else as.character(distinct)
  unwrap(periods_of_dates(texts, every, if (is.null(zone)) "" else zone))[match(dates, distinct)]
}
