numbers <- c(
  "prevalence", "prevalence_reference", "difference", "se", "lower", "upper", "ratio", "ratio_lower", "ratio_upper",
  "p_value", "p_value_holm", "correlation", "level"
)

# Expects the same groups, references, methods and numbers.
expect_same_differences <- function(differences, expected) {
  table <- as.data.frame(differences)
  expect_equal(as.character(table$reference), as.character(expected$reference))
  expect_equal(table$method, expected$method)
  for (name in differences$by) expect_equal(as.character(table[[name]]), as.character(expected[[name]]))
  expect_same_numbers(table, expected, numbers)
}

spam_command <- function(words) {
  command(
    c("compare", "--train", "train.csv", "--test", "weeks.csv", words),
    train.csv = spam_train, weeks.csv = spam_weeks
  )
}

test_that("comparisons of groups agree with the command", {
  model <- tc_fit(label ~ score, spam_train)
  expect_same_differences(tc_compare(model, spam_weeks, by = ~week), spam_command(c("--by", "week")))
  for (reference in c("previous", "total", "rest", "all", "2026-W03")) {
    expected <- spam_command(c("--by", "week", "--reference", reference))
    expect_same_differences(tc_compare(model, spam_weeks, by = ~week, reference = reference), expected)
  }
  other <- tc_compare(
    model, spam_weeks,
    by = "week", level = 0.9, target = "population", interval = "wald", misfit = "warn"
  )
  options <- c("--level", "0.9", "--target", "population", "--interval", "wald", "--misfit", "warn")
  expected <- spam_command(c("--by", "week", options))
  expect_same_differences(other, expected)
})

test_that("levels, sizes, weights, clusters and strata agree with the command", {
  set.seed(1)
  items <- function(n, share) {
    label <- stats::rbinom(n, 1, share)
    data.frame(
      label = label, score = round(stats::rnorm(n, label), 6), site = sample(c("n", "s"), n, TRUE),
      month = sample(1:3, n, TRUE), w = round(stats::runif(n, 1, 3), 3), house = sample(200, n, TRUE)
    )
  }
  train <- items(600, 0.4)
  test <- items(1500, 0.3)
  test$size <- 100 * test$month
  test$house_in_month <- paste(test$month, test$house)
  test_command <- function(words) {
    command(
      c("compare", "--train", "train.csv", "--test", "test.csv", words),
      train.csv = train, test.csv = test
    )
  }
  model <- tc_fit(label ~ score, train, method = c("es", "ac"))
  methods <- c("--method", "es,ac")
  expect_same_differences(
    tc_compare(model, test, by = ~ site + month, reference = 2),
    test_command(c(methods, "--by", "site,month", "--reference", "2"))
  )
  expect_same_differences(
    tc_compare(model, test, by = ~ site + month, reference = "total", weights = ~w),
    test_command(c(methods, "--by", "site,month", "--reference", "total", "--weight", "w"))
  )
  expect_same_differences(
    tc_compare(model, test, by = ~month, reference = "rest", standardise = ~size),
    test_command(c(methods, "--by", "month", "--reference", "rest", "--standardise", "size"))
  )
  compare_clusters <- function(cluster) {
    tc_compare(model, test, by = ~month, reference = "total", cluster = cluster, target = "population")
  }
  # Houses have rows in several months.
  for (cluster in c("house_in_month", "house")) {
    design <- c("--cluster", cluster, "--target", "population")
    expect_same_differences(
      compare_clusters(stats::reformulate(cluster)),
      test_command(c(methods, "--by", "month", "--reference", "total", design))
    )
  }
  expect_same_differences(
    tc_compare(tc_fit(label ~ score, train, model_stratum = ~site), test, by = ~month, reference = "all"),
    test_command(c("--by", "month", "--reference", "all", "--model-stratum", "site"))
  )
  # The default reference of two groups is the other group.
  expect_same_differences(tc_compare(tc_fit(label ~ score, train), test, by = ~site), test_command(c("--by", "site")))
})

test_that("comparisons of methods, samples and classifiers agree with the command", {
  set.seed(2)
  train <- transform(spam_train, old = round(score + stats::rnorm(length(score)), 6))
  weeks <- transform(spam_weeks, old = round(score + stats::rnorm(length(score)), 6))
  early <- weeks$week <= "2026-W12"
  spam_command <- function(words) {
    command(
      c("compare", "--train", "train.csv", words),
      train.csv = train, weeks.csv = weeks, early.csv = weeks[early, ], late.csv = weeks[!early, ],
      other.csv = train[1:800, ]
    )
  }
  several <- tc_fit(label ~ score, train, method = c("es", "ac", "pacc"))
  methods <- tc_compare(several, weeks, by = ~week)
  # With several methods, groups are compared only if `reference` is given.
  by_week <- c("--test", "weeks.csv", "--method", "es,ac,pacc", "--by", "week")
  expected <- spam_command(c(by_week, "--reference", "previous"))
  expect_same_differences(tc_compare(several, weeks, by = ~week, reference = "previous"), expected)
  expect_same_differences(methods, spam_command(by_week))
  model <- tc_fit(label ~ score, train)
  samples <- tc_compare(model, weeks[early, ], other = weeks[!early, ])
  expected <- spam_command(c("--test", "early.csv", "--other-test", "late.csv"))
  expect_same_numbers(as.data.frame(samples), expected, numbers)
  classifiers <- tc_compare(label ~ score, weeks, by = ~week, other_model = label ~ old, labelled = train)
  expected <- spam_command(c("--test", "weeks.csv", "--by", "week", "--other-score", "old"))
  expect_same_numbers(as.data.frame(classifiers), expected, numbers)
  second <- tc_fit(label ~ score, train[1:800, ])
  both <- tc_compare(
    model, weeks[early, ],
    other = weeks[!early, ], other_model = second, paired = FALSE, same = FALSE
  )
  expected <- spam_command(c("--test", "early.csv", "--other-test", "late.csv", "--other-train", "other.csv"))
  expect_same_numbers(as.data.frame(both), expected, numbers)
  paired <- tc_compare(model, weeks, other_model = tc_fit(label ~ old, train), paired = TRUE)
  by_formula <- tc_compare(label ~ score, weeks, other_model = label ~ old, labelled = train)
  expect_identical(paired$table$se, by_formula$table$se)
})

