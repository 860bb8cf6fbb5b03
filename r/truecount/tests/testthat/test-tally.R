model <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
# A tally of es and ac does not count the scores above the cutoff.
uncounted <- function(table) transform(table, apparent = NA_real_)

test_that("estimates from added tallies are those of all rows", {
  rows <- seq_len(nrow(spam_weeks)) %% 3
  parts <- lapply(0:2, function(part) tc_tally(model, spam_weeks[rows == part, ], by = ~week))
  expected <- tc_estimate(model, spam_weeks, by = ~week, total = TRUE)
  estimates <- tc_estimate(do.call(c, parts), total = TRUE)
  expect_equal(estimates$table, uncounted(expected$table))
  expect_equal(estimates$total, uncounted(expected$total))
  expect_equal(confint(estimates, level = 0.8), confint(expected, level = 0.8))
  expect_equal(tc_estimate(parts[[1]] + parts[[2]] + parts[[3]], total = TRUE)$table, uncounted(expected$table))
  expect_error(parts[[1]] + 1, class = "truecount_tally_model_mismatch")
  one_method <- tc_fit(label ~ score, spam_train)
  expect_equal(
    vcov(tc_estimate(tc_tally(one_method, spam_weeks, by = ~week))),
    vcov(tc_estimate(one_method, spam_weeks, by = ~week))
  )
  file <- tempfile(fileext = ".rds")
  saveRDS(parts[[1]], file)
  expect_equal(tc_estimate(readRDS(file))$table, tc_estimate(parts[[1]])$table)
  expect_output(print(parts[[1]]), "in 24 groups, by es, ac")
})

test_that("weights and single groups are tallied, and other models are refused", {
  weighted <- transform(spam_weeks, w = rep(1:2, length.out = nrow(spam_weeks)))
  halves <- list(weighted[1:5000, ], weighted[5001:nrow(weighted), ])
  tally <- do.call(c, lapply(halves, function(rows) tc_tally(model, rows, weights = ~w)))
  expected <- tc_estimate(model, weighted, weights = ~w, target = "sample")
  expect_equal(tc_estimate(tally)$table, uncounted(expected$table))
  other <- tc_tally(tc_fit(label ~ score, spam_train), spam_weeks, by = ~week)
  by_week <- tc_tally(model, spam_weeks, by = ~week)
  expect_error(c(by_week, other), class = "truecount_tally_model_mismatch")
  expect_error(c(by_week, tc_tally(model, spam_weeks)), "different grouping columns", fixed = TRUE)
})

test_that("a report is written", {
  file <- tempfile(fileext = ".html")
  expect_identical(
    tc_report(model, spam_weeks, file, by = ~week, items = "messages", positive_name = "spam"), file
  )
  page <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  prevalence <- coef(tc_estimate(tc_fit(label ~ score, spam_train), spam_weeks))
  expect_match(page, sprintf("%.1f", 100 * prevalence), fixed = TRUE)
  expect_match(page, "2026-W04", fixed = TRUE)
  expect_match(page, "messages", fixed = TRUE)
})

test_that("a tally has no new rows", {
  tally <- tc_tally(model, spam_weeks)
  expect_error(tc_estimate(tally, spam_weeks), "add new ones with c")
})
