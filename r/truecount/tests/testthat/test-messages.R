# Inputs of a beginner: either they work, or the error says what to type.

model <- tc_fit(label ~ score, spam_train)
weeks <- spam_weeks[spam_weeks$week <= "2026-W03", ]

test_that("an unknown column has a suggestion", {
  expect_error(tc_estimate(model, weeks, by = ~wek), "by: there is no column wek; did you mean week?", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, by = "wek"), "did you mean week?", fixed = TRUE)
  expect_error(tc_fit(lable ~ score, spam_train), "did you mean label?", fixed = TRUE)
  expect_error(
    tc_estimate(model, weeks, weights = "views"), "weights: there is no column views; the columns are week, score",
    fixed = TRUE
  )
  expect_error(tc_estimate(model, weeks, weights = ~views), class = "truecount_column_unknown")
  expect_error(tc_estimate(model, weeks, by = week), "week is a column: write ~week or \"week\"", fixed = TRUE)
  expect_error(
    tc_estimate(label ~ score, weeks, labelled = spam_train, by = week), "week is a column", fixed = TRUE
  )
  expect_error(tc_compare(model, weeks, by = week), "week is a column", fixed = TRUE)
  expect_error(tc_fit(label ~ score, spam_train, weights = label), "label is a column", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, by = nowhere), "nowhere", fixed = TRUE)
})

test_that("an unknown argument has a suggestion", {
  expect_error(tc_estimate(model, weeks, conf.level = 0.9), "conf.level; did you mean level?", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, alpha = 0.05), "alpha; say level = 0.95", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, wieghts = ~w), "did you mean weights?", fixed = TRUE)
  expect_error(
    tc_estimate(label ~ score, weeks, labelled = spam_train, metod = "ac"), "did you mean method?", fixed = TRUE
  )
  expect_error(confint(tc_estimate(model, weeks), conf.level = 0.9), "did you mean level?", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, na.rm = TRUE), "na.rm; did you mean na.action?", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, method = "ac"), "method; it is an argument of tc_fit()", fixed = TRUE)
})

test_that("flags are TRUE or FALSE, and the size of a population is a whole number", {
  expect_error(tc_estimate(model, weeks, by = ~week, total = "yes"), "total is \"yes\"; it must be TRUE or FALSE", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, check = "no"), "check is \"no\"; it must be TRUE or FALSE", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, population = 1000.5), "it must be a whole number from 1", fixed = TRUE)
})

test_that("missing values are treated as na.action says, by function or by name", {
  with_missing <- weeks
  with_missing$score[3] <- NA
  by_name <- tc_estimate(model, with_missing, na.action = "na.omit")
  expect_identical(by_name$table, tc_estimate(model, with_missing, na.action = stats::na.omit)$table)
  expect_error(tc_estimate(model, with_missing, na.action = "na.fail"), "row 3 is NA", fixed = TRUE)
  expect_error(tc_estimate(model, weeks, na.action = "na.pass"), "na.fail or na.omit", fixed = TRUE)
})

test_that("labels of one class, of three, and none say what is wanted", {
  expect_error(tc_fit(label ~ score, spam_train[spam_train$label == 1, ]), "all rows have the label 1;", fixed = TRUE)
  expect_error(tc_fit(label ~ score, spam_train[0, ]), "label: there are no rows", fixed = TRUE)
  expect_error(tc_estimate(model, weeks[0, ]), "newdata: there are no rows", fixed = TRUE)
  expect_error(tc_estimate(model, weeks[0, ], by = ~week), "newdata: there are no rows", fixed = TRUE)
  kinds <- transform(spam_train, kind = factor(ifelse(label == 1, "spam", ifelse(score > 0, "ham", "news"))))
  expect_error(tc_fit(kind ~ score, kinds), "as in kind == \"spam\" ~ score", fixed = TRUE)
  expect_error(tc_fit(kind ~ score, kinds, positive = "ham"), "as in kind == \"ham\" ~ score", fixed = TRUE)
  expect_identical(
    coef(tc_estimate(tc_fit(kind == "spam" ~ score, kinds), weeks)), coef(tc_estimate(model, weeks))
  )
})

test_that("bytes that are not text are located", {
  broken <- weeks
  broken$week[5] <- "2026-\xff"
  error <- expect_error(tc_estimate(model, broken, by = ~week), "by: week, row 5", class = "truecount_value_not_text")
  expect_identical(error$fields$row, 5L)
  broken$week <- factor(broken$week)
  expect_error(tc_estimate(model, broken, by = "week"), "by: week, row 5", class = "truecount_value_not_text")
  labels <- transform(spam_train, label = ifelse(label == 1, "sp\xe4m", "ham"))
  expect_error(tc_fit(label ~ score, labels), "label: row 1", class = "truecount_value_not_text")
})

