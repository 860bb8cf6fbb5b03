test_that("an example of Lang and Reiczigel agrees with asht", {
  counts <- tc_counts(4060, 11284, "178/179", c(358, 359))
  # prevSeSp of asht 1.0.1 in R 4.2.2.
  expect_close(counts$conf.int, c(0.348673545667138, 0.372082954561085))
  expect_close(counts$table$raw, 0.360030184924523)
  expect_identical(attr(counts$conf.int, "conf.level"), 0.95)
})

test_that("estimates of herds agree with epiR", {
  herds <- data.frame(
    herd = c("c", "b", "a"), ill = c(7, 12, 8), n = c(124, 189, 210), se = c(0.7, 0.65, 0.6), sp = c(0.99, 0.95, 0.9)
  )
  counts <- tc_counts(~ill, ~n, ~se, ~sp, data = herds, by = ~herd, interval = "exact-rates")
  table <- as.data.frame(counts)
  expect_identical(table$herd, c("a", "b", "c"))
  # epi.prev of epiR 2.0.57.
  expect_close(table$raw, c(-0.1238095238095238, 0.0224867724867724, 0.0673211781206170))
  expect_close(table$upper[-1], c(0.0961418801527987, 0.1477507023131125))
  expect_identical(counts$warnings$code, "rates-contradicted")
  expect_identical(counts$warnings$row, 1L)
  expect_false(inherits(counts, "htest"))
})

test_that("a result of one row is an htest, and prints its warnings too", {
  counts <- tc_counts(2, 9, "8/9", 0.9)
  expect_s3_class(counts, c("tc_counts", "htest", "tc_result"), exact = TRUE)
  expect_identical(unname(counts$estimate), counts$table$prevalence)
  expect_null(counts$p.value)
  expect_output(print(counts), "95 percent confidence interval")
  expect_output(print(counts), "few-labelled")
})

test_that("confint computes another level anew", {
  counts <- tc_counts(35, 800, 0.9, 0.97)
  other_level <- tc_counts(35, 800, 0.9, 0.97, level = 0.9)
  expect_identical(unname(confint(counts, level = 0.9)[1, ]), as.vector(other_level$conf.int))
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(counts)$std.error, counts$table$se)
})

test_that("all forms of a rate give the same result", {
  with_sensitivity <- function(...) as.data.frame(tc_counts(35, 800, ..., specificity = 0.97))
  expect_identical(with_sensitivity("90/100"), with_sensitivity(c(90, 100)))
  expect_identical(with_sensitivity("90/100"), with_sensitivity(0.9, sensitivity_of = 100))
  expect_identical(with_sensitivity("90%"), with_sensitivity(0.9))
  table <- data.frame(rate = factor(c("90/100", "80/100")))
  expect_identical(tc_counts(c(35, 36), 800, ~rate, 0.97, data = table)$table$sensitivity_of, c(100, 100))
  expect_identical(tc_counts(35, 800, c(1, 1), 0.97)$table$sensitivity, c(1, 1))
})

test_that("errors name the caller's column and row", {
  counts_error <- function(...) tryCatch(tc_counts(...), truecount_error = identity)
  error <- counts_error(c(1, NA, 2.5), 300, 0.9, 0.97, na.action = stats::na.omit)
  expect_identical(error$fields[c("column", "row")], list(column = "positives", row = 3L))
  error <- counts_error(c(8, 500), 300, 0.9, 0.97, by = c("b", "a"))
  expect_identical(error$fields$row, 2L)
  expect_s3_class(counts_error(c(8, 7), 300, c("9/10", "?"), 0.97), "truecount_rate_not_readable")
  expect_s3_class(counts_error(1, 300, "9/10", 0.97, sensitivity_of = 10), "truecount_denominator_twice")
  expect_s3_class(counts_error(c(1, 2), 300, 0.9, 0.97, by = c("a", "a")), "truecount_group_twice")
  expect_s3_class(counts_error(c(1, NA), 300, 0.9, 0.97), "truecount_value_missing")
  expect_s3_class(counts_error(1, 300, 0.9, 0.97, target = "sample"), "truecount_interval_of_population")
  expect_s3_class(counts_error(numeric(), numeric(), 0.9, 0.97), "truecount_no_rows")
})

test_that("counts agree with the command", {
  herds <- data.frame(
    herd = c("a", "b", "c"), positives = c(8, 12, 7), tested = c(210, 189, 124),
    sensitivity = c("9/10", "40/50", "0.7")
  )
  for (interval in c("lang-reiczigel", "wilson", "exact-rates")) {
    expected <- command(
      "counts", "--table", csv_file(herds), "--by", "herd", "--specificity", "0.97", "--specificity-of", "300",
      "--interval", interval, "--level", "0.9"
    )
    counts <- tc_counts(
      ~positives, ~tested, ~sensitivity, 0.97,
      specificity_of = 300, data = herds, by = ~herd, interval = interval, level = 0.9
    )
    for (column in c("prevalence", "raw", "se", "lower", "upper")) {
      expect_close(counts$table[[column]], expected[[column]])
    }
  }
})

test_that("totals and differences agree with the command", {
  herds <- data.frame(
    herd = c("b", "a", "c"), positives = c(12, 8, 7), tested = c(189, 210, 124),
    sensitivity = c("40/50", "9/10", "35/50")
  )
  numbers <- c("difference", "se", "lower", "upper", "ratio", "p_value", "p_value_holm", "correlation", "level")
  for (specificity in c("291/300", "0.97")) {
    words <- c("counts", "--table", csv_file(herds), "--by", "herd", "--specificity", specificity, "--level", "0.9")
    counts <- tc_counts(
      ~positives, ~tested, ~sensitivity, specificity,
      data = herds, by = ~herd, level = 0.9, total = TRUE
    )
    expected <- command(c(words, "--total"))
    expect_same_numbers(counts$total, expected[4, ], c("n", "prevalence", "raw", "se", "lower", "upper"))
    for (reference in list(NULL, "previous", "all", "b")) {
      # The flat output has the groups first, then the differences.
      expected <- command(c(words, "--compare", reference))
      expected <- expected[!is.na(expected$difference), ]
      differences <- tc_compare(counts, reference)
      expect_identical(as.character(differences$table$herd), as.character(expected$herd))
      expect_identical(as.character(differences$table$reference), as.character(expected$reference))
      expect_same_numbers(differences$table, expected, numbers)
    }
  }
  expect_output(print(counts), "total")
  wider <- tc_compare(counts, level = 0.99)
  expect_identical(confint(tc_compare(counts), level = 0.99), confint(wider))
})

test_that("comparisons of counts need groups", {
  compare_error <- function(counts, ...) tryCatch(tc_compare(counts, ...), truecount_error = identity)
  expect_s3_class(compare_error(tc_counts(35, 800, 0.9, 0.97)), "truecount_option_conflict")
  herds <- tc_counts(c(8, 12), c(210, 189), 0.9, 0.97, by = c("a", "b"))
  expect_s3_class(compare_error(herds, "rest"), "truecount_option_conflict")
  expect_s3_class(compare_error(herds, "c"), "truecount_group_unknown")
  total_error <- tryCatch(tc_counts(c(8, 12), c(210, 189), 0.9, 0.97, total = TRUE), truecount_error = identity)
  expect_s3_class(total_error, "truecount_option_conflict")
})
