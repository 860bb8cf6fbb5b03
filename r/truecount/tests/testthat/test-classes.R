classes <- c("good", "partly", "wrong")

# Returns rows of a class each, with a probability for each class.
graded <- function(n, shares) {
  verdict <- sample(classes, n, TRUE, shares)
  odds <- exp(matrix(rnorm(3 * n), n) + 2 * outer(verdict, classes, `==`))
  p <- odds / rowSums(odds)
  model <- sample(c("a", "b"), n, TRUE)
  data.frame(verdict = verdict, p_wrong = p[, 3], p_good = p[, 1], p_partly = p[, 2], model = model)
}
set.seed(1)
# The command reads labelled rows class by class.
labelled <- graded(200, c(0.4, 0.3, 0.3))
labelled <- labelled[order(labelled$verdict), ]
answers <- graded(500, c(0.7, 0.2, 0.1))

test_that("shares of classes are those of the command", {
  model <- tc_fit(verdict ~ p_good + p_partly + p_wrong, labelled)
  estimates <- tc_estimate(model, answers, by = ~model, level = 0.9)
  table <- as.data.frame(estimates)
  expect_identical(table$class, rep(classes, 2))
  expect_identical(table$model, rep(c("a", "b"), each = 3))
  expect_close(tapply(table$prevalence, table$model, sum), c(1, 1))
  expected <- command(
    "estimate", "--train", "labelled.csv", "--test", "answers.csv", "--label", "verdict", "--by", "model",
    "--level", "0.9", "--class-scores", "p_good,p_partly,p_wrong", labelled.csv = labelled, answers.csv = answers
  )
  expect_same_numbers(table, expected, c("n", "prevalence", "se", "lower", "upper", "lower_all", "upper_all", "mix_p"))
})

test_that("shares of classes under a sampling design are those of the command", {
  model <- tc_fit(verdict ~ p_good + p_partly + p_wrong, labelled)
  sampled <- transform(answers,
    w = rep(c(1, 1.5, 3, 0.5), 125), id = rep(1:100, each = 5), region = rep(c("n", "s"), each = 250), size = 600
  )
  numbers <- c("n", "prevalence", "se", "lower", "upper", "lower_all", "upper_all", "mix_p")
  expect_same <- function(estimates, ...) {
    expected <- command(
      "estimate", "--train", "labelled.csv", "--test", "sampled.csv", "--label", "verdict",
      "--class-scores", "p_good,p_partly,p_wrong", ..., labelled.csv = labelled, sampled.csv = sampled
    )
    expect_same_numbers(as.data.frame(estimates), expected, numbers)
  }
  weighted <- tc_estimate(model, sampled, by = ~model, weights = ~w, cluster = ~id)
  expect_same(weighted, "--by", "model", "--weight", "w", "--cluster", "id")
  strata <- tc_estimate(model, sampled, cluster = ~id, stratum = ~region, weights = ~w)
  expect_same(strata, "--weight", "w", "--cluster", "id", "--stratum", "region")
  finite <- tc_estimate(model, sampled, stratum = ~region, population = ~size)
  expect_same(finite, "--stratum", "region", "--population", "size")
  expect_true(all(finite$table$se < tc_estimate(model, sampled, stratum = ~region)$table$se))
  expect_same(tc_estimate(model, sampled, population = 1000), "--population", "1000")
  skip_if_not_installed("survey")
  design <- survey::svydesign(~id, strata = ~region, weights = ~w, data = sampled)
  expect_identical(tc_estimate(model, design)$table, strata$table)
  replicates <- survey::as.svrepdesign(design, type = "JKn", mse = TRUE)
  columns <- data.frame(rep = stats::weights(replicates, type = "analysis"))
  sampled <- cbind(sampled, columns)
  expect_same(tc_estimate(model, replicates), "--weight", "w", "--replicates", "rep.*", "--replicate-type", "jkn")
})

