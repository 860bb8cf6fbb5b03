four <- data.frame(score = c(2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4), label = rep(1:0, each = 4))

test_that("the default positive label is R's success", {
  expected <- coef(tc_estimate(tc_fit(label ~ score, four), 1:3))
  estimate_with <- function(labels, ...) {
    data <- data.frame(score = four$score, label = labels)
    coef(tc_estimate(tc_fit(label ~ score, data, ...), data.frame(score = 1:3)))
  }
  expect_identical(estimate_with(four$label == 1), expected)
  expect_identical(estimate_with(as.double(four$label)), expected)
  expect_identical(estimate_with(2 * four$label - 1), expected)
  expect_identical(estimate_with(factor(four$label, labels = c("ham", "spam"))), expected)
  texts <- c("ham", "spam")[four$label + 1]
  expect_identical(estimate_with(factor(texts, levels = c("spam", "ham")), positive = "spam"), expected)
  expect_identical(estimate_with(texts, positive = "spam"), expected)
  expect_identical(estimate_with(four$label + 1, positive = 2), expected)
  expect_identical(coef(tc_estimate(tc_fit(I(label == 1) ~ score, four), 1:3)), expected)
  expect_error(estimate_with(texts), class = "truecount_positive_unnamed")
  expect_error(estimate_with(four$label + 1), class = "truecount_positive_unnamed")
  expect_error(estimate_with(factor(four$label), positive = "spam"), class = "truecount_positive_unknown")
  expect_error(estimate_with(rep(1, 8)), class = "truecount_labels_not_two")
  expect_error(estimate_with(1:8), class = "truecount_labels_not_two")
})

test_that("expressions of both sides are evaluated in the data", {
  data <- transform(four, p = stats::plogis(score), type = ifelse(label == 1, "spam", "ham"))
  model <- tc_fit(type == "spam" ~ qlogis(p), data)
  expected <- coef(tc_estimate(tc_fit(label ~ score, four), 1:3))
  expect_equal(coef(tc_estimate(model, data.frame(p = stats::plogis(1:3)))), expected)
  expect_error(tc_estimate(model, data.frame(score = 1:3)), class = "truecount_column_unknown")
  expect_error(tc_fit(label ~ scores, four), "did you mean score?", class = "truecount_scores_error")
  expect_error(tc_fit(~score, four), class = "truecount_option_invalid")
})

test_that("NA is an error that names its row, or is left out and counted", {
  missing <- four
  missing$score[3] <- NA
  missing$label[6] <- NA
  error <- expect_error(tc_fit(label ~ score, missing), class = "truecount_value_missing")
  expect_identical(error$fields$row, 6L)
  expect_identical(error$fields$column, "label")
  left_out <- "left out: 2 of 8 rows, with NA in label, score"
  expect_message(model <- tc_fit(label ~ score, missing, na.action = na.omit), left_out, fixed = TRUE)
  expect_identical(model$omitted, c(3L, 6L))
  expect_identical(model$labelled, c(3L, 3L))
  expect_identical(coef(tc_estimate(model, 1:3)), coef(tc_estimate(tc_fit(label ~ score, four[-c(3, 6), ]), 1:3)))
  estimates <- tc_estimate(model, data.frame(score = c(1, NA, 3), by = c("a", "b", NA)), by = ~by, na.action = na.omit)
  expect_identical(as.data.frame(estimates)$by, c("a", NA))
})

test_that("an error about a value has the row as the caller counts it", {
  model <- tc_fit(label ~ score, four)
  error <- expect_error(tc_estimate(model, c(1, NaN)), class = "truecount_score_not_finite")
  expect_identical(error$fields$row, 2L)
  expect_match(conditionMessage(error), "score 2 is NaN", fixed = TRUE)
  error <- expect_error(
    tc_estimate(model, data.frame(score = c(1, NA, Inf)), na.action = na.omit),
    class = "truecount_score_not_finite"
  )
  expect_identical(error$fields$row, 3L)
  expect_match(conditionMessage(error), "score 3", fixed = TRUE)
  groups <- data.frame(score = c(1, 2, Inf, 4), g = c("b", "a", "b", "a"))
  error <- expect_error(tc_estimate(model, groups, by = ~g), class = "truecount_scores_error")
  expect_identical(error$fields[c("row", "group")], list(row = 3L, group = "b"))
  expect_error(tc_estimate(model, data.frame(score = c("1", "2"))), class = "truecount_column_invalid")
  expect_error(tc_estimate(model, data.frame(score = factor(1:2))), class = "truecount_column_invalid")
  expect_error(tc_estimate(model, data.frame(score = Sys.Date())), class = "truecount_column_invalid")
  expect_error(tc_estimate(model, numeric()), class = "truecount_error")
  expect_error(tc_estimate(model, four, by = list(g = 1:3)), class = "truecount_lengths_differ")
})

