model <- tc_fit(label ~ score, spam_train)
days <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * (match(week, sort(unique(week))) - 1))

test_that("plots mark severities, name the total and move methods apart", {
  both <- suppressWarnings(tc_fit(label ~ score, spam_train, method = c("es", "o-cs")))
  estimates <- tc_estimate(both, days, by = ~day, total = TRUE)
  figure <- figure_of(estimates)
  expect_setequal(figure$layers[[1]]$severity, c("reliable", "caution", "unreliable"))
  offsets <- method_offsets(estimates$table, estimates$table$day)
  expect_identical(unique(sign(offsets)), c(-1, 1))
  expect_lt(max(abs(offsets)), 3.5)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(estimates), estimates)
  skip_if_not_installed("ggplot2")
  layers <- ggplot2::ggplot_build(ggplot2::autoplot(estimates))$data
  expect_identical(layers[[2]]$yintercept, estimates$total$prevalence[1])
  expect_setequal(layers[[1]]$shape, c(19, 1, 4))
  expect_identical(anyDuplicated(layers[[1]]$x), 0L)
})

test_that("every result has a figure in base graphics and in ggplot2", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  results <- list(
    tc_audit(model, spam_pool, spam_audited), tc_check(model, spam_weeks, by = ~week),
    tc_counts(positives = c(8, 12), tested = c(210, 189), sensitivity = "90/100", specificity = "97/100"),
    tc_compare(model, days[days$day < as.Date("2026-02-01"), ], by = ~day),
    tc_monitor(model, days, by = ~day, above = 0.8), tc_monitor(model, spam_weeks, by = ~week, above = 0.8),
    tc_plan(model, se = 0.02)
  )
  for (result in results) {
    expect_identical(plot(result), result)
    skip_if_not_installed("ggplot2")
    built <- ggplot2::ggplot_build(ggplot2::autoplot(result))
    figure <- figure_of(result)
    marks <- vapply(figure$layers, function(layer) length(layer$x), 0L)
    expect_identical(vapply(built$data[seq_along(marks)], nrow, 0L), marks)
    expect_identical(gsub("\n", " ", built$plot$labels$title, fixed = TRUE), figure$title)
  }
  audit <- ggplot2::ggplot_build(ggplot2::autoplot(results[[1]]))
  expect_identical(sum(audit$data[[1]]$colour != "grey60"), 1L)
})

test_that("of many groups the ends have names, and those that differ from the total a colour", {
  towns <- data.frame(score = spam_pool$score[1:1200], town = rep(sprintf("town %d", 1:60), 20))
  estimates <- tc_estimate(model, towns, by = ~town, total = TRUE)
  figure <- figure_of(estimates)
  expect_identical(names(figure$rows), estimates$town[order(-estimates$prevalence)][c(1:5, 56:60)])
  total <- estimates$total$prevalence
  includes <- figure$layers[[1]]$severity == "interval includes the total"
  expect_identical(includes, is.na(estimates$severity) & estimates$lower <= total & total <= estimates$upper)
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
