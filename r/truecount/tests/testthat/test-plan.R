numbers <- c("unlabelled", "labelled", "positive", "negative", "se", "se_worst_prevalence", "half_width", "half_width_at", "level")

test_that("what is left out is found as the command finds it", {
  model <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
  same <- function(words, ...) {
    expected <- command(c("plan", "--train", "train.csv", "--method", "es,ac", words), train.csv = spam_train)
    found <- as.data.frame(tc_plan(model, ...))
    expect_identical(found[c("method", "split")], expected[c("method", "split")])
    expect_same_numbers(found, expected, numbers)
    expect_identical(found$goal_met, as.logical(expected$goal_met))
  }
  same(c("--half-width", "0.03"), half_width = 0.03)
  same(c("--se", "0.02", "--prevalence", "0.2", "--target", "population"), se = 0.02, prevalence = 0.2, target = "population")
  same(c("--se", "0.015", "--unlabelled", "2000", "--prevalence", "0.3"), se = 0.015, unlabelled = 2000, prevalence = 0.3)
  same(c("--half-width", "0.001", "--unlabelled", "100"), half_width = 0.001, unlabelled = 100)
  same(
    c("--half-width", "0.05", "--labelled", "300", "--level", "0.9", "--interval", "wald"),
    half_width = 0.05, labelled = 300, level = 0.9, interval = "wald"
  )
  same(c("--half-width", "0.05", "--labelled", "150,250"), half_width = 0.05, labelled = c(150, 250))
  same(c("--unlabelled", "1000", "--labelled", "400"), unlabelled = 1000, labelled = 400)
})

test_that("a plan keeps what it promises", {
  model <- tc_fit(label ~ score, spam_train)
  plan <- as.data.frame(tc_plan(model, half_width = 0.03, unlabelled = 2000, prevalence = 0.2))
  best <- plan[plan$split == "best", ]
  there <- as.data.frame(tc_plan(model, unlabelled = 2000, labelled = c(best$positive, best$negative), prevalence = 0.2))
  expect_equal(there$half_width, best$half_width)
  expect_lte(there$half_width, 0.03)
  fewer <- as.data.frame(tc_plan(model, unlabelled = 2000, labelled = best$labelled - 1, prevalence = 0.2))
  expect_gt(fewer$half_width[fewer$split == "best"], 0.03)
})

test_that("methods without a formula are left out, or refused where there is no other", {
  expect_warning(found <- tc_plan(label ~ score, spam_train, method = c("es", "cc"), se = 0.02), "^left out, .*planned for cc")
  expect_identical(unique(found$table$method), "es")
  expect_error(tc_plan(label ~ score, spam_train, method = "cc", se = 0.02), class = "truecount_plan_not_possible")
})

test_that("a small pilot is told of, and what the goal is", {
  small <- spam_train[c(which(spam_train$label == 1)[1:20], which(spam_train$label == 0)[1:100]), ]
  expect_output(print(tc_plan(label ~ score, small, se = 0.05)), "only 20 positive scores")
  plan <- tc_plan(label ~ score, spam_train, se = 0.001, unlabelled = 1000)
  expect_identical(plan$table$goal_met, c(FALSE, FALSE))
  expect_output(print(plan), "se at most 0.001 at the worst prevalence")
  expect_output(print(plan), "the goal cannot be met")
})

test_that("the sizes that reach the goal are drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plan <- tc_plan(label ~ score, spam_train, method = c("es", "ac"), se = 0.02)
  expect_identical(plot(plan), plan)
  expect_error(plot(tc_plan(label ~ score, spam_train, unlabelled = 100, labelled = 100)), class = "truecount_option_invalid")
})

test_that("what cannot be planned is refused", {
  model <- tc_fit(label ~ score, spam_train)
  expect_error(tc_plan(model), class = "truecount_option_invalid")
  expect_error(tc_plan(model, unlabelled = 100), class = "truecount_option_invalid")
  expect_error(tc_plan(model, se = 0.01, half_width = 0.02), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, unlabelled = 100, labelled = 100), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, interval = "bootstrap"), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, unlabelled = 1.5), class = "truecount_option_invalid")
  expect_error(tc_plan(model, se = 0.01, labelled = 1:3), class = "truecount_option_invalid")
  expect_error(tc_plan(model, se = -1), class = "truecount_options_error")
  expect_error(tc_plan(model, se = 0.01, prevalence = 2), class = "truecount_options_error")
  halves <- transform(spam_train, half = rep(c("a", "b"), length.out = nrow(spam_train)))
  strata <- tc_fit(label ~ score, halves, stratum = ~half)
  expect_error(tc_plan(strata, se = 0.01), class = "truecount_option_conflict")
  expect_error(tc_check(strata, spam_weeks), class = "truecount_option_conflict")
})
