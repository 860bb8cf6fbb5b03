numbers <- c(
  "prevalence", "prevalence_reference", "difference", "se", "lower", "upper", "ratio", "ratio_lower", "ratio_upper", "p_value",
  "p_value_holm", "correlation", "level"
)

# Rows of both, by their groups, what these are compared with and method.
expect_same_differences <- function(found, wanted) {
  table <- as.data.frame(found)
  expect_equal(as.character(table$reference), as.character(wanted$reference))
  expect_equal(table$method, wanted$method)
  for (name in found$by) expect_equal(as.character(table[[name]]), as.character(wanted[[name]]))
  expect_same_numbers(table, wanted, numbers)
}

spam <- function(words) {
  command(c("compare", "--train", "train.csv", "--test", "weeks.csv", words), train.csv = spam_train, weeks.csv = spam_weeks)
}

test_that("groups are compared as the command does it, with all that it knows", {
  model <- tc_fit(label ~ score, spam_train)
  expect_same_differences(tc_compare(model, spam_weeks, by = ~week), spam(c("--by", "week")))
  for (against in c("previous", "total", "rest", "all", "2026-W03")) {
    wanted <- spam(c("--by", "week", "--reference", against))
    expect_same_differences(tc_compare(model, spam_weeks, by = ~week, reference = against), wanted)
  }
  other <- tc_compare(model, spam_weeks, by = "week", level = 0.9, target = "population", interval = "wald", misfit = "warn")
  wanted <- spam(c("--by", "week", "--level", "0.9", "--target", "population", "--interval", "wald", "--misfit", "warn"))
  expect_same_differences(other, wanted)
})

test_that("levels, sizes, weights, clusters and strata are those of the command", {
  set.seed(1)
  items <- function(n, share) {
    label <- stats::rbinom(n, 1, share)
    data.frame(
      label = label, score = round(stats::rnorm(n, label), 6), site = sample(c("n", "s"), n, TRUE), month = sample(1:3, n, TRUE),
      w = round(stats::runif(n, 1, 3), 3), house = sample(200, n, TRUE)
    )
  }
  train <- items(600, 0.4)
  test <- items(1500, 0.3)
  test$size <- 100 * test$month
  of <- function(words) command(c("compare", "--train", "train.csv", "--test", "test.csv", words), train.csv = train, test.csv = test)
  model <- tc_fit(label ~ score, train, method = c("es", "ac"))
  methods <- c("--method", "es,ac")
  expect_same_differences(tc_compare(model, test, by = ~ site + month, reference = 2), of(c(methods, "--by", "site,month", "--reference", "2")))
  expect_same_differences(
    tc_compare(model, test, by = ~ site + month, reference = "total", weights = ~w),
    of(c(methods, "--by", "site,month", "--reference", "total", "--weight", "w"))
  )
  expect_same_differences(
    tc_compare(model, test, by = ~month, reference = "rest", total_weights = ~size),
    of(c(methods, "--by", "month", "--reference", "rest", "--total-weights", "size"))
  )
  clustered <- tc_compare(model, test, by = ~month, reference = "total", cluster = ~house, target = "population")
  expect_same_differences(
    clustered, of(c(methods, "--by", "month", "--reference", "total", "--cluster", "house", "--target", "population"))
  )
  expect_same_differences(
    tc_compare(tc_fit(label ~ score, train, stratum = ~site), test, by = ~month, reference = "all"),
    of(c("--by", "month", "--reference", "all", "--stratum", "site"))
  )
  # Of two groups the other.
  expect_same_differences(tc_compare(tc_fit(label ~ score, train), test, by = ~site), of(c("--by", "site")))
})

test_that("methods, samples and classifiers are compared as the command does it", {
  set.seed(2)
  train <- transform(spam_train, old = round(score + stats::rnorm(length(score)), 6))
  weeks <- transform(spam_weeks, old = round(score + stats::rnorm(length(score)), 6))
  early <- weeks$week <= "2026-W12"
  of <- function(words) {
    command(
      c("compare", "--train", "train.csv", words),
      train.csv = train, weeks.csv = weeks, early.csv = weeks[early, ], late.csv = weeks[!early, ], other.csv = train[1:800, ]
    )
  }
  several <- tc_fit(label ~ score, train, method = c("es", "ac", "pacc"))
  methods <- tc_compare(several, weeks, by = ~week)
  # With several methods groups are compared only if `reference` is given.
  wanted <- of(c("--test", "weeks.csv", "--method", "es,ac,pacc", "--by", "week", "--reference", "previous"))
  expect_same_differences(tc_compare(several, weeks, by = ~week, reference = "previous"), wanted)
  expect_same_differences(methods, of(c("--test", "weeks.csv", "--method", "es,ac,pacc", "--by", "week")))
  model <- tc_fit(label ~ score, train)
  samples <- tc_compare(model, weeks[early, ], other = weeks[!early, ])
  expect_same_numbers(as.data.frame(samples), of(c("--test", "early.csv", "--other-test", "late.csv")), numbers)
  classifiers <- tc_compare(label ~ score, weeks, by = ~week, other_model = label ~ old, labelled = train)
  wanted <- of(c("--test", "weeks.csv", "--by", "week", "--other-score", "old"))
  expect_same_numbers(as.data.frame(classifiers), wanted, numbers)
  second <- tc_fit(label ~ score, train[1:800, ])
  both <- tc_compare(model, weeks[early, ], other = weeks[!early, ], other_model = second, paired = FALSE, same = FALSE)
  wanted <- of(c("--test", "early.csv", "--other-test", "late.csv", "--other-train", "other.csv"))
  expect_same_numbers(as.data.frame(both), wanted, numbers)
  paired <- tc_compare(model, weeks, other_model = tc_fit(label ~ old, train), paired = TRUE)
  expect_identical(paired$table$se, tc_compare(label ~ score, weeks, other_model = label ~ old, labelled = train)$table$se)
})