test_that("a ratio has no upper end if the reference may be 0, and a note says so", {
  low <- sort(spam_train$score[spam_train$label == 0])[1:150]
  weeks <- rbind(data.frame(week = "a", score = spam_weeks$score[1:300]), data.frame(week = "b", score = low))
  differences <- tc_compare(label ~ score, weeks, by = ~week, reference = "b", labelled = spam_train)
  expect_identical(differences$table$ratio_upper, Inf)
  expect_output(print(differences), "may be 0, so the ratio")
  expected <- command(
    c("compare", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--reference", "b"),
    train.csv = spam_train, weeks.csv = weeks
  )
  expect_same_differences(differences, expected)
})

test_that("a difference between scores of the same items has a smaller standard error", {
  model <- tc_fit(label ~ score, spam_train)
  rows <- transform(spam_weeks, score = score + 0.1 * sin(score))
  std_error <- function(same) {
    tc_compare(model, spam_weeks, other = rows, other_model = model, paired = TRUE, same = same)$table$se
  }
  expect_lt(std_error(TRUE), std_error(FALSE))
})

test_that("groups and references keep their class", {
  weeks <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * as.integer(factor(week)))
  differences <- tc_compare(label ~ score, weeks, by = ~day, labelled = spam_train)
  expect_s3_class(differences$table$reference, "Date")
  expect_equal(differences$table$day - 7, differences$table$reference)
  first <- tc_compare(label ~ score, weeks, by = ~day, reference = as.Date("2026-01-12"), labelled = spam_train)
  expect_identical(unique(first$table$reference), as.Date("2026-01-12"))
  sizes <- factor(rep(c("low", "high"), length.out = nrow(weeks)), c("low", "high"))
  by_size <- tc_compare(label ~ score, weeks, by = sizes, labelled = spam_train)
  expect_identical(by_size$table$group, factor("high", c("low", "high")))
})

test_that("only groups of both samples are compared, and a warning names the others", {
  model <- tc_fit(label ~ score, spam_train)
  in_weeks <- function(weeks) spam_weeks[spam_weeks$week %in% sprintf("2026-W%02d", weeks), ]
  expect_warning(
    differences <- tc_compare(model, in_weeks(1:3), other = in_weeks(2:3), by = ~week),
    class = "truecount_group_left_out"
  )
  expect_identical(differences$table$week, c("2026-W02", "2026-W03"))
  expect_equal(differences$table$difference, c(0, 0))
  expect_error(tc_compare(model, in_weeks(1:2), other = in_weeks(3:4), by = ~week), class = "truecount_option_conflict")
})

test_that("confint computes another level anew, and plot and tidy read differences", {
  differences <- tc_compare(label ~ score, spam_weeks, by = ~week, labelled = spam_train)
  wider <- tc_compare(label ~ score, spam_weeks, by = ~week, labelled = spam_train, level = 0.99)
  expect_equal(unname(confint(differences, level = 0.99)), cbind(wider$table$lower, wider$table$upper))
  expect_identical(rownames(confint(differences))[1], "2026-W02 - 2026-W01")
  expect_identical(names(coef(differences)), rownames(confint(differences)))
  expect_output(print(differences), "the group before it")
  expect_output(print(differences), "misfit-widened")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(differences), differences)
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(differences)$adj.p.value, differences$table$p_value_holm)
})

test_that("impossible comparisons are errors", {
  model <- tc_fit(label ~ score, spam_train)
  conflict <- "truecount_option_conflict"
  invalid <- "truecount_option_invalid"
  expect_error(tc_compare(model, spam_weeks), class = invalid)
  expect_error(tc_compare(model, spam_weeks, reference = "all"), class = conflict)
  expect_error(tc_compare(model, spam_weeks, other = spam_weeks, population = 1e6), class = conflict)
  expect_error(tc_compare(model, spam_weeks, by = ~week, interval = "bootstrap"), class = conflict)
  expect_error(tc_compare(model, spam_weeks, by = ~week, reference = "2027-W01"), class = "truecount_group_unknown")
  expect_error(tc_compare(model, spam_weeks, by = ~week, paired = TRUE), class = conflict)
  expect_error(tc_compare(model, spam_weeks, other_model = model), class = invalid)
  expect_error(tc_compare(model, spam_weeks, other = spam_weeks, other_model = model, paired = TRUE), class = invalid)
  expect_error(tc_compare(model, spam_weeks, other_model = model, paired = TRUE, same = FALSE), class = conflict)
  compare_same <- function(other) {
    tc_compare(
      model, spam_weeks$score,
      other = other, other_model = model, paired = TRUE, same = TRUE, na.action = na.omit
    )
  }
  expect_error(compare_same(spam_weeks$score[-1]), class = "truecount_lengths_differ")
  expect_error(compare_same(replace(spam_weeks$score, 7, NA)), "row 7 is NA", class = "truecount_value_missing")
  expect_error(tc_compare(model, spam_weeks, other = c(1, NaN)), "^other: ", class = "truecount_score_not_finite")
})
