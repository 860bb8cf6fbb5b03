numbers <- c(
  "unlabelled", "labelled", "positive", "negative", "se", "se_worst_prevalence", "half_width",
  "half_width_worst_prevalence", "level", "low", "high", "power", "periods", "false_alarm"
)

test_that("plans agree with the command", {
  model <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
  expect_same_plan <- function(words, ...) {
    expected <- command(c("plan", "--train", "train.csv", "--method", "es,ac", words), train.csv = spam_train)
    plan <- as.data.frame(tc_plan(model, ...))
    expect_identical(plan[c("method", "split")], expected[c("method", "split")])
    expect_same_numbers(plan, expected, numbers)
    expect_identical(plan$goal_met, as.logical(expected$goal_met))
  }
  expect_same_plan(c("--half-width", "0.03"), half_width = 0.03)
  expect_same_plan(
    c("--se", "0.02", "--prevalence", "0.2", "--target", "population"),
    se = 0.02, prevalence = 0.2, target = "population"
  )
  expect_same_plan(
    c("--se", "0.015", "--unlabelled", "2000", "--prevalence", "0.3"),
    se = 0.015, unlabelled = 2000, prevalence = 0.3
  )
  expect_same_plan(
    c("--se", "0.02", "--unlabelled", "2000", "--assurance", "0.8"), se = 0.02, unlabelled = 2000, assurance = 0.8
  )
  expect_same_plan(c("--half-width", "0.001", "--unlabelled", "100"), half_width = 0.001, unlabelled = 100)
  expect_same_plan(
    c("--half-width", "0.05", "--labelled", "300", "--level", "0.9", "--interval", "wald"),
    half_width = 0.05, labelled = 300, level = 0.9, interval = "wald"
  )
  expect_same_plan(c("--half-width", "0.05", "--labelled", "150,250"), half_width = 0.05, labelled = c(150, 250))
  expect_same_plan(c("--unlabelled", "1000", "--labelled", "400"), unlabelled = 1000, labelled = 400)
  expect_same_plan(c("--difference", "0.05", "--prevalence", "0.2"), difference = 0.05, prevalence = 0.2)
  expect_same_plan(
    c("--above", "0.1", "--prevalence", "0.2", "--unlabelled", "100"), above = 0.1, prevalence = 0.2, unlabelled = 100
  )
  tests <- tc_plan(sensitivity = 0.9, specificity = c(95, 100), prevalence = 0.2, half_width = 0.08)
  expect_identical(as.data.frame(tests)[c("method", "negative")], data.frame(method = "rogan-gladen", negative = 100))
})

test_that("a planned size reaches the goal, and a smaller one does not", {
  model <- tc_fit(label ~ score, spam_train)
  plan <- as.data.frame(tc_plan(model, half_width = 0.03, unlabelled = 2000, prevalence = 0.2))
  best <- plan[plan$split == "best", ]
  sizes <- c(best$positive, best$negative)
  planned <- as.data.frame(tc_plan(model, unlabelled = 2000, labelled = sizes, prevalence = 0.2))
  expect_equal(planned$half_width, best$half_width)
  expect_lte(planned$half_width, 0.03)
  fewer <- as.data.frame(tc_plan(model, unlabelled = 2000, labelled = best$labelled - 1, prevalence = 0.2))
  expect_gt(fewer$half_width[fewer$split == "best"], 0.03)
})

test_that("methods without a formula are left out, or an error if there is no other", {
  expect_warning(
    plan <- tc_plan(label ~ score, spam_train, method = c("es", "cc"), se = 0.02), "^left out, .*planned for cc"
  )
  expect_identical(unique(plan$table$method), "es")
  expect_error(tc_plan(label ~ score, spam_train, method = "cc", se = 0.02), class = "truecount_plan_not_possible")
})

test_that("printing a plan shows its goal, and a note about a small pilot", {
  small <- spam_train[c(which(spam_train$label == 1)[1:20], which(spam_train$label == 0)[1:100]), ]
  expect_output(print(tc_plan(label ~ score, small, se = 0.05)), "only 20 positive scores")
  plan <- tc_plan(label ~ score, spam_train, se = 0.001, unlabelled = 1000)
  expect_identical(plan$table$goal_met, c(FALSE, FALSE))
  expect_output(print(plan), "se at most 0.001 at the worst prevalence")
  expect_output(print(plan), "the goal cannot be met")
})

test_that("a plan with a goal can be plotted", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plan <- tc_plan(label ~ score, spam_train, method = c("es", "ac"), se = 0.02)
  expect_identical(plot(plan), plan)
  without_goal <- tc_plan(label ~ score, spam_train, unlabelled = 100, labelled = 100)
  expect_error(plot(without_goal), class = "truecount_option_invalid")
})

test_that("impossible plans are errors", {
  model <- tc_fit(label ~ score, spam_train)
  expect_error(tc_plan(model), class = "truecount_option_conflict")
  expect_error(tc_plan(model, unlabelled = 100), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, half_width = 0.02), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, unlabelled = 100, labelled = 100), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, interval = "bootstrap"), class = "truecount_option_conflict")
  expect_error(tc_plan(model, se = 0.01, unlabelled = 1.5), class = "truecount_option_invalid")
  expect_error(tc_plan(model, se = 0.01, labelled = 1:3), class = "truecount_option_invalid")
  expect_error(tc_plan(model, se = -1), class = "truecount_options_error")
  expect_error(tc_plan(model, se = 0.01, prevalence = 2), class = "truecount_options_error")
  halves <- transform(spam_train, half = rep(c("a", "b"), length.out = nrow(spam_train)))
  strata <- tc_fit(label ~ score, halves, model_stratum = ~half)
  expect_error(tc_plan(strata, se = 0.01), class = "truecount_option_conflict")
  expect_error(tc_check(strata, spam_weeks), class = "truecount_option_conflict")
})