test_that("designs of labelled rows of several classes are those of the command", {
  regions <- rep(c("n", "s"), each = 4)
  drawn <- transform(labelled, w = rep(c(1, 2, 4, 0), 50), id = rep(1:40, 5), region = rep(regions, 25))
  formula <- verdict ~ p_good + p_partly + p_wrong
  model <- tc_fit(formula, drawn, method = "pacc", weights = ~w, cluster = ~id, label_stratum = ~region)
  expected <- command(
    "estimate", "--train", "drawn.csv", "--test", "answers.csv", "--label", "verdict", "--method", "pacc",
    "--class-scores", "p_good,p_partly,p_wrong", "--label-weight", "w", "--label-cluster", "id",
    "--label-stratum", "region", drawn.csv = drawn, answers.csv = answers
  )
  estimate <- tc_estimate(model, answers)
  expect_same_numbers(as.data.frame(estimate), expected, c("n", "prevalence", "se", "lower", "upper", "mix_p"))
  skip_if_not_installed("survey")
  design <- survey::svydesign(~id, strata = ~region, weights = ~w, data = drawn)
  expect_equal(tc_estimate(tc_fit(formula, design, method = "pacc"), answers)$table, estimate$table)
})

test_that("totals and differences of classes are those of the command", {
  formula <- verdict ~ p_good + p_partly + p_wrong
  model <- tc_fit(formula, labelled)
  sized <- transform(answers, size = ifelse(model == "a", 9000, 1000), id = rep(1:100, each = 5))
  run <- function(name, ...) {
    command(
      name, "--train", "labelled.csv", "--test", "sized.csv", "--label", "verdict", "--by", "model",
      "--class-scores", "p_good,p_partly,p_wrong", ..., labelled.csv = labelled, sized.csv = sized
    )
  }
  numbers <- c("n", "prevalence", "se", "lower", "upper")
  for (sizes in c("population", "standardise")) {
    arguments <- c(list(model, sized, by = ~model, total = TRUE), stats::setNames(list(~size), sizes))
    estimates <- do.call(tc_estimate, arguments)
    table <- as.data.frame(estimates)
    expect_identical(table$class, rep(classes, 2))
    expected <- run("estimate", "--total", paste0("--", sizes), "size")
    name <- if (sizes == "population") "total" else "standardised"
    expect_same_numbers(estimates$total, expected[expected$table == name, ], numbers[-1])
    expect_close(estimates$total$prevalence, 0.9 * table$prevalence[1:3] + 0.1 * table$prevalence[4:6])
  }
  for (reference in c("total", "a")) {
    compared <- tc_compare(model, sized, by = ~model, reference = reference, cluster = ~id)
    expected <- run("compare", "--reference", reference, "--cluster", "id")
    expect_identical(compared$table$class, rep(classes, nrow(expected) / 3))
    expect_same_numbers(compared$table, expected, c("difference", "se", "lower", "upper", "p_value_holm"))
  }
  expect_output(print(compared), "model +class +refe[^ ]* +difference")
  expect_identical(names(coef(compared))[1], "b, good - a")
  expect_identical(tc_compare(formula, sized, labelled, by = ~model)$table, tc_compare(model, sized, by = ~model)$table)
  expect_error(tc_compare(model, sized), "only groups can be compared")
})

test_that("plans for classes are those of the command", {
  formula <- verdict ~ p_good + p_partly + p_wrong
  expect_same_plan <- function(words, ...) {
    expected <- command(
      "plan", "--train", "labelled.csv", "--label", "verdict", "--class-scores", "p_good,p_partly,p_wrong", words,
      labelled.csv = labelled
    )
    plan <- as.data.frame(tc_plan(tc_fit(formula, labelled), ...))
    expect_identical(plan$class, expected$class)
    expect_same_numbers(plan, expected, c("unlabelled", "labelled", "positive", "se", "half_width", "level"))
    expect_identical(plan$goal_met, as.logical(expected$goal_met))
  }
  expect_same_plan(c("--half-width", "0.05"), half_width = 0.05)
  expect_same_plan(c("--se", "0.02", "--labelled", "900", "--level", "0.9"), se = 0.02, labelled = 900, level = 0.9)
  expect_same_plan(c("--unlabelled", "1000", "--labelled", "400"), unlabelled = 1000, labelled = 400)
  expect_output(print(tc_plan(formula, labelled, se = 0.02)), "if new rows have the shares of the pilot")
  expect_error(tc_plan(formula, labelled, se = 0.02, prevalence = 0.1), "cannot be used with several classes")
  expect_error(plot(tc_plan(formula, labelled, se = 0.02)), "not for several classes, can be plotted")
})

