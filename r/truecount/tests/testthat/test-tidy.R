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

test_that("every result has rows, a tidy table and one row about it", {
  estimates <- tc_estimate(model, weeks, by = ~week, total = TRUE)
  results <- list(
    estimates, tc_audit(model, spam_pool, spam_audited), tc_counts(35, 800, 0.9, 0.97),
    tc_compare(model, weeks, by = ~week), tc_monitor(model, weeks, by = ~week, above = 0.5), tc_plan(model, se = 0.02),
    tc_plan_audit(model, spam_pool["score"], half_width = 0.02), tc_check(model, weeks, by = ~week),
    tc_evaluate(model, spam_pool, samples = 20, seed = 1)
  )
  for (result in results) {
    table <- as.data.frame(result)
    expect_identical(result[1, ], table[1, ])
    expect_identical(head(result, 2), utils::head(table, 2))
    expect_identical(tail(result, 1), utils::tail(table, 1))
    expect_identical(nrow(generics::tidy(result)), nrow(result$table) + NROW(result$total))
    expect_identical(nrow(generics::glance(result)), 1L)
    if (!inherits(result, c("tc_estimate", "tc_counts", "tc_audit"))) {
      expect_error(vcov(result), "returns no covariances", class = "truecount_option_conflict")
    }
  }
  limit <- 0.5
  expect_identical(subset(estimates, prevalence > limit, "week")$week, c("2026-W02", "2026-W03"))
})

test_that("augment adds the estimate of its group to each row", {
  estimates <- tc_estimate(model, weeks, by = ~week)
  augmented <- generics::augment(estimates)
  expect_identical(augmented$score, weeks$score)
  expect_identical(augmented$.prevalence, estimates$prevalence[match(weeks$week, estimates$week)])
  other <- data.frame(week = c("2026-W03", "new"))
  expect_identical(generics::augment(estimates, other)$.lower, c(estimates$lower[3], NA))
  of_vector <- tc_estimate(model, weeks, by = list(week = weeks$week))
  expect_error(generics::augment(of_vector, weeks[1:5, ]), class = "truecount_lengths_differ")
  expect_identical(generics::augment(tc_estimate(model, 1:3))$.upper, rep(tc_estimate(model, 1:3)$upper, 3))
  several <- tc_estimate(label ~ score, weeks, labelled = spam_train, method = c("es", "ac"))
  expect_error(
    generics::augment(several), "augment: the estimates must be by one method, not by es, ac",
    class = "truecount_option_conflict"
  )
})

test_that("corrected counts that share a study of the rates have covariances", {
  herds <- data.frame(herd = c("a", "b", "c"), ill = c(42, 60, 25), n = c(210, 189, 90))
  covariances <- vcov(tc_counts(~ill, ~n, "80/100", "291/300", data = herds, by = ~herd))
  youden <- 0.8 + 0.97 - 1
  prevalence <- (herds$ill / herds$n + 0.97 - 1) / youden
  # The delta method: the estimate's derivatives are -p / J and (1 - p) / J. Unbiased variances of one test in
  # each class, and the variance of the share of ill ones, are those of the tests themselves.
  ill <- 0.8 * 0.2 * 100 / 99
  healthy <- 0.97 * 0.03 * 300 / 299
  shared <- ill / 100 * outer(prevalence, prevalence) + healthy / 300 * outer(1 - prevalence, 1 - prevalence)
  own <- prevalence * ill + (1 - prevalence) * healthy + prevalence * (1 - prevalence) * youden^2
  expect_close(covariances, (shared + diag(own / herds$n)) / youden^2)
  expect_identical(dimnames(covariances), list(herds$herd, herds$herd))
  regions <- transform(herds, region = c("x", "y", "y"), herd = c("a", "a", "b"))
  by_region <- vcov(tc_counts(~ill, ~n, "80/100", "291/300", data = regions, by = ~ region + herd))
  expect_equal(by_region, covariances, ignore_attr = TRUE)
})

test_that("audits of groups by their own labels are independent", {
  shops <- transform(spam_pool, shop = rep(c("a", "b", "c"), length.out = nrow(spam_pool)))
  drawn <- shops[seq(1, nrow(shops), by = 10), ]
  audit <- tc_audit(label ~ score, shops, drawn, by = ~shop)
  expect_equal(vcov(audit), diag(audit$table$se_widened[audit$table$recommended]^2), ignore_attr = TRUE)
  combined <- tc_audit(model, shops, drawn, by = ~shop)
  expect_true("combined" %in% combined$source[combined$recommended])
  expect_error(vcov(combined), "returns no covariances", fixed = TRUE)
})

test_that("a result is printed with fewer digits", {
  estimates <- tc_estimate(model, weeks, by = ~week)
  lines <- utils::capture.output(print(estimates, digits = 2))
  expect_match(lines[3], "^2026-W01 +814 +0.35 +0.33 – 0.38 +288 ")
  monitored <- tc_monitor(model, weeks, by = ~week, above = 0.5)
  expect_false(any(grepl("[.][0-9]{2}", utils::capture.output(print(monitored, digits = 1))[1:5])))
  evaluation <- tc_evaluate(model, spam_pool, samples = 20, seed = 1)
  expect_false(any(grepl("0[.][1-9][0-9]{3}", utils::capture.output(print(evaluation, digits = 2))[1:3])))
})
