model <- tc_fit(label ~ score, spam_train)
days <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * (match(week, sort(unique(week))) - 1))

test_that("plots mark severities, name the total and move methods apart", {
  both <- suppressWarnings(tc_fit(label ~ score, spam_train, method = c("es", "o-cs")))
  estimates <- tc_estimate(both, days, by = ~day, total = TRUE)
  severity <- marked_severity(estimates$table)
  expect_identical(levels(droplevels(severity)), c("reliable", "caution", "unreliable"))
  offsets <- method_offsets(estimates$table, estimates$table$day)
  expect_identical(unique(sign(offsets)), c(-1, 1))
  expect_lt(max(abs(offsets)), 3.5)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(estimates), estimates)
  skip_if_not_installed("ggplot2")
  layers <- ggplot2::ggplot_build(ggplot2::autoplot(estimates))$data
  expect_identical(layers[[1]]$yintercept, estimates$total$prevalence)
  expect_setequal(layers[[2]]$shape, c(19, 1, 4))
  expect_identical(anyDuplicated(layers[[2]]$x), 0L)
  audit <- tc_audit(model, spam_pool, spam_audited)
  expect_identical(plot(audit), audit)
  expect_identical(sum(ggplot2::ggplot_build(ggplot2::autoplot(audit))$data[[1]]$alpha == 1), 1L)
})

test_that("a summary of few groups has each of them, of many their quantiles", {
  weeks <- spam_weeks[spam_weeks$week <= "2026-W03", ]
  expect_output(print(summary(tc_estimate(model, weeks, by = ~week))), "2026-W02 +644")
  expect_output(print(summary(tc_estimate(model, spam_weeks, by = ~week))), "Median")
})

test_that("tables are plain where the locale has no other characters", {
  estimates <- tc_estimate(model, c(1, 2))
  old <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", old))
  skip_if(!nzchar(suppressWarnings(Sys.setlocale("LC_CTYPE", "C"))))
  lines <- utils::capture.output(print(estimates))
  expect_false(any(grepl("[^ -~]", lines)))
  expect_match(lines[3], "0.1092 - 1.0000", fixed = TRUE)
})
