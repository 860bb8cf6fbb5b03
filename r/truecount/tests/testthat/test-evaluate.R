model <- tc_fit(label ~ score, spam_train, method = c("es", "ac", "cc"))

test_that("errors and estimates agree with the command for the same seed", {
  for (protocol in c("uniform", "grid", "natural")) {
    file <- tempfile(fileext = ".csv")
    expected <- command(
      "evaluate", "--train", csv_file(spam_train), "--pool", csv_file(spam_pool), "--method", "es,ac,cc",
      "--samples", "42", "--size", "100", "--seed", "5", "--protocol", protocol, "--level", "0.9",
      "--reference", "ac", "--output", file
    )
    evaluation <- tc_evaluate(
      model, spam_pool, protocol,
      samples = 42, size = 100, seed = 5, level = 0.9, reference = "ac"
    )
    expect_identical(names(evaluation$table), names(expected))
    for (column in names(Filter(is.numeric, expected))) {
      expect_close(evaluation$table[[column]], expected[[column]])
    }
    expect_identical(evaluation$table$reference, c("ac", NA, "ac"))
    estimates <- utils::read.csv(file)
    unlink(file)
    for (method in c("es", "ac", "cc")) {
      samples <- as.data.frame(evaluation)
      samples <- samples[samples$method == method, ]
      expect_close(samples$truth, estimates$truth)
      expect_close(samples$prevalence, estimates[[method]])
      expect_close(samples$upper, estimates[[paste0(method, "_upper")]])
    }
  }
})

test_that("methods of probabilities read them from the pool", {
  with_probability <- function(rows) within(rows, p <- stats::plogis(score))
  pacc_model <- tc_fit(label ~ score, with_probability(spam_train), method = "pacc", probability = ~p)
  evaluation <- tc_evaluate(pacc_model, with_probability(spam_pool), samples = 10, seed = 2)
  expected <- command(
    "evaluate", "--train", csv_file(with_probability(spam_train)), "--pool", csv_file(with_probability(spam_pool)),
    "--method", "pacc", "--prob", "p", "--samples", "10", "--seed", "2"
  )
  expect_close(evaluation$table$mae, expected$mae)
})

test_that("the measures agree with the estimates", {
  evaluation <- tc_evaluate(model, spam_pool, samples = 30, seed = 1)
  samples <- as.data.frame(evaluation)
  expect_identical(dim(samples), c(90L, 9L))
  es <- samples[samples$method == "es", ]
  expect_close(evaluation$table$mae[1], mean(abs(es$prevalence - es$truth)))
  expect_close(evaluation$table$coverage[1], mean(es$lower <= es$truth & es$truth <= es$upper))
  expect_identical(evaluation$warnings$code[evaluation$warnings$row == 3], "not-corrected")
  expect_output(print(evaluation), "es against")
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(evaluation)$mae, evaluation$table$mae)
})

test_that("several models may read different scores of the same samples", {
  rounded <- function(rows) within(rows, z <- round(score))
  coarse <- tc_fit(label ~ z, rounded(spam_train))
  fine <- tc_fit(label ~ score, spam_train)
  both <- tc_evaluate(list(fine = fine, coarse = coarse), rounded(spam_pool), samples = 20, seed = 4)
  expect_identical(both$table$method, c("fine: es", "coarse: es"))
  alone <- tc_evaluate(coarse, rounded(spam_pool), samples = 20, seed = 4)
  expect_identical(both$table$mae[2], alone$table$mae)
  expect_identical(as.data.frame(both)$truth[2 * 1:20], as.data.frame(alone)$truth)
  expect_error(tc_evaluate(list(fine, coarse), rounded(spam_pool)), class = "truecount_option_invalid")
})

test_that("R's generator chooses the seed, whatever the number of threads", {
  evaluate_five <- function() as.data.frame(tc_evaluate(model, spam_pool, samples = 5))
  set.seed(1)
  first <- evaluate_five()
  set.seed(1)
  old <- options(truecount.threads = 1)
  on.exit(options(old))
  expect_identical(evaluate_five(), first)
  expect_false(identical(evaluate_five(), first))
})

test_that("a model is fitted to a formula first", {
  evaluation <- tc_evaluate(
    label ~ score, spam_pool,
    labelled = spam_train, method = "ac", samples = 21, protocol = "grid", seed = 1
  )
  expect_equal(unique(as.data.frame(evaluation)$truth), round(250 * 0:20 / 20 + 1e-9) / 250)
  expect_null(evaluation$comparison)
})

test_that("wrong arguments are errors, and name the caller's row", {
  evaluate_error <- function(...) tryCatch(tc_evaluate(model, ...), truecount_error = identity)
  expect_s3_class(evaluate_error(spam_train[nrow(spam_train):1, ]), "truecount_option_invalid")
  expect_s3_class(evaluate_error(spam_pool, "grid", samples = 20), "truecount_option_invalid")
  expect_s3_class(evaluate_error(spam_pool, size = 5000), "truecount_pool_too_small")
  expect_s3_class(evaluate_error(spam_pool, samples = 5, reference = "sld"), "truecount_option_conflict")
  wrong <- within(spam_pool, score[c(3, 7)] <- c(NA, Inf))
  expect_s3_class(evaluate_error(wrong), "truecount_value_missing")
  expect_identical(evaluate_error(wrong, na.action = stats::na.omit)$fields$row, 7L)
  expect_warning(tc_evaluate(model, spam_pool, samples = 5, size = 1000), class = "truecount_samples_overlap")
})

test_that("an evaluation can be interrupted", {
  setTimeLimit(elapsed = 0.5, transient = TRUE)
  on.exit(setTimeLimit())
  expect_error(tc_evaluate(model, spam_pool, samples = 1e6), "time limit")
})

test_that("an evaluation can be plotted", {
  evaluation <- tc_evaluate(model, spam_pool, samples = 5, seed = 1)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(evaluation), evaluation)
  expect_identical(graphics::par("mfrow"), c(1L, 1L))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(evaluation), "ggplot")
})
