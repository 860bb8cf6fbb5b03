model <- tc_fit(label ~ score, spam_train)
days <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * (match(week, sort(unique(week))) - 1))

test_that("a monitored series agrees with the command", {
  series <- tc_monitor(model, spam_weeks, by = ~week, above = 0.85, baseline = c("2026-W01", "2026-W04"))
  # The command's status is 3 after an alarm.
  expected <- suppressWarnings(command(
    c(
      "monitor", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--above", "85%", "--baseline",
      "2026-W01..2026-W04"
    ),
    train.csv = spam_train, weeks.csv = spam_weeks
  ))
  table <- as.data.frame(series)
  expect_identical(table$week, expected$week)
  numbers <- c(
    "n", "prevalence", "lower", "upper", "change", "change_p", "from_baseline", "smoothed", "smoothed_lower",
    "running_mean", "running_mean_upper", "e_value"
  )
  expect_same_numbers(table, expected, numbers)
  expect_identical(table$alarm, as.logical(expected$alarm))
  expect_identical(series$alarm_at, "2026-W07")
  expect_identical(series$baseline, c("2026-W01", "2026-W04"))
  expect_match(series$conclusion, "alarm: above 85 % since 2026-W07", fixed = TRUE)
  expect_output(print(series), "raised at 2026-W07", fixed = TRUE)
})

test_that("periods keep their class, and the line agrees with the texts", {
  by_day <- tc_monitor(label ~ score, days, labelled = spam_train, by = ~day, above = 0.85)
  expect_identical(by_day$alarm_at, as.Date("2026-02-16"))
  by_week <- tc_monitor(model, spam_weeks, by = ~week, above = 0.85)
  expect_equal(by_day$table$e_value, by_week$table$e_value)
  expect_identical(generics::tidy(by_day)$day, by_day$table$day)
  clustered <- transform(days, house = rep(1:500, length.out = nrow(days)))
  expect_false(identical(
    tc_monitor(model, clustered, by = ~day, cluster = ~house, target = "population")$table$se, by_day$table$se
  ))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(by_day), by_day)
  expect_identical(plot(by_week), by_week)
})

test_that("monitoring without periods or with two bounds is refused", {
  expect_error(tc_monitor(model, spam_weeks), "by = ~week", fixed = TRUE)
  expect_error(tc_monitor(model, days, by = ~ week + day), "one column", fixed = TRUE)
  expect_error(tc_monitor(model, days, by = ~ score > 0), class = "truecount_groups_not_dates")
  expect_error(tc_monitor(model, days, by = ~week, above = 0.1, below = 0.2), "not both", fixed = TRUE)
  two <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
  expect_error(tc_monitor(two, days, by = ~week), "one method", fixed = TRUE)
})

test_that("the query is that of the command", {
  program <- Sys.getenv("TRUECOUNT_COMMAND")
  skip_if(program == "")
  file <- tempfile(fileext = ".json")
  tc_write_model(model, file)
  words <- c("sql", "--model", file, "--table", "mails", "--by", "week", "--dialect", "spark")
  expected <- system2(program, words, stdout = TRUE, stderr = FALSE)
  query <- tc_sql(model, "mails", by = ~week, dialect = "spark")
  expect_identical(strsplit(query, "\n", fixed = TRUE)[[1]], expected)
  expect_error(tc_sql(model, "mails", dialect = "oracle"), class = "truecount_choice_unknown")
  expect_match(tc_sql(model, c("main", "mails"), counts = TRUE, weights = "w"), "\"main\".\"mails\"", fixed = TRUE)
})
