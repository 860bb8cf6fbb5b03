test_that("a check agrees with the command", {
  spam_train$fold <- rep(1:4, length.out = nrow(spam_train))
  expected <- command(
    c(
      "check", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--contamination", "2%",
      "--fold", "fold"
    ),
    train.csv = spam_train, weeks.csv = spam_weeks
  )
  expected_table <- function(table) expected[expected$table == table, ]
  check <- tc_check(
    label ~ score, spam_weeks,
    labelled = spam_train, by = ~week, contamination = 0.02, fold = ~fold, families = TRUE
  )
  shift <- expected_table("shift")
  columns <- c("week", "verdict", "too_many")
  expect_identical(check$table[columns], shift[columns], ignore_attr = TRUE)
  columns <- c("n", "statistic", "p_value", "p_value_holm", "unexplained", "prevalence", "share", "se")
  expect_same_numbers(check$table, shift, columns)
  ends <- transform(shift, from = ifelse(is.na(from), -Inf, from), to = ifelse(is.na(to), Inf, to))
  expect_same_numbers(check$table, ends, c("from", "to"))
  expect_identical(check$contamination$table$class, expected_table("suppose")$class)
  expect_same_numbers(check$contamination$table, expected_table("suppose"), c("supposed", "down", "up", "typical"))
  expect_identical(check$families$table$family, expected_table("families")$family)
  expect_same_numbers(check$families$table, expected_table("families"), c("n", "statistic", "p_value"))
  expect_same_numbers(as.data.frame(check$folds), expected_table("folds"), c("statistic", "p_value"))
})

test_that("resampled p-values of families agree with the command", {
  expected <- command(c("check", "--train", "train.csv", "--resamples", "99", "--seed", "7"), train.csv = spam_train)
  check <- tc_check(label ~ score, labelled = spam_train, resamples = 99, seed = 7)
  expect_identical(check$families$table$p_value, expected$p_value)
})

test_that("the check of a model uses its labelled scores and its transform", {
  model <- tc_fit(label ~ score, spam_train, transform = "rank", rates = "family", family = "normal")
  rows <- tc_check(label ~ score, spam_weeks, labelled = spam_train, families = TRUE, transform = "rank")
  check <- tc_check(model, spam_weeks, families = TRUE)
  expect_identical(check$table, rows$table)
  expect_identical(check$families$table, rows$families$table)
  expect_identical(tc_check(model)$families$table, rows$families$table)
})

test_that("scores that are no mixture are rejected, with the range of the excess", {
  check <- tc_check(label ~ score, rep(c(-0.5, 0.5), 100), labelled = spam_train)
  expect_identical(check$table$verdict, "rejected")
  expect_lte(check$table$from, -0.5)
  expect_output(print(check), "do not fit any mix of the labelled classes")
  expect_null(check$families)
})

test_that("an error counts rows as the caller does", {
  scores <- c(NA, spam_weeks$score[1:200])
  expect_error(tc_check(label ~ score, scores, labelled = spam_train), class = "truecount_value_missing")
  without_na <- tc_check(label ~ score, scores, labelled = spam_train, na.action = na.omit)
  expect_identical(without_na$table, tc_check(label ~ score, scores[-1], labelled = spam_train)$table)
  scores[5] <- NaN
  error <- expect_error(
    tc_check(label ~ score, scores, labelled = spam_train, na.action = na.omit),
    class = "truecount_score_not_finite"
  )
  expect_equal(error$fields$row, 5)
})

test_that("conflicting options are errors", {
  model <- tc_fit(label ~ score, spam_train)
  expect_error(tc_check(model, fold = ~fold), class = "truecount_option_conflict")
  expect_error(tc_check(model, contamination = 0.1), class = "truecount_option_conflict")
  expect_error(tc_check(model, spam_weeks, contamination = 2), class = "truecount_options_error")
  expect_error(tc_check(model, resamples = 98), class = "truecount_option_invalid")
  spam_train$fold <- "all"
  expect_error(tc_check(label ~ score, labelled = spam_train, fold = ~fold), class = "truecount_folds_not_comparable")
  expect_error(tc_check(label ~ score, 1:3, labelled = spam_train[1:12, ]), class = "truecount_labels_error")
})

test_that("groups keep their class in tables, tidy and plot", {
  weeks <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * as.integer(factor(week)))
  check <- tc_check(label ~ score, weeks, labelled = spam_train, by = ~day)
  expect_s3_class(check$table$day, "Date")
  expect_length(check$curves, nrow(check$table))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(check), check)
  expect_error(plot(check, row = 25), class = "truecount_option_invalid")
  expect_error(plot(tc_check(label ~ score, labelled = spam_train)), class = "truecount_option_invalid")
  skip_if_not_installed("generics")
  tidied <- generics::tidy(check)
  expect_identical(tidied$adj.p.value, check$table$p_value_holm)
  expect_identical(tidied$day, check$table$day)
})
