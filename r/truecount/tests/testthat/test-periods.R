test_that("periods agree with the command", {
  rows <- spam_weeks[1:3000, ]
  rows$time <- format(as.POSIXct("2026-01-01", tz = "UTC") + 3600 * seq_len(3000), "%Y-%m-%d %H:%M")
  model <- tc_fit(label ~ score, spam_train)
  for (every in c("week", "month")) {
    expected <- command(
      c("estimate", "--train", "train.csv", "--test", "rows.csv", "--by", "time", "--every", every),
      train.csv = spam_train, rows.csv = rows
    )
    actual <- as.data.frame(tc_estimate(model, rows, by = list(time = tc_periods(rows$time, every))))
    expect_equal(actual$time, as.character(expected$time))
    expect_same_numbers(actual, expected)
  }
})

test_that("dates of every class have periods", {
  expect_identical(tc_periods(c("1/2/2026", NA, "13/2/2026"), "month"), c("2026-02", NA, "2026-02"))
  expect_identical(tc_periods(as.Date(c("2027-01-03", NA)), "week"), c("2026-W53", NA))
  expect_identical(tc_periods(as.POSIXct("2026-01-31 00:30", tz = "Asia/Tokyo"), "hour"), "2026-01-31 00:00")
  expect_identical(tc_periods("2026-01-31T23:30Z", "day", zone = "Europe/Berlin"), "2026-02-01")
  expect_identical(tc_periods(as.POSIXct("2026-02-01 08:30", tz = "Asia/Tokyo"), "day", "Europe/Berlin"), "2026-02-01")
  expect_error(tc_periods("2026-01-31T23:30Z", "day", zone = "Berlin"), class = "truecount_error")
  expect_identical(tc_periods(factor("2026-05-01"), "quarter"), "2026-Q2")
  expect_error(tc_periods("1/2/2026", "month"), class = "truecount_error")
  expect_error(tc_periods("2026-01-31", "decade"), class = "truecount_error")
})
