# The functions of broom and dplyr.

model <- tc_fit(label ~ score, spam_train)
weeks <- spam_weeks[spam_weeks$week <= "2026-W03", ]

test_that("tidy has the total, other levels, and no interval on request", {
  estimates <- tc_estimate(model, weeks, by = ~week, total = TRUE)
  tidied <- generics::tidy(estimates)
  expect_identical(tidied$week, c("2026-W01", "2026-W02", "2026-W03", NA))
  expect_identical(tidied$term, c(rep("prevalence", 3), "total"))
  expect_identical(tidied$estimate, c(estimates$table$prevalence, estimates$total$prevalence))
  expect_identical(tidied$n[4], nrow(weeks))
  expect_false(any(c("conf.low", "conf.high") %in% names(generics::tidy(estimates, conf.int = FALSE))))
  differences <- tc_compare(model, weeks, by = ~week)
  expect_false("conf.low" %in% names(generics::tidy(differences, conf.int = FALSE)))
  expect_identical(
    generics::tidy(differences, conf.level = 0.8)$conf.low, unname(confint(differences, level = 0.8)[, 1])
  )
  herds <- data.frame(herd = c("a", "b"), ill = c(12, 30), n = c(210, 189))
  counts <- tc_counts(~ill, ~n, 0.8, 0.97, sensitivity_of = 100, data = herds, by = ~herd, total = TRUE)
  expect_identical(generics::tidy(counts)$term, c("prevalence", "prevalence", "total"))
  expect_close(generics::tidy(counts)$apparent, c(12 / 210, 30 / 189, 42 / 399))
})

test_that("tidy and glance read models and differences", {
  fitted <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
  tidied <- generics::tidy(fitted)
  rates <- tidied[tidied$method == "ac" & tidied$term == "true_positive_rate", ]
  expect_equal(rates$estimate, mean(spam_train$score[spam_train$label == 1] >= 0))
  expect_identical(generics::glance(fitted)$nobs, nrow(spam_train))
  file <- tempfile(fileext = ".json")
  tc_write_model(fitted, file)
  expect_identical(generics::glance(tc_read_model(file))$methods, "es, ac")
  differences <- tc_compare(model, weeks, by = ~week)
  expect_identical(generics::glance(differences)$adj.p.value, min(differences$table$p_value_holm))
})

test_that("groups of dplyr are those of the estimates", {
  skip_if_not_installed("dplyr")
  grouped <- dplyr::group_by(weeks, week)
  by_week <- tc_estimate(model, weeks, by = ~week)
  expect_identical(tc_estimate(model, grouped)$table, by_week$table)
  expect_identical(tc_estimate(grouped, model)$table, by_week$table)
  expect_identical(confint(tc_estimate(model, grouped), level = 0.8), confint(by_week, level = 0.8))
  expect_identical(tc_check(model, grouped)$table, tc_check(model, weeks, by = ~week)$table)
  expect_identical(tc_compare(model, grouped)$table, tc_compare(model, weeks, by = ~week)$table)
  expect_identical(tc_estimate(model, grouped, by = ~week)$table, by_week$table)
  expect_error(tc_estimate(model, grouped, by = ~ score > 0), "ungroup()", fixed = TRUE)
  expect_error(tc_fit(label ~ score, dplyr::group_by(spam_train, label)), "ungroup()", fixed = TRUE)
})
