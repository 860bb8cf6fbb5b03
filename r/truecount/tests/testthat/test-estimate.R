# Simulates scores of two normal classes.
simulate_scores <- function(positive, negative, by = NULL, seed = 1) {
  set.seed(seed)
  label <- rep(c(1L, 0L), c(positive, negative))
  data <- data.frame(label = label, score = stats::rnorm(positive + negative, label))
  if (!is.null(by)) data$by <- sample(by, nrow(data), TRUE)
  data
}

test_that("estimates by every method agree with the command", {
  model <- suppressWarnings(tc_fit(label ~ score, spam_train, method = "all"))
  estimates <- tc_estimate(model, spam_weeks, by = ~week)
  expected <- command(
    c("estimate", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--method", "all"),
    train.csv = spam_train, weeks.csv = spam_weeks
  )
  table <- as.data.frame(estimates)
  expect_identical(table$week, expected$week)
  expect_identical(table$method, expected$method)
  expect_same_numbers(table, expected)
})

test_that("suppressed shares are missing", {
  model <- tc_fit(label ~ score, spam_train)
  rule <- "cv=0.05,0.12"
  estimates <- tc_estimate(model, spam_weeks, by = ~week, publish = rule)
  suppressed <- is.na(estimates$prevalence)
  expect_identical(estimates$publish[suppressed], rep("x", 4))
  expect_true(all(is.na(estimates$upper[suppressed])))
  expect_match(estimates$notes, "^publish: by coefficient of variation", all = FALSE)
  tally <- tc_tally(model, spam_weeks, by = ~week)
  # Tallies do not count the scores at the cutoff.
  counted <- names(estimates$table) == "apparent"
  expect_equal(tc_estimate(tally, publish = rule)$table[!counted], estimates$table[!counted])
  expect_false("publish" %in% names(tc_estimate(tally)$table))
  expect_error(tc_estimate(model, spam_weeks, publish = "ons"), class = "truecount_unknown_publication_rule")
  words <- c("estimate", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--publish", rule)
  expected <- command(words, train.csv = spam_train, weeks.csv = spam_weeks)
  expect_same_numbers(as.data.frame(estimates), expected)
})

test_that("weights, totals and finite populations agree with the command", {
  train <- simulate_scores(150, 350)
  test <- simulate_scores(300, 200, by = c("a", "b", "c"), seed = 2)
  test$w <- round(stats::runif(500, 1, 4), 3)
  test$size <- c(a = 900, b = 1000, c = 1100)[test$by]
  words <- c("estimate", "--train", "train.csv", "--test", "test.csv", "--by", "by")
  test_command <- function(more) command(c(words, more), train.csv = train, test.csv = test)
  model <- tc_fit(label ~ score, train, method = c("es", "ac", "pacc"))
  methods <- c("--method", "es,ac,pacc")
  weighted <- tc_estimate(model, test, by = "by", weights = ~w)
  expect_same_numbers(as.data.frame(weighted), test_command(c(methods, "--weight", "w")))
  total <- tc_estimate(model, test, by = "by", total = TRUE)
  expected <- test_command(c(methods, "--total"))
  expect_same_numbers(rbind(total$table[names(total$total)], total$total), expected)
  total <- tc_estimate(
    model, test,
    by = "by", standardise = c(c = 3, a = 1, b = 2), target = "population", level = 0.9, interval = "wald"
  )
  test$share <- c(a = 1, b = 2, c = 3)[test$by]
  options <- c("--target", "population", "--level", "0.9", "--interval", "wald")
  expected <- test_command(c(methods, "--standardise", "share", options))
  expect_same_numbers(rbind(total$table[names(total$total)], total$total), expected)
  finite <- tc_estimate(model, test, by = "by", population = ~size)
  expect_same_numbers(as.data.frame(finite), test_command(c(methods, "--population", "size")))
})

test_that("clusters, strata and labelled designs agree with the command", {
  train <- simulate_scores(200, 300, by = c("n", "s"))
  train$person <- rep(1:100, 5)
  train$lw <- round(stats::runif(500, 1, 2), 3)
  test <- simulate_scores(250, 250, by = c("n", "s"), seed = 3)
  test$house <- rep(1:125, 4)
  test$week <- rep(1:2, 250)
  words <- c("estimate", "--train", "train.csv", "--test", "test.csv")
  test_command <- function(more) command(c(words, more), train.csv = train, test.csv = test)
  plain <- tc_fit(label ~ score, train)
  test$size <- ifelse(test$by == "n", 4000, 900)
  test$wave <- paste(test$by, test$house)
  surveyed <- tc_estimate(
    plain, test, by = ~week, stratum = ~by, cluster = ~wave, weights = ~house, population = ~size, total = TRUE
  )
  options <- c("--by", "week", "--stratum", "by", "--cluster", "wave", "--weight", "house", "--population", "size")
  expect_same_numbers(rbind(surveyed$table[names(surveyed$total)], surveyed$total), test_command(c(options, "--total")))
  clustered <- tc_estimate(plain, test, by = ~week, cluster = ~house, target = "population", total = TRUE)
  expected <- test_command(c("--by", "week", "--cluster", "house", "--target", "population", "--total"))
  expect_same_numbers(rbind(clustered$table[names(clustered$total)], clustered$total), expected)
  strata <- tc_estimate(tc_fit(label ~ score, train, model_stratum = ~by), test, by = ~week, total = TRUE)
  expected <- test_command(c("--by", "week", "--model-stratum", "by", "--total"))
  expect_same_numbers(rbind(strata$table[names(strata$total)], strata$total), expected)
  designed <- tc_estimate(tc_fit(label ~ score, train, weights = ~lw, cluster = ~person), test)
  expect_same_numbers(as.data.frame(designed), test_command(c("--label-weight", "lw", "--label-cluster", "person")))
  stratified <- tc_estimate(tc_fit(label ~ score, train, label_stratum = ~by), test)
  expect_same_numbers(as.data.frame(stratified), test_command(c("--label-stratum", "by")))
  single <- c("single", rep("other", nrow(train) - 1))
  expect_error(tc_fit(label ~ score, train, label_stratum = single), "^stratum single: 1 stratum of the labelled rows")
  expect_error(tc_estimate(plain, test, population = 1e6, target = "sample"), class = "truecount_option_conflict")
  implied <- tc_estimate(plain, test, population = 1e6)
  expect_equal(implied$table, tc_estimate(plain, test, population = 1e6, target = "population")$table)
  skip_if_not_installed("survey")
  design <- survey::svydesign(ids = ~1, strata = ~by, weights = ~lw, data = train)
  by_design <- tc_estimate(tc_fit(label ~ score, design), test)
  expect_same_numbers(as.data.frame(by_design), test_command(c("--label-weight", "lw", "--label-stratum", "by")))
})

test_that("models of strata allow neither clusters nor a finite population", {
  test <- simulate_scores(50, 50, by = c("n", "s"), seed = 3)
  test$house <- rep(1:25, 4)
  model <- tc_fit(label ~ score, simulate_scores(100, 100, by = c("n", "s")), model_stratum = ~by)
  expect_error(tc_estimate(model, test, cluster = ~house, target = "population"), class = "truecount_option_conflict")
  expect_error(tc_estimate(model, test, population = 900), class = "truecount_option_conflict")
  skip_if_not_installed("survey")
  design <- survey::svydesign(ids = ~house, weights = ~1, data = test)
  expect_error(tc_estimate(model, design, target = "population"), class = "truecount_option_conflict")
})

test_that("strata of one cluster are treated as survey.lonely.psu says", {
  skip_if_not_installed("survey")
  test <- simulate_scores(60, 140, seed = 4)
  test$house <- rep(1:20, 10)
  test$stratum <- ifelse(test$house == 20, "single", ifelse(test$house < 8, "a", "b"))
  model <- tc_fit(label ~ score, simulate_scores(200, 300))
  design <- survey::svydesign(ids = ~house, strata = ~stratum, weights = ~1, data = test)
  for (rule in c("adjust", "average", "certainty")) {
    old <- options(survey.lonely.psu = rule)
    by_design <- tc_estimate(model, design, check = FALSE)$table
    values <- generics::augment(tc_estimate(model, test, check = FALSE))
    by_survey <- survey::SE(survey::svymean(~.value, stats::update(design, .value = values$.value)))
    options(old)
    by_name <- tc_estimate(model, test, cluster = ~house, stratum = ~stratum, lonely_psu = rule, check = FALSE)$table
    expect_equal(by_design, by_name)
    # Certainty leaves the classifier's errors, which survey does not know.
    se <- sqrt(as.numeric(by_survey)^2 + values$.se_labels[1]^2)
    if (rule == "certainty") expect_gt(by_design$se, se) else expect_equal(by_design$se, se, tolerance = 1e-6)
  }
  expect_error(tc_estimate(model, design), "^stratum single: ", class = "truecount_single_unit_test_strata")
})

test_that("the values of rows give the standard error of any design", {
  skip_if_not_installed("survey")
  test <- simulate_scores(150, 350, by = c("a", "b"), seed = 5)
  test$house <- rep(1:100, 5)
  test$w <- stats::runif(500, 1, 2)
  design <- survey::svydesign(ids = ~house, weights = ~w, data = test)
  for (method in c("es", "ac", "cc")) {
    model <- tc_fit(label ~ score, simulate_scores(200, 300), method = method)
    estimates <- tc_estimate(model, design, check = FALSE)
    rows <- generics::augment(estimates)
    share <- survey::svymean(~.value, stats::update(design, .value = rows$.value))
    expect_equal(as.numeric(stats::coef(share)), estimates$table$raw)
    expect_equal(sqrt(as.numeric(survey::SE(share))^2 + rows$.se_labels[1]^2), estimates$table$se)
  }
  groups <- generics::augment(tc_estimate(model, transform(test, score = replace(score, 3, NA)), by = ~by,
    weights = ~w, na.action = stats::na.omit))
  expect_identical(which(is.na(groups$.value)), 3L)
  means <- vapply(split(groups[-3, ], groups$by[-3]), function(rows) stats::weighted.mean(rows$.value, rows$w), 0)
  expect_equal(unname(means), unique(groups[order(groups$by), ]$.prevalence))
  without <- generics::augment(tc_estimate(tc_fit(label ~ score, spam_train, method = "sld"), test))
  expect_false(".value" %in% names(without))
})

test_that("weights and clusters come from a survey design", {
  skip_if_not_installed("survey")
  test <- simulate_scores(250, 250, seed = 3)
  test$house <- rep(1:125, 4)
  test$w <- stats::runif(500, 1, 2)
  model <- tc_fit(label ~ score, simulate_scores(200, 300))
  design <- survey::svydesign(ids = ~house, weights = ~w, data = test)
  estimates <- tc_estimate(model, design, target = "population")
  expect_equal(estimates$table, tc_estimate(model, test, weights = ~w, cluster = ~house, target = "population")$table)
  test$stratum <- rep(1:2, 250)
  stratified <- survey::svydesign(ids = ~1, strata = ~stratum, weights = ~w, data = test)
  expect_identical(
    tc_estimate(model, stratified)$table, tc_estimate(model, test, weights = ~w, stratum = ~stratum)$table
  )
  test$N <- ifelse(test$stratum == 1, 900, 6000)
  finite <- survey::svydesign(ids = ~1, strata = ~stratum, weights = ~w, fpc = ~N, data = test)
  expect_equal(
    tc_estimate(model, finite)$table,
    tc_estimate(model, test, weights = ~w, stratum = ~stratum, population = c(`1` = 900, `2` = 6000))$table
  )
  whole <- survey::svydesign(ids = ~1, fpc = rep(500, 500), data = test)
  expect_equal(tc_estimate(model, whole)$table$se, tc_estimate(model, test)$table$se)
  test$in_house <- 10
  stages <- survey::svydesign(ids = ~ house + w, weights = ~w, fpc = ~ N + in_house, data = test[test$stratum == 2, ])
  second <- test[test$stratum == 2, ]
  expect_equal(
    tc_estimate(model, stages)$table,
    tc_estimate(model, second, weights = ~w, cluster = ~house, cluster_population = 6000, population = ~in_house)$table
  )
  expect_warning(tc_estimate(model, subset(stages, w > 1.5)), class = "truecount_fpc_unused")
  expect_error(
    tc_estimate(model, second, cluster = ~house, cluster_population = 9), class = "truecount_small_stage"
  )
  expect_warning(tc_fit(label ~ score, finite), class = "truecount_fpc_unused")
  expect_no_warning(tc_check(model, stratified))
  expect_error(tc_fit(label ~ score, survey::as.svrepdesign(design)), class = "truecount_design_not_supported")
  expect_identical(tc_estimate(model, design)$table, estimates$table)
  expect_identical(survey::deff(estimates), c(all = estimates$table$deff))
  calibrated <- survey::postStratify(
    survey::svydesign(ids = ~1, weights = ~w, data = test), ~stratum, data.frame(stratum = 1:2, Freq = c(400, 500))
  )
  readers <- list(function(design) tc_estimate(model, design), function(design) tc_fit(label ~ score, design))
  for (read in readers) {
    expect_error(read(calibrated), "before calibration", class = "truecount_design_not_supported")
  }
  labelled_test <- tc_fit(label ~ score, test)
  expect_error(tc_audit(labelled_test, design, test), class = "truecount_design_not_supported")
  expect_error(tc_evaluate(labelled_test, design), class = "truecount_design_not_supported")
  labelled <- survey::svydesign(ids = ~1, weights = ~w, data = test)
  by_design <- tc_estimate(tc_fit(label ~ score, labelled), test)
  by_weights <- tc_estimate(tc_fit(label ~ score, test, weights = ~w), test)
  expect_equal(coef(by_design), coef(by_weights))
})

# Against survey's own standard errors of the share of scores above the cutoff.
test_that("strata, clusters and replicate weights give the standard errors of survey", {
  skip_if_not_installed("survey")
  test <- simulate_scores(250, 250, seed = 3)
  test$house <- rep(1:100, each = 5)
  test$stratum <- rep(c("a", "b"), c(300, 200))
  test$w <- ifelse(test$stratum == "a", 3, 1)
  test$half <- rep(c("x", "y"), 250)
  test$above <- as.numeric(test$score >= 0.5)
  train <- simulate_scores(200, 300)
  model <- tc_fit(label ~ score, train, method = "ac", cutoff = 0.5)
  rates <- tapply(train$score >= 0.5, train$label, mean)
  difference <- rates[["1"]] - rates[["0"]]
  from_labels <- function(share) {
    (share^2 * rates[["1"]] * (1 - rates[["1"]]) / 199 + (1 - share)^2 * rates[["0"]] * (1 - rates[["0"]]) / 299) /
      difference^2
  }
  designs <- list(
    survey::svydesign(ids = ~1, strata = ~stratum, weights = ~w, data = test),
    survey::svydesign(ids = ~house, strata = ~stratum, weights = ~w, data = test)
  )
  designs[[3]] <- survey::as.svrepdesign(designs[[2]])
  designs[[4]] <- survey::as.svrepdesign(designs[[2]], type = "bootstrap", replicates = 40, mse = TRUE)
  for (design in designs) {
    share <- survey::svymean(~above, design)
    own <- tc_estimate(model, design, check = FALSE)$table
    expect_equal(own$raw, (coef(share)[[1]] - rates[["0"]]) / difference)
    expect_equal(own$se^2, survey::SE(share)[[1]]^2 / difference^2 + from_labels(own$raw))
    groups <- tc_estimate(model, design, by = ~half, check = FALSE)
    shares <- survey::svyby(~above, ~half, design, survey::svymean, covmat = TRUE)
    expect_equal(
      groups$table$se^2, unname(survey::SE(shares)^2) / difference^2 + from_labels(groups$table$raw)
    )
  }
  # A subset of a design keeps the units that were drawn.
  for (design in designs[1:2]) {
    part <- tc_estimate(model, subset(design, half == "x"), check = FALSE)
    expect_equal(part$table$se, tc_estimate(model, design, by = ~half, check = FALSE)$table$se[1])
  }
  expect_error(
    tc_compare(model, designs[[1]], other = designs[[1]]), "combine both samples in one design",
    class = "truecount_option_conflict"
  )
})

test_that("the bootstrap follows R's seed, whatever the number of threads", {
  model <- tc_fit(label ~ score, simulate_scores(60, 60))
  test <- simulate_scores(50, 50, seed = 2)
  bootstrap <- function(threads) {
    options(truecount.threads = threads)
    set.seed(7)
    tc_estimate(model, test, interval = "bootstrap", resamples = 100)$table
  }
  on.exit(options(truecount.threads = NULL))
  expect_identical(bootstrap(1), bootstrap(2))
  estimates <- tc_estimate(model, test, interval = "bootstrap", resamples = 100)
  expect_identical(confint(estimates, level = 0.8), confint(estimates, level = 0.8))
  set.seed(8)
  expect_false(identical(tc_estimate(model, test, interval = "bootstrap", resamples = 100)$table, bootstrap(2)))
  expected <- command(
    c(
      "estimate", "--train", "train.csv", "--test", "test.csv", "--interval", "bootstrap", "--resamples", "100",
      "--seed", "5"
    ),
    train.csv = simulate_scores(60, 60), test.csv = test
  )
  expect_same_numbers(tc_estimate(model, test, interval = "bootstrap", resamples = 100, seed = 5)$table, expected)
})

test_that("groups keep their class and their order", {
  model <- tc_fit(label ~ score, spam_train)
  days <- as.Date("2026-03-01") + c(9, 1, 1, 9, 5)
  estimates <- as.data.frame(tc_estimate(model, data.frame(score = 1:5, day = days), by = ~day))
  expect_identical(estimates$day, as.Date("2026-03-01") + c(1, 5, 9))
  expect_identical(estimates$n, c(2L, 1L, 2L))
  size <- factor(c("small", "large", NA, "small"), levels = c("small", "large"))
  data <- data.frame(score = 1:4, size = size, sunny = c(TRUE, FALSE, TRUE, TRUE))
  estimates <- as.data.frame(tc_estimate(model, data, by = ~ size + sunny))
  expect_identical(estimates$size, factor(c("small", "large", NA), levels = c("small", "large"))[c(1, 2, 3)])
  expect_identical(estimates$sunny, c(TRUE, FALSE, TRUE))
  expect_identical(estimates$n, c(2L, 1L, 1L))
  months <- as.data.frame(tc_estimate(model, data.frame(score = 1:5, day = days), by = ~ format(day, "%Y-%m")))
  expect_identical(names(months)[1], "format(day, \"%Y-%m\")")
})

test_that("tibbles, data.tables and vectors are read", {
  model <- tc_fit(label ~ score, spam_train)
  expected <- tc_estimate(model, spam_weeks, by = ~week)$table
  skip_if_not_installed("tibble")
  expect_identical(tc_estimate(model, tibble::as_tibble(spam_weeks), by = ~week)$table, expected)
  skip_if_not_installed("data.table")
  expect_identical(tc_estimate(model, data.table::as.data.table(spam_weeks), by = "week")$table, expected)
  expect_identical(coef(tc_estimate(model, spam_weeks$score)), coef(tc_estimate(model, spam_weeks)))
})

test_that("a formula with labelled scores fits and estimates in one call", {
  once <- tc_estimate(label ~ score, spam_weeks, labelled = spam_train, by = ~week, method = "ac", cutoff = 0.3)
  model <- tc_fit(label ~ score, spam_train, method = "ac", cutoff = 0.3)
  expect_identical(once$table, tc_estimate(model, spam_weeks, by = ~week)$table)
})

test_that("R's generic functions read estimates", {
  estimates <- tc_estimate(label ~ score, spam_weeks, labelled = spam_train, by = ~week)
  expect_named(coef(estimates), unique(spam_weeks$week))
  expect_identical(nobs(estimates), nrow(spam_weeks))
  expect_equal(unname(confint(estimates)), cbind(estimates$table$lower, estimates$table$upper))
  wider <- confint(estimates, level = 0.99)
  expect_true(all(wider[, 1] <= estimates$table$lower & wider[, 2] >= estimates$table$upper))
  expect_equal(unname(confint(estimates, "2026-W03", level = 0.99)), unname(wider[3, , drop = FALSE]))
  # The estimates keep their own data.
  data <- spam_weeks
  kept <- tc_estimate(tc_fit(label ~ score, spam_train), data, by = ~week)
  data$score <- 0
  expect_identical(confint(kept, level = 0.99), wider)
  file <- tempfile(fileext = ".rds")
  saveRDS(kept, file)
  rm(data, kept)
  expect_identical(confint(readRDS(file), level = 0.99), wider)
  expect_identical(coef(stats::update(estimates, method = "es")), coef(estimates))
  expect_equal(generics::tidy(estimates, conf.level = 0.99)$conf.low, unname(wider[, 1]))
  expect_output(print(summary(estimates)), "Median", fixed = TRUE)
  expect_output(print(estimates, n = 4), "... 20 more", fixed = TRUE)
  covariances <- vcov(estimates)
  expect_equal(unname(sqrt(diag(covariances))), estimates$table$se_widened)
  expect_true(all(eigen(covariances, only.values = TRUE)$values > 0))
  # Standard errors of differences between groups agree with the command.
  expected <- command(
    c("compare", "--train", "train.csv", "--test", "weeks.csv", "--by", "week", "--reference", "previous"),
    train.csv = spam_train, weeks.csv = spam_weeks
  )
  diag(covariances) <- estimates$table$se^2
  difference_se <- function(k) {
    sqrt(covariances[k, k] + covariances[k - 1, k - 1] - 2 * covariances[k, k - 1])
  }
  expect_equal(vapply(2:24, difference_se, 0), expected$se, tolerance = 1e-12)
})

test_that("standard errors include the misfit where it widens the interval", {
  estimates <- tc_estimate(label ~ score, spam_weeks, labelled = spam_train, by = ~week)
  week <- match(c("2026-W04", "2026-W09"), estimates$table$week)
  table <- estimates$table[week, ]
  expect_gt(table$widening[1], 0)
  expect_identical(table$widening[2], 0)
  half_width <- diff(confint(estimates, "2026-W04")[1, ]) / 2
  expect_close(table$se_widened, c(half_width / stats::qnorm(0.975), table$se[2]))
  expect_identical(generics::tidy(estimates)$std.error[week], table$se_widened)
  # A normal test by hand agrees with the difference, whose interval is that of both estimates. With
  # the standard errors of sampling alone its p-value would be 6e-8.
  variance <- diag(vcov(estimates))[week]
  covariance <- vcov(estimates)[week[1], week[2]]
  p_value <- 2 * stats::pnorm(-abs(diff(coef(estimates)[week])) / sqrt(sum(variance) - 2 * covariance))
  differences <- tc_compare(
    label ~ score, spam_weeks, labelled = spam_train, by = ~week, reference = "2026-W09"
  )$table
  difference <- differences[differences$week == "2026-W04", ]
  expect_equal(unname(p_value), difference$p_value, tolerance = 0.15)
  expect_close(difference$se_widened, (difference$upper - difference$lower) / 2 / stats::qnorm(0.975))
  expect_identical(differences$se_widened[1], differences$se[1])
  narrow <- tc_estimate(label ~ score, spam_weeks, labelled = spam_train, by = ~week, misfit = "warn")$table
  expect_identical(narrow$se_widened, narrow$se)
})

test_that("methods that do not support a request are left out with a warning", {
  model <- tc_fit(label ~ score, simulate_scores(100, 100), method = c("es", "ac", "dys"))
  test <- simulate_scores(50, 50, by = c("n", "s"), seed = 3)
  test$house <- rep(1:25, 4)
  clustered <- function(model) tc_estimate(model, test, cluster = ~house, target = "population")
  expect_warning(estimates <- clustered(model), class = "truecount_test_design_not_possible")
  without_dys <- tc_fit(label ~ score, simulate_scores(100, 100), method = c("es", "ac"))
  expect_identical(estimates$table, clustered(without_dys)$table)
  # Further calls for the result do not warn again.
  expect_no_warning(confint(estimates, level = 0.9))
  expect_warning(differences <- tc_compare(model, test, by = ~by, reference = "n"), "left out, dys")
  expect_identical(differences$table, tc_compare(without_dys, test, by = ~by, reference = "n")$table)
  only <- tc_fit(label ~ score, simulate_scores(100, 100), method = "dys")
  expect_error(clustered(only), class = "truecount_test_design_not_possible")
})

test_that("a saved model can be read again, also by the command", {
  model <- tc_fit(label ~ score, spam_train, method = c("es", "ac"))
  file <- tempfile(fileext = ".rds")
  saveRDS(model, file)
  expected <- tc_estimate(model, spam_weeks)$table
  expect_identical(tc_estimate(readRDS(file), spam_weeks)$table, expected)
  estimates <- tc_estimate(label ~ score, spam_weeks, labelled = spam_train)
  saveRDS(estimates, file)
  expect_identical(vcov(readRDS(file)), vcov(estimates))
  json <- tempfile(fileext = ".json")
  tc_write_model(model, json)
  expect_identical(tc_estimate(tc_read_model(json), spam_weeks)$table, expected)
  expect_same_numbers(expected, command(c("estimate", "--model", json, "--test", "weeks.csv"), weeks.csv = spam_weeks))
})

test_that("no thread outlives a call, and work can be interrupted", {
  skip_on_os(c("windows", "mac"))
  count_threads <- function() length(list.files("/proc/self/task"))
  model <- tc_fit(label ~ score, spam_train)
  before <- count_threads()
  tc_estimate(model, rep(spam_weeks$score, 20), interval = "bootstrap", resamples = 100)
  expect_identical(count_threads(), before)
  # R checks the time limit together with interrupts.
  setTimeLimit(elapsed = 1, transient = TRUE)
  on.exit(setTimeLimit())
  expect_error(tc_estimate(model, rep(spam_weeks$score, 20), interval = "bootstrap", resamples = 1e6), "time limit")
  setTimeLimit()
  expect_identical(count_threads(), before)
})

# Against the stratified variance by hand: the sum of (W_h se_h)^2 over independent strata, whose
# standard errors have 1 - n/N each. The labelled scores are so many that their error is negligible.
test_that("the total of strata with known sizes is the stratified estimate", {
  train <- simulate_scores(20000, 20000)
  test <- rbind(
    cbind(simulate_scores(10, 190, seed = 2), stratum = "a"), cbind(simulate_scores(150, 50, seed = 3), stratum = "b")
  )
  sizes <- c(a = 800, b = 400)
  estimates <- tc_estimate(
    tc_fit(label ~ score, train), test,
    by = ~stratum, total = TRUE, standardise = sizes, population = sizes, check = FALSE
  )
  shares <- sizes / sum(sizes)
  expect_equal(estimates$total$raw, sum(shares * estimates$table$raw), tolerance = 1e-12)
  expect_equal(estimates$total$se, sqrt(sum((shares * estimates$table$se)^2)), tolerance = 0.02)
})
