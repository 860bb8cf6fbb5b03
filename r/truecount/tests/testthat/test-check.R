test_that("the command finds the same", {
  spam_train$fold <- rep(1:4, length.out = nrow(spam_train))
  wanted <- command(
    c("check", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--contamination", "2%", "--fold", "fold"),
    train.csv = spam_train, weeks.csv = spam_weeks
  )
  of <- function(table) wanted[wanted$table == table, ]
  found <- tc_check(label ~ score, spam_weeks, labelled = spam_train, by = ~week, contamination = 0.02, fold = ~fold, families = TRUE)
  shift <- of("shift")
  expect_identical(found$table[c("week", "verdict", "too_many")], shift[c("week", "verdict", "too_many")], ignore_attr = TRUE)
  columns <- c("n", "statistic", "p_value", "p_value_holm", "unexplained", "prevalence", "share", "se")
  expect_same_numbers(found$table, shift, columns)
  ends <- transform(shift, from = ifelse(is.na(from), -Inf, from), to = ifelse(is.na(to), Inf, to))
  expect_same_numbers(found$table, ends, c("from", "to"))
  expect_identical(found$supposed$table$class, of("suppose")$class)
  expect_same_numbers(found$supposed$table, of("suppose"), c("supposed", "down", "up", "typical"))
  expect_identical(found$families$table$family, of("families")$family)
  expect_same_numbers(found$families$table, of("families"), c("n", "statistic", "p_value"))
  expect_same_numbers(as.data.frame(found$folds), of("folds"), c("statistic", "p_value"))
})

test_that("p-values of families are drawn as the command draws them", {
  wanted <- command(c("check", "--train", "train.csv", "--resamples", "99", "--seed", "7"), train.csv = spam_train)
  found <- tc_check(label ~ score, labelled = spam_train, resamples = 99, seed = 7)
  expect_identical(found$families$table$p_value, wanted$p_value)
})

test_that("a model is checked by its labelled scores and its transform", {
  model <- tc_fit(label ~ score, spam_train, transform = "rank", rates = "family", family = "normal")
  rows <- tc_check(label ~ score, spam_weeks, labelled = spam_train, families = TRUE, transform = "rank")
  found <- tc_check(model, spam_weeks, families = TRUE)
  expect_identical(found$table, rows$table)
  expect_identical(found$families$table, rows$families$table)
  expect_identical(tc_check(model)$families$table, rows$families$table)
})

test_that("scores of another kind are no mixture, and it is said where", {
  found <- tc_check(label ~ score, rep(c(-0.5, 0.5), 100), labelled = spam_train)
  expect_identical(found$table$verdict, "rejected")
  expect_lte(found$table$from, -0.5)
  expect_output(print(found), "no mixture of the labelled classes")
  expect_null(found$families)
})

test_that("a row left out is told as the caller counts", {
  scores <- c(NA, spam_weeks$score[1:200])
  expect_error(tc_check(label ~ score, scores, labelled = spam_train), class = "truecount_value_missing")
  kept <- tc_check(label ~ score, scores, labelled = spam_train, na.action = na.omit)
  expect_identical(kept$table, tc_check(label ~ score, scores[-1], labelled = spam_train)$table)
  scores[5] <- NaN
  refused <- expect_error(
    tc_check(label ~ score, scores, labelled = spam_train, na.action = na.omit),
    class = "truecount_score_not_finite"
  )
  expect_equal(refused$fields$row, 5)
})

test_that("what does not go together is refused", {
  model <- tc_fit(label ~ score, spam_train)
  expect_error(tc_check(model, fold = ~fold), class = "truecount_option_conflict")
  expect_error(tc_check(model, contamination = 0.1), class = "truecount_option_conflict")
  expect_error(tc_check(model, spam_weeks, contamination = 2), class = "truecount_options_error")
  expect_error(tc_check(model, resamples = 98), class = "truecount_option_invalid")
  spam_train$fold <- "all"
  expect_error(tc_check(label ~ score, labelled = spam_train, fold = ~fold), class = "truecount_folds_not_comparable")
  expect_error(tc_check(label ~ score, 1:3, labelled = spam_train[1:12, ]), class = "truecount_labels_error")
})

test_that("groups keep their class, are tidied and drawn", {
  weeks <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * as.integer(factor(week)))
  found <- tc_check(label ~ score, weeks, labelled = spam_train, by = ~day)
  expect_s3_class(found$table$day, "Date")
  expect_length(found$curves, nrow(found$table))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  expect_error(plot(found, row = 25), class = "truecount_option_invalid")
  expect_error(plot(tc_check(label ~ score, labelled = spam_train)), class = "truecount_option_invalid")
  skip_if_not_installed("generics")
  tidied <- generics::tidy(found)
  expect_identical(tidied$adj.p.value, found$table$p_value_holm)
  expect_identical(tidied$day, found$table$day)
})