test_that("a file of saveRDS is not a model file", {
  for (compress in c(TRUE, FALSE)) {
    file <- tempfile(fileext = ".rds")
    saveRDS(model, file, compress = compress)
    expect_error(tc_read_model(file), "readRDS()", fixed = TRUE, class = "truecount_not_a_model")
  }
})

test_that("data may come first, as after a pipe", {
  expect_identical(tc_fit(spam_train, label ~ score)$text, model$text)
  expect_identical(tc_estimate(weeks, model, by = ~week)$table, tc_estimate(model, weeks, by = ~week)$table)
  expect_identical(
    tc_estimate(weeks, label ~ score, labelled = spam_train)$table, tc_estimate(model, weeks)$table
  )
  expect_identical(tc_check(weeks, model)$table, tc_check(model, weeks)$table)
  expect_identical(tc_compare(weeks, model, by = ~week)$table, tc_compare(model, weeks, by = ~week)$table)
  expect_identical(
    tc_evaluate(spam_pool, model, samples = 20, seed = 1)$table,
    tc_evaluate(model, spam_pool, samples = 20, seed = 1)$table
  )
  expect_error(tc_estimate(weeks, weeks), "model must be a result of tc_fit()", fixed = TRUE)
})

test_that("a call with data first can be updated", {
  estimates <- tc_estimate(weeks, model)
  expect_identical(as.list(estimates$call)[-1], list(model = quote(model), newdata = quote(weeks)))
  expect_identical(stats::update(estimates, by = ~week)$table, tc_estimate(model, weeks, by = ~week)$table)
  expect_error(tc_fit(score ~ label, spam_train), "labels are on the left", fixed = TRUE)
  # The error of an argument is raised once.
  expect_no_warning(expect_error(tc_estimate(model, stop("no data")), "no data", fixed = TRUE))
})

test_that("labelled and new scores in the wrong place say where they belong", {
  expect_error(
    tc_estimate(label ~ score, data = spam_train, newdata = weeks), "labelled is missing: give the labelled scores, ",
    fixed = TRUE
  )
  expect_error(tc_compare(label ~ score, weeks), "labelled is missing", fixed = TRUE)
  expect_error(tc_plan(label ~ score, half_width = 0.02), "pilot is missing", fixed = TRUE)
  message <- "labelled has no column label, but newdata has; the labelled scores come after the new ones"
  expect_error(tc_estimate(label ~ score, spam_train, weeks), message, fixed = TRUE)
  expect_error(tc_compare(label ~ score, spam_train, weeks), message, fixed = TRUE)
})

test_that("a comparison names its arguments for results and for samples", {
  estimates <- tc_estimate(model, weeks)
  expect_error(tc_compare(estimates), "model is a result of tc_estimate(); give the model", fixed = TRUE)
  expect_error(
    tc_compare(model, weeks, weeks[1:100, ]), "by has the columns of newdata; to compare with another sample, ",
    fixed = TRUE
  )
})

test_that("the label of audited rows may not be the model's", {
  audited <- transform(spam_audited, label = ifelse(label == 1, "spam", "ham"))
  expect_error(
    tc_audit(model, spam_pool, audited),
    "the audited rows have the labels \"ham\", \"spam\", but the positive label is \"1\"; if one of them is the same, ",
    fixed = TRUE
  )
})

test_that("a query takes names, and its dialect may be named by a database", {
  expect_error(tc_sql(model, weeks), "table is of class data.frame; a name in the database is wanted", fixed = TRUE)
  expect_error(tc_sql(model, "mails", by = weeks["week"]), "by is of class data.frame", fixed = TRUE)
  expect_error(tc_sql(model, "mails", dialect = "duckdb"), "duckdb reads the dialect \"ansi\"", fixed = TRUE)
})

test_that("vectors without names are groups with names", {
  late <- weeks$week > "2026-W01"
  expect_identical(tc_estimate(model, weeks, by = list(late))$by, "group")
  expect_identical(tc_estimate(model, weeks, by = list(late, week = weeks$week))$by, c("group", "week"))
  expect_identical(tc_estimate(model, weeks, by = list(late, weeks$week))$by, c("group1", "group2"))
})

test_that("columns of the table are elements of a result, which come first", {
  estimates <- tc_estimate(model, weeks, by = ~week, total = TRUE)
  expect_identical(estimates$prevalence, estimates$table$prevalence)
  expect_identical(estimates$week, c("2026-W01", "2026-W02", "2026-W03"))
  expect_identical(nrow(estimates$total), 1L)
  expect_identical(estimates$level, 0.95)
  expect_null(tc_estimate(model, weeks)$total)
  expect_null(estimates$nothing)
})

