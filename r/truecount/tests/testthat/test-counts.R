test_that("an example of Lang and Reiczigel has the digits of asht", {
  found <- tc_counts(4060, 11284, "178/179", c(358, 359))
  # prevSeSp of asht 1.0.1 in R 4.2.2.
  expect_close(found$conf.int, c(0.348673545667138, 0.372082954561085))
  expect_close(found$table$raw, 0.360030184924523)
  expect_identical(attr(found$conf.int, "conf.level"), 0.95)
})

test_that("herds have the numbers of epiR", {
  herds <- data.frame(herd = c("c", "b", "a"), ill = c(7, 12, 8), n = c(124, 189, 210), se = c(0.7, 0.65, 0.6), sp = c(0.99, 0.95, 0.9))
  found <- tc_counts(~ill, ~n, ~se, ~sp, data = herds, by = ~herd, interval = "exact-rates")
  table <- as.data.frame(found)
  expect_identical(table$herd, c("a", "b", "c"))
  # epi.prev of epiR 2.0.57.
  expect_close(table$raw, c(-0.1238095238095238, 0.0224867724867724, 0.0673211781206170))
  expect_close(table$upper[-1], c(0.0961418801527987, 0.1477507023131125))
  expect_identical(found$warnings$code, "rates-contradicted")
  expect_identical(found$warnings$row, 1L)
  expect_false(inherits(found, "htest"))
})

test_that("one row is an htest, and prints its warnings too", {
  found <- tc_counts(2, 9, "8/9", 0.9)
  expect_s3_class(found, c("tc_counts", "htest", "tc_result"), exact = TRUE)
  expect_identical(unname(found$estimate), found$table$prevalence)
  expect_null(found$p.value)
  expect_output(print(found), "95 percent confidence interval")
  expect_output(print(found), "few-labelled")
})

test_that("another level is computed anew", {
  found <- tc_counts(35, 800, 0.9, 0.97)
  expect_identical(unname(confint(found, level = 0.9)[1, ]), as.vector(tc_counts(35, 800, 0.9, 0.97, level = 0.9)$conf.int))
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(found)$std.error, found$table$se)
})

test_that("all forms of a rate are one", {
  values <- function(...) as.data.frame(tc_counts(35, 800, ..., specificity = 0.97))
  expect_identical(values("90/100"), values(c(90, 100)))
  expect_identical(values("90/100"), values(0.9, sensitivity_of = 100))
  expect_identical(values("90%"), values(0.9))
  table <- data.frame(rate = factor(c("90/100", "80/100")))
  expect_identical(tc_counts(c(35, 36), 800, ~rate, 0.97, data = table)$table$sensitivity_of, c(100, 100))
  expect_identical(tc_counts(35, 800, c(1, 1), 0.97)$table$sensitivity, c(1, 1))
})

test_that("errors name the column and the row of the caller", {
  refused <- function(...) tryCatch(tc_counts(...), truecount_error = identity)
  wrong <- refused(c(1, NA, 2.5), 300, 0.9, 0.97, na.action = stats::na.omit)
  expect_identical(wrong$fields[c("column", "row")], list(column = "positives", row = 3L))
  wrong <- refused(c(8, 500), 300, 0.9, 0.97, by = c("b", "a"))
  expect_identical(wrong$fields$row, 2L)
  expect_s3_class(refused(c(8, 7), 300, c("9/10", "?"), 0.97), "truecount_rate_not_readable")
  expect_s3_class(refused(1, 300, "9/10", 0.97, sensitivity_of = 10), "truecount_denominator_twice")
  expect_s3_class(refused(c(1, 2), 300, 0.9, 0.97, by = c("a", "a")), "truecount_group_twice")
  expect_s3_class(refused(c(1, NA), 300, 0.9, 0.97), "truecount_value_missing")
  expect_s3_class(refused(1, 300, 0.9, 0.97, target = "sample"), "truecount_interval_of_population")
  expect_s3_class(refused(numeric(), numeric(), 0.9, 0.97), "truecount_no_rows")
})

test_that("counts are those of the command", {
  herds <- data.frame(herd = c("a", "b", "c"), positives = c(8, 12, 7), tested = c(210, 189, 124), sensitivity = c("9/10", "40/50", "0.7"))
  for (interval in c("lang-reiczigel", "wilson", "exact-rates")) {
    expected <- command(
      "counts", "--table", csv_file(herds), "--by", "herd", "--specificity", "0.97", "--specificity-of", "300", "--interval", interval,
      "--level", "0.9"
    )
    found <- tc_counts(
      ~positives, ~tested, ~sensitivity, 0.97, specificity_of = 300, data = herds, by = ~herd, interval = interval, level = 0.9
    )
    for (column in c("prevalence", "raw", "se", "lower", "upper")) {
      expect_close(found$table[[column]], expected[[column]])
    }
  }
})