test_that("wrong options are errors with classes", {
  expect_error(tc_fit(label ~ score, four, method = "ess"), class = "truecount_options_error")
  expect_error(tc_fit(label ~ score, four, family = "gamma"), class = "truecount_options_error")
  model <- tc_fit(label ~ score, four)
  expect_error(tc_estimate(model, 1:3, level = 2), class = "truecount_options_error")
  expect_error(tc_estimate(model, 1:3, target = "people"), class = "truecount_options_error")
  expect_error(tc_estimate(model, 1:3, interval = "exact"), class = "truecount_options_error")
  expect_error(tc_estimate(model, four, cluster = ~label, interval = "bootstrap"), class = "truecount_option_conflict")
  expect_error(tc_estimate(four, 1:3))
  options(truecount.threads = "many")
  on.exit(options(truecount.threads = NULL))
  expect_error(tc_estimate(model, 1:3), class = "truecount_option_invalid")
  options(truecount.threads = NULL)
  sizes <- function(sizes) tc_estimate(model, four, by = ~label, standardise = sizes)
  expect_error(sizes(c(`0` = 1)), class = "truecount_size_missing")
  expect_error(sizes(c(`0` = 1, `1` = 2, `2` = 3)), class = "truecount_size_unused")
  expect_error(sizes(~score), class = "truecount_sizes_differ")
})

test_that("methods that the labelled scores do not allow are left out with a warning", {
  one <- data.frame(score = c(1, 1, 1, 0, 0, 0.5), label = rep(1:0, each = 3))
  expect_warning(model <- tc_fit(label ~ score, one, method = "all"), class = "truecount_class_variance_zero")
  expect_false("o-cs" %in% model$methods)
  expect_true("ac" %in% model$methods)
  expect_error(tc_fit(label ~ score, transform(four, label = 1 - label)), class = "truecount_labels_error")
})

test_that("a model has its fitted parameters", {
  parameters <- tc_fit(label ~ score, spam_train, method = c("ac", "o-cs"))$parameters
  expect_equal(parameters$positive$mean, mean(spam_train$score[spam_train$label == 1]))
  expect_equal(parameters$negative$sd, stats::sd(spam_train$score[spam_train$label == 0]))
  expect_equal(parameters$methods$ac$true_positive_rate, mean(spam_train$score[spam_train$label == 1] >= 0))
  expect_length(parameters$methods$`o-cs`$region[[1]], 2)
})

test_that("printing a model shows its fit", {
  model <- tc_fit(label ~ score, spam_train)
  expect_output(print(model), "fitted to 634 positive and 966 negative scores", fixed = TRUE)
  expect_output(print(tc_estimate(label ~ score, spam_weeks, labelled = spam_train)), "0.5184", fixed = TRUE)
})

test_that("a missing, wrong or unwritable model file is an error", {
  expect_error(tc_read_model(tempfile()), class = "truecount_file_not_found")
  file <- tempfile()
  writeLines("{}", file)
  expect_error(tc_read_model(file), class = "truecount_model_error")
  model <- tc_fit(label ~ score, four)
  expect_error(tc_write_model(model, file.path(tempfile(), "model.json")), class = "truecount_file_error")
})

test_that("columns come from the data, not from other variables with their names", {
  model <- tc_fit(label ~ score, four)
  score <- 1:5
  other <- data.frame(p = 1:3)
  expect_error(tc_estimate(model, other), class = "truecount_column_unknown")
  expect_error(tc_estimate(model, NULL), class = "truecount_column_invalid")
  expect_error(tc_estimate(model, data.frame()), class = "truecount_column_unknown")
  week <- c(1, 1, 2, 2, 3, 3, 4, 4)
  expect_error(tc_estimate(model, four, by = ~week), class = "truecount_column_unknown")
  shift <- 1
  moved <- tc_fit(label ~ I(score - shift), four)
  expect_equal(coef(tc_estimate(moved, four)), coef(tc_estimate(model, four)))
  expect_error(tc_fit(label ~ score + label, four), "is written I\\(score \\+ label\\)")
  expect_error(tc_estimate(model, cbind(1:3, 4:6)))
})

test_that("unknown arguments are errors", {
  model <- tc_fit(label ~ score, four)
  expect_error(tc_estimate(model, four, bye = ~label), "bye", class = "truecount_option_unknown")
  expect_error(
    tc_estimate(label ~ score, four, labelled = four, metod = "ac"), "metod", class = "truecount_option_unknown"
  )
  expect_error(tc_check(model, four, bye = ~label), class = "truecount_option_unknown")
  expect_error(tc_compare(model, four, by = ~label, other_by = ~label), class = "truecount_option_unknown")
  expect_error(tc_estimate(model, four, columns = "nef"), class = "truecount_choice_unknown")
  expect_error(tc_estimate(model, four, level = c(0.9, 0.95)), class = "truecount_option_invalid")
  expect_error(tc_estimate(model, four, standardise = c(a = 1)), class = "truecount_option_conflict")
  expect_error(tc_estimate(stats::lm(label ~ score, four), four), "predict", class = "truecount_option_invalid")
  expect_error(tc_estimate(model, transform(four, n = label), by = ~n), class = "truecount_column_twice")
})