test_that("a printed model names its formula and methods", {
  without_label <- spam_train
  without_label$label[7] <- NA
  expect_output(print(model), "Model of label ~ score, method es\n", fixed = TRUE)
  expect_output(print(tc_fit(label ~ score, spam_train, c("es", "ac"))), "methods es, ac\n", fixed = TRUE)
  complete <- tc_fit(label ~ score, without_label, na.action = na.omit)
  expect_output(print(complete), "\n1 row with NA left out", fixed = TRUE)
})

test_that("a score that depends on the other rows is an error, because new rows are others", {
  for (formula in list(label ~ scale(score), label ~ rank(score), label ~ I(score / max(score)))) {
    expect_error(tc_fit(formula, spam_train), "depends on the other rows, so new scores would", fixed = TRUE)
  }
  shift <- 0.5
  expect_equal(
    coef(tc_estimate(tc_fit(label ~ plogis(score + shift), spam_train), weeks)), coef(tc_estimate(model, weeks))
  )
})

test_that("errors about sizes name the argument", {
  expect_error(tc_estimate(model, weeks, by = ~week, population = 1e5), "population: with groups, it must be a vector", fixed = TRUE)
  expect_error(
    tc_estimate(model, weeks, by = ~week, standardise = c("2026-W01" = 1)),
    "standardise: group 2026-W02 has no size", fixed = TRUE
  )
})

test_that("an error about a wrong argument is short and has a class, however large the argument is", {
  calls <- alist(
    tc_plan(model, spam_weeks), tc_plan(spam_weeks, model), tc_draw_audit(model, spam_pool, spam_weeks),
    tc_draw_audit(model, spam_pool, 10, seed = spam_weeks), tc_plan_audit(model, spam_pool, spam_weeks),
    tc_monitor(model, weeks, by = ~week, above = spam_weeks),
    tc_monitor(model, weeks, by = ~week, baseline = spam_weeks),
    tc_estimate(model, weeks, check = spam_weeks), tc_estimate(model, weeks, level = spam_weeks),
    tc_estimate(model, weeks, target = spam_weeks), tc_estimate(model, weeks, population = spam_weeks),
    tc_estimate(model, weeks, columns = spam_weeks), tc_estimate(model, weeks, cluster = spam_weeks),
    tc_fit(label ~ score, spam_train, method = spam_weeks), tc_fit(label ~ score, spam_train, positive = spam_weeks),
    tc_fit(label ~ score, spam_train, family = spam_weeks$week), tc_fit(label ~ score, spam_train, cutoff = spam_weeks),
    tc_audit(model, spam_pool, spam_audited, total = "no"),
    tc_audit(model, spam_pool, spam_audited, label = spam_weeks),
    tc_compare(model, weeks, by = ~week, reference = spam_weeks), tc_evaluate(model, spam_pool, spam_weeks),
    tc_counts(35, 800, 0.9, 0.9, level = spam_weeks), tc_sql(model, "mails", dialect = spam_weeks$week),
    tc_report(model, weeks, spam_weeks), tc_read_model(spam_weeks)
  )
  for (call in calls) {
    error <- expect_error(eval(call), class = "truecount_error", info = truecount:::format_value(call))
    expect_lt(nchar(conditionMessage(error)), 100)
  }
  expect_error(tc_plan(model, spam_weeks), "^se is of class data.frame, with 13646 rows; it must be a number$")
  expect_error(tc_fit(label ~ score, spam_train, family = c("normal", "beta")), "it must be a single text")
  summary <- utils::capture.output(summary(do.call(tc_estimate, list(model, weeks))))
  expect_lt(max(nchar(summary)), 600)
})

test_that("a score of another table's column is an error, because it is the same for all new data", {
  train <- transform(spam_train, p = plogis(score))
  message <- "train$p has the same values for all new data; use data =, as in tc_fit(label ~ p, data = train)"
  expect_error(tc_fit(train$label ~ train$p), message, fixed = TRUE, class = "truecount_option_invalid")
  expect_error(tc_fit(train$label ~ train$p, train), message, fixed = TRUE)
  expect_error(tc_fit(train$label ~ qlogis(train$p)), "same values for all new data", fixed = TRUE)
  expect_error(tc_check(train$label ~ train$p, weeks, labelled = train), "use data =", fixed = TRUE)
  shift <- list(by = 0.5)
  moved <- tc_fit(label ~ I(score + shift$by), spam_train)
  expect_equal(coef(tc_estimate(moved, weeks)), coef(tc_estimate(model, weeks)))
})
