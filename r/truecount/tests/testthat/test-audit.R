model <- tc_fit(label ~ score, spam_train)
shops <- data.frame(spam_pool, shop = rep(c("c", "a", "b"), length.out = nrow(spam_pool)))
drawn <- tc_draw_audit(model, shops, 60, by = ~shop, seed = 3)

test_that("an audit is that of the command", {
  said <- command("audit", "--test", written(spam_pool), "--train", written(spam_train), "--audit", written(spam_audited))
  found <- tc_audit(model, spam_pool, spam_audited)
  for (column in c("n", "audited", "prevalence", "raw", "se", "lower", "upper", "weight", "difference", "difference_se", "p_value")) {
    expect_close(found$table[[column]], said[[column]])
  }
  expect_identical(found$table$source, said$source)
  expect_identical(found$table$recommended, said$recommended == "true")
})

test_that("an audit of groups is that of the command", {
  said <- command(
    "audit", "--test", written(shops), "--train", written(spam_train), "--audit", written(drawn), "--by", "shop", "--target", "population",
    "--sort", "shop"
  )
  found <- tc_audit(model, shops, drawn, by = ~shop, target = "population")
  expect_identical(found$table$shop, said$shop)
  for (column in c("prevalence", "se", "lower", "upper", "p_value")) {
    expect_close(found$table[[column]], said[[column]])
  }
})

test_that("without labels from elsewhere there are the audited ones alone", {
  said <- command("audit", "--test", written(spam_pool), "--audit", written(spam_audited))
  found <- tc_audit(label ~ score, spam_pool, spam_audited)
  expect_identical(found$table$source, c("labels", "ppi++"))
  expect_close(found$table$se, said$se)
  expect_match(found$why, "needs no assumption")
})

test_that("plans and draws are those of the command", {
  said <- command("audit", "--test", written(shops), "--train", written(spam_train), "--half-width", "0.04", "--by", "shop")
  found <- tc_plan_audit(model, shops, 0.04, by = ~shop)
  said <- said[order(said$shop), ]
  expect_identical(found$table$audited, said$audited)
  expect_close(found$table$half_width, said$half_width)
  said <- command("audit", "--test", written(spam_pool), "--train", written(spam_train), "--draw", "50", "--seed", "7")
  found <- tc_draw_audit(model, spam_pool$score, 50, seed = 7)
  expect_identical(found$row, said$row)
  expect_close(found$audit_weight, said$audit_weight)
})

test_that("drawn rows are rows of the data, by group", {
  expect_identical(drawn$score, shops[rownames(drawn), "score"])
  expect_identical(as.vector(table(drawn$shop)), rep(60L, 3))
  expect_named(drawn, c(names(shops), "audit_weight"))
  set.seed(1)
  first <- tc_draw_audit(model, shops, 5)
  set.seed(1)
  expect_identical(tc_draw_audit(model, shops, 5), first)
  # Rows that are left out are not counted.
  gaps <- rbind(data.frame(score = NA, label = NA, shop = "a"), shops)
  expect_identical(tc_draw_audit(model, gaps, 60, by = ~shop, seed = 3, na.action = stats::na.omit)$score, drawn$score)
})

test_that("the answers have coefficients and intervals, by group", {
  found <- tc_audit(model, shops, drawn, by = "shop")
  answers <- found$table[found$table$recommended, ]
  expect_identical(coef(found), c(a = answers$prevalence[1], b = answers$prevalence[2], c = answers$prevalence[3]))
  expect_identical(confint(found)[, 2], c(a = answers$upper[1], b = answers$upper[2], c = answers$upper[3]))
  expect_lt(diff(confint(found, "b", level = 0.5)[1, ]), diff(confint(found, "b")[1, ]))
  expect_named(found$why, c("a", "b", "c"))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
})

test_that("rows beside the others are added to them", {
  inside <- tc_audit(model, spam_pool, spam_audited)
  beside <- tc_audit(model, spam_pool[-spam_audited$row, ], spam_audited, audit_outside_test = TRUE)
  expect_equal(beside$table, inside$table, tolerance = 1e-12)
})

test_that("labels are understood as those of the model", {
  words <- function(rows) within(rows, label <- ifelse(label == 1, "spam", "ham"))
  worded <- tc_fit(label ~ score, words(spam_train), positive = "spam")
  found <- tc_audit(worded, spam_pool, words(spam_audited))
  expect_identical(found$table, tc_audit(model, spam_pool, spam_audited)$table)
  some <- within(spam_audited, label <- "spam")
  expect_identical(tc_audit(worded, spam_pool, some)$table$prevalence[1], 1)
  expect_error(tc_audit(worded, spam_pool, within(some, label <- "ham")), class = "truecount_positive_unknown")
  file <- tempfile()
  tc_write_model(model, file)
  read <- tc_read_model(file)
  expect_error(tc_audit(read, spam_pool, spam_audited), class = "truecount_option_invalid")
  expect_identical(tc_audit(read, spam_pool, spam_audited, label = ~label)$table, tc_audit(model, spam_pool, spam_audited)$table)
})

test_that("errors name the rows of the caller", {
  refused <- function(...) tryCatch(tc_audit(model, ...), truecount_error = identity)
  wrong <- within(spam_audited, score[2:3] <- c(NA, Inf))
  found <- refused(spam_pool, wrong, na.action = stats::na.omit)
  expect_identical(found$fields$row, 3L)
  expect_match(conditionMessage(found), "audited score: score 3 is inf")
  expect_identical(refused(shops, within(drawn, shop[1] <- "d"), by = ~shop)$fields$group, "d")
  expect_s3_class(refused(spam_pool, spam_audited[0, ]), "truecount_audit_empty")
  expect_s3_class(refused(spam_pool, spam_audited, interval = "bootstrap"), "truecount_option_conflict")
  expect_s3_class(refused(shops, drawn, by = shops$shop), "truecount_option_invalid")
  expect_error(tc_draw_audit(model, drawn, 5), class = "truecount_column_taken")
  expect_error(tc_draw_audit(model, shops, 0), class = "truecount_option_invalid")
})

test_that("names can be chosen from", {
  expect_true(all(c("es", "ac", "sld") %in% tc_methods()$name))
  expect_silent(tc_fit(label ~ score, spam_train, method = "o-cs", family = tc_families()$name[1]))
})