test_that("a ratio to what may be 0 has no end, and it is said why", {
  low <- sort(spam_train$score[spam_train$label == 0])[1:150]
  weeks <- rbind(data.frame(week = "a", score = spam_weeks$score[1:300]), data.frame(week = "b", score = low))
  found <- tc_compare(label ~ score, weeks, by = ~week, reference = "b", labelled = spam_train)
  expect_identical(found$table$ratio_upper, Inf)
  expect_output(print(found), "may be 0, so the ratio")
  wanted <- command(
    c("compare", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--reference", "b"), train.csv = spam_train, weeks.csv = weeks
  )
  expect_same_differences(found, wanted)
})

test_that("the same items have less between them than different ones", {
  model <- tc_fit(label ~ score, spam_train)
  rows <- transform(spam_weeks, score = score + 0.1 * sin(score))
  of <- function(same) tc_compare(model, spam_weeks, other = rows, other_model = model, paired = TRUE, same = same)$table$se
  expect_lt(of(TRUE), of(FALSE))
})

test_that("groups keep their class, and so does what they are compared with", {
  weeks <- transform(spam_weeks, day = as.Date("2026-01-05") + 7 * as.integer(factor(week)))
  found <- tc_compare(label ~ score, weeks, by = ~day, labelled = spam_train)
  expect_s3_class(found$table$reference, "Date")
  expect_equal(found$table$day - 7, found$table$reference)
  first <- tc_compare(label ~ score, weeks, by = ~day, reference = as.Date("2026-01-12"), labelled = spam_train)
  expect_identical(unique(first$table$reference), as.Date("2026-01-12"))
  sizes <- factor(rep(c("low", "high"), length.out = nrow(weeks)), c("low", "high"))
  expect_identical(tc_compare(label ~ score, weeks, by = sizes, labelled = spam_train)$table$group, factor("high", c("low", "high")))
})

test_that("only groups that both samples have are compared, and the others are told of", {
  model <- tc_fit(label ~ score, spam_train)
  of <- function(weeks) spam_weeks[spam_weeks$week %in% sprintf("2026-W%02d", weeks), ]
  expect_warning(found <- tc_compare(model, of(1:3), other = of(2:3), by = ~week), class = "truecount_group_left_out")
  expect_identical(found$table$week, c("2026-W02", "2026-W03"))
  expect_equal(found$table$difference, c(0, 0))
  expect_error(tc_compare(model, of(1:2), other = of(3:4), by = ~week), class = "truecount_option_conflict")
})

test_that("intervals of another level are computed anew, and tidied", {
  found <- tc_compare(label ~ score, spam_weeks, by = ~week, labelled = spam_train)
  wider <- tc_compare(label ~ score, spam_weeks, by = ~week, labelled = spam_train, level = 0.99)
  expect_equal(unname(confint(found, level = 0.99)), cbind(wider$table$lower, wider$table$upper))
  expect_identical(rownames(confint(found))[1], "2026-W02 - 2026-W01")
  expect_identical(names(coef(found)), rownames(confint(found)))
  expect_output(print(found), "the group before it")
  expect_output(print(found), "prior-shift-doubtful")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(found)$adj.p.value, found$table$p_value_holm)
})

test_that("what cannot be compared is refused", {
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
  of_same <- function(other) {
    tc_compare(model, spam_weeks$score, other = other, other_model = model, paired = TRUE, same = TRUE, na.action = na.omit)
  }
  expect_error(of_same(spam_weeks$score[-1]), class = "truecount_lengths_differ")
  expect_error(of_same(replace(spam_weeks$score, 7, NA)), "row 7 is NA", class = "truecount_value_missing")
  expect_error(tc_compare(model, spam_weeks, other = c(1, NaN)), "^other: ", class = "truecount_score_not_finite")
})