test_that("models of classes print, are saved, and read formulas and other methods", {
  model <- tc_fit(verdict ~ p_good + p_partly + p_wrong, labelled, "cc")
  expect_output(print(model), "method cc\nlabelled: [0-9]+ good, [0-9]+ partly, [0-9]+ wrong")
  estimates <- tc_estimate(model, answers)
  expect_output(print(estimates), "class +n +prevalence .*\ngood +500 ")
  expect_identical(unique(estimates$warnings$code), "classes-not-corrected")
  in_one_call <- tc_estimate(verdict ~ p_good + p_partly + p_wrong, answers, labelled = labelled, method = "cc")
  expect_identical(in_one_call$table, estimates$table)
  expect_identical(tc_estimate(answers, model)$table, estimates$table)
  file <- tempfile()
  saveRDS(model, file)
  expect_identical(tc_estimate(readRDS(file), answers)$table, estimates$table)
  gap <- answers
  gap$p_good[3] <- NA
  expect_message(fewer <- tc_estimate(model, gap, na.action = na.omit), "left out: 1 of 500")
  expect_identical(fewer$table, tc_estimate(model, answers[-3, ])$table)
})

test_that("decision values and predicted classes have the shares of probabilities", {
  columns <- paste0("p_", classes)
  add <- function(rows) {
    rows$top <- factor(classes[max.col(as.matrix(rows[columns]))])
    rows[paste0("is_", classes)] <- lapply(classes, function(class) as.double(rows$top == class))
    rows[paste0("log_", classes)] <- log(rows[columns]) + seq_len(nrow(rows)) %% 5
    rows
  }
  labelled <- add(labelled)
  answers <- add(answers)
  table <- function(formula, ...) tc_estimate(tc_fit(formula, labelled, ...), answers, by = ~model)$table
  expect_identical(table(verdict ~ top), table(verdict ~ is_good + is_partly + is_wrong, "ac"))
  values <- table(verdict ~ log_good + log_partly + log_wrong)
  expect_close(values$prevalence, table(verdict ~ p_good + p_partly + p_wrong)$prevalence)
  judge <- function(rows) transform(rows, top = ifelse(p_partly > 0.3, "unsure", as.character(top)))
  judged <- lapply(list(labelled, answers), judge)
  expected <- command(
    "estimate", "--train", "labelled.csv", "--test", "answers.csv", "--label", "verdict", "--class-scores", "top",
    labelled.csv = judged[[1]], answers.csv = judged[[2]]
  )
  shares <- tc_estimate(tc_fit(verdict ~ top, judged[[1]]), judged[[2]])$table
  expect_same_numbers(shares, expected, c("prevalence", "se", "lower", "upper", "mix_p"))
  # The prediction of an unlabelled row is left out with it.
  more <- rbind(judged[[1]], transform(judged[[1]][1, ], verdict = NA, top = "never"))
  expect_message(fewer <- tc_fit(verdict ~ top, more, na.action = na.omit), "left out: 1 of 201")
  expect_identical(tc_estimate(fewer, judged[[2]])$table, shares)
  answers$top <- "never"
  expect_error(table(verdict ~ top), "top: the predicted class \"never\" is unknown; the labelled rows have \"good\"")
})

test_that("errors about classes name the columns and the rows", {
  formula <- verdict ~ p_good + p_partly + p_wrong
  expect_error(tc_fit(formula, labelled, cutoff = 0.5), "cutoff cannot be used with several classes")
  expect_error(tc_fit(formula, labelled, "es"), "method for several classes is 'es'")
  expect_error(tc_fit(verdict ~ p_good + p_partly, labelled), "the formula has no column for the label 'wrong'")
  renamed <- transform(labelled, p_bad = p_wrong)
  expect_error(tc_fit(verdict ~ p_good + p_partly + p_bad, renamed), "'p_bad' in the formula ends with no label")
  model <- tc_fit(formula, labelled)
  gap <- answers
  gap$p_good[c(2, 5)] <- c(NA, 3)
  error <- expect_error(tc_estimate(model, gap, na.action = na.omit), class = "truecount_error")
  expect_identical(error$fields$row, 5L)
  expect_match(error$message, "the probabilities of the classes add up to")
  expect_error(tc_check(model, answers), "models of two classes only; for several, use tc_estimate")
})
