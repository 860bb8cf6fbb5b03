model <- tc_fit(label ~ score, spam_train)
shops <- data.frame(spam_pool, shop = rep(c("c", "a", "b"), length.out = nrow(spam_pool)))
audited <- tc_draw_audit(model, shops, 60, by = ~shop, seed = 3)

test_that("an audit agrees with the command", {
  files <- c("--test", csv_file(spam_pool), "--train", csv_file(spam_train), "--audit", csv_file(spam_audited))
  expected <- command("audit", files)
  audit <- tc_audit(model, spam_pool, spam_audited)
  estimate <- c("n", "audited", "prevalence", "raw", "se", "lower", "upper")
  for (column in c(estimate, "weight", "difference", "difference_se", "p_value")) {
    expect_close(audit$table[[column]], expected[[column]])
  }
  expect_identical(audit$table$source, expected$source)
  expect_identical(audit$table$recommended, expected$recommended == "true")
})

test_that("the test of a margin agrees with the command", {
  expected <- command(
    "audit", "--test", csv_file(spam_pool), "--train", csv_file(spam_train), "--audit", csv_file(spam_audited),
    "--margin", "0.05"
  )
  audit <- tc_audit(model, spam_pool, spam_audited, margin = 0.05)
  for (column in c("difference_lower", "difference_upper", "margin")) {
    expect_close(audit$table[[column]], expected[[column]])
  }
  expect_identical(audit$table$verdict[3], "pass")
  expect_error(tc_audit(model, spam_pool, spam_audited, margin = 0), class = "truecount_parameter_out_of_range")
  expect_error(tc_audit(label ~ score, spam_pool, spam_audited, margin = 0.05), class = "truecount_option_conflict")
})

test_that("an audit of groups agrees with the command", {
  expected <- command(
    "audit", "--test", csv_file(shops), "--train", csv_file(spam_train), "--audit", csv_file(audited),
    "--by", "shop", "--target", "population", "--sort", "shop"
  )
  audit <- tc_audit(model, shops, audited, by = ~shop, target = "population")
  expect_identical(audit$table$shop, expected$shop)
  for (column in c("prevalence", "se", "lower", "upper", "p_value")) {
    expect_close(audit$table[[column]], expected[[column]])
  }
})

test_that("without external labels the audited labels are the only source", {
  expected <- command("audit", "--test", csv_file(spam_pool), "--audit", csv_file(spam_audited))
  audit <- tc_audit(label ~ score, spam_pool, spam_audited)
  expect_identical(audit$table$source, c("labels", "ppi++"))
  expect_close(audit$table$se, expected$se)
  expect_match(audit$why, "needs no assumption")
  # All audited labels may be the same.
  none <- tc_audit(label ~ score, spam_pool, transform(spam_audited, label = 0))
  expect_identical(none$table$prevalence, c(0, 0))
  expect_true(all(none$table$upper > 0 & none$table$upper < 0.1))
})

test_that("plans and draws agree with the command", {
  expected <- command(
    "audit", "--test", csv_file(shops), "--train", csv_file(spam_train), "--half-width", "0.04", "--by", "shop"
  )
  plan <- tc_plan_audit(model, shops, 0.04, by = ~shop)
  expected <- expected[order(expected$shop), ]
  expect_identical(plan$table$audited, expected$audited)
  expect_close(plan$table$half_width, expected$half_width)
  expected <- command(
    "audit", "--test", csv_file(spam_pool), "--train", csv_file(spam_train), "--half-width", "0.04", "--prevalence",
    "0.1"
  )
  plan <- tc_plan_audit(model, spam_pool, 0.04, prevalence = 0.1)
  expect_identical(plan$table$audited, expected$audited)
  expected <- command(
    "audit", "--test", csv_file(spam_pool), "--train", csv_file(spam_train), "--draw", "50", "--seed", "7"
  )
  draw <- tc_draw_audit(model, spam_pool$score, 50, seed = 7)
  expect_identical(draw$row, expected$row)
  expect_close(draw$audit_weight, expected$audit_weight)
})

test_that("drawn rows are rows of the data, by group", {
  expect_identical(audited$score, shops[rownames(audited), "score"])
  expect_identical(as.vector(table(audited$shop)), rep(60L, 3))
  expect_named(audited, c(names(shops), "audit_weight"))
  set.seed(1)
  first <- tc_draw_audit(model, shops, 5)
  set.seed(1)
  expect_identical(tc_draw_audit(model, shops, 5), first)
  # Omitted rows cannot be drawn.
  gaps <- rbind(data.frame(score = NA, label = NA, shop = "a"), shops)
  without_gaps <- tc_draw_audit(model, gaps, 60, by = ~shop, seed = 3, na.action = stats::na.omit)
  expect_identical(without_gaps$score, audited$score)
})

test_that("coef and confint read the recommended estimates, by group", {
  audit <- tc_audit(model, shops, audited, by = "shop")
  recommended <- audit$table[audit$table$recommended, ]
  expect_identical(coef(audit), stats::setNames(recommended$prevalence, c("a", "b", "c")))
  expect_identical(confint(audit)[, 2], stats::setNames(recommended$upper, c("a", "b", "c")))
  expect_lt(diff(confint(audit, "b", level = 0.5)[1, ]), diff(confint(audit, "b")[1, ]))
  expect_named(audit$why, c("a", "b", "c"))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(audit), audit)
})

test_that("audit_outside_test adds the audited rows to newdata", {
  inside <- tc_audit(model, spam_pool, spam_audited)
  outside <- tc_audit(model, spam_pool[-spam_audited$row, ], spam_audited, audit_outside_test = TRUE)
  expect_equal(outside$table, inside$table, tolerance = 1e-12)
})

test_that("audited labels are read as the model's labels", {
  as_words <- function(rows) within(rows, label <- ifelse(label == 1, "spam", "ham"))
  word_model <- tc_fit(label ~ score, as_words(spam_train), positive = "spam")
  audit <- tc_audit(word_model, spam_pool, as_words(spam_audited))
  expect_identical(audit$table, tc_audit(model, spam_pool, spam_audited)$table)
  all_spam <- within(spam_audited, label <- "spam")
  expect_identical(tc_audit(word_model, spam_pool, all_spam)$table$prevalence[1], 1)
  expect_error(tc_audit(word_model, spam_pool, within(all_spam, label <- "ham")), class = "truecount_positive_unknown")
  file <- tempfile()
  tc_write_model(model, file)
  model_from_file <- tc_read_model(file)
  expect_error(tc_audit(model_from_file, spam_pool, spam_audited), class = "truecount_option_invalid")
  audit <- tc_audit(model_from_file, spam_pool, spam_audited, label = ~label)
  expect_identical(audit$table, tc_audit(model, spam_pool, spam_audited)$table)
})

test_that("errors name the caller's rows", {
  audit_error <- function(...) tryCatch(tc_audit(model, ...), truecount_error = identity)
  wrong <- within(spam_audited, score[2:3] <- c(NA, Inf))
  error <- audit_error(spam_pool, wrong, na.action = stats::na.omit)
  expect_identical(error$fields$row, 3L)
  expect_match(conditionMessage(error), "audited score: score 3 is inf")
  expect_identical(audit_error(shops, within(audited, shop[1] <- "d"), by = ~shop)$fields$group, "d")
  expect_s3_class(audit_error(spam_pool, spam_audited[0, ]), "truecount_audit_empty")
  expect_s3_class(audit_error(spam_pool, spam_audited, interval = "bootstrap"), "truecount_option_conflict")
  expect_s3_class(audit_error(shops, audited, by = shops$shop), "truecount_option_invalid")
  expect_error(tc_draw_audit(model, audited, 5), class = "truecount_column_taken")
  expect_error(tc_draw_audit(model, shops, 0), class = "truecount_option_invalid")
})

test_that("tc_methods and tc_families list names that tc_fit accepts", {
  expect_true(all(c("es", "ac", "sld") %in% tc_methods()$name))
  expect_silent(tc_fit(label ~ score, spam_train, method = "o-cs", family = tc_families()$name[1]))
})

# Ninety users with ten rows each, of whom four in nine were drawn from three languages.
users <- local({
  set.seed(7)
  user <- rep(0:89, each = 10)
  positive <- stats::runif(900) < c(0.2, 0.4, 0.6)[user %% 3 + 1]
  data.frame(
    score = stats::rnorm(900, ifelse(positive, 1.5, 0)), lang = c("en", "fr", "de")[user %% 3 + 1],
    user = paste0("u", user), views = 1 + seq_len(900)^2 %% 7, half = ifelse(user %/% 3 %% 2 == 0, "a", "b"),
    anna = as.integer(xor(positive, stats::runif(900) < 0.1)), ben = as.integer(xor(positive, stats::runif(900) < 0.1))
  )
})
drawn_users <- users[as.integer(sub("u", "", users$user)) %% 9 < 4, ]
# The command's order of rows: by their label and user.
drawn_users <- drawn_users[order(match(
  paste(drawn_users$anna, drawn_users$ben, drawn_users$user),
  unique(paste(drawn_users$anna, drawn_users$ben, drawn_users$user))
)), ]

test_that("designs agree with the command", {
  expected <- command(
    "audit", "--test", csv_file(users), "--audit", csv_file(drawn_users), "--audit-label", "anna", "--cluster", "user",
    "--stratum", "lang", "--weight", "views", "--by", "half", "--total"
  )
  audit <- tc_audit(
    anna ~ score, users, drawn_users, by = ~half, weights = ~views, cluster = ~user, stratum = ~lang, total = TRUE
  )
  for (column in c("n", "audited", "prevalence", "raw", "se", "lower", "upper")) {
    expect_close(c(audit$table[[column]], audit$total[[column]]), expected[[column]])
  }
  expect_identical(nrow(audit$total), 2L)
  expect_error(tc_audit(anna ~ score, users, drawn_users, total = TRUE), class = "truecount_option_conflict")
})

test_that("a survey design gives the sampling weights of audited rows", {
  skip_if_not_installed("survey")
  drawn_users$w <- 9 / 4
  design <- survey::svydesign(~user, strata = ~lang, weights = ~w, data = drawn_users)
  expect_error(tc_audit(anna ~ score, users, design), class = "truecount_option_conflict")
  audit <- tc_audit(anna ~ score, users, design, cluster = ~user, stratum = ~lang)
  expect_identical(audit$table, tc_audit(anna ~ score, users, drawn_users, cluster = ~user, stratum = ~lang)$table)
  # Whole clusters of a third of the rows each: svymean has the same mean, and with fpc the same variance.
  design <- survey::svydesign(
    ~user, strata = ~lang, data = transform(drawn_users, fpc = 30), fpc = ~fpc
  )
  mean <- survey::svymean(~anna, design)
  expect_close(audit$table$raw[1], stats::coef(mean))
  expect_close(audit$table$se[1], survey::SE(mean))
})

test_that("several people's labels agree with the command", {
  drawn_users$ben[c(TRUE, FALSE, FALSE, FALSE)] <- NA
  arguments <- list(
    "audit", "--test", csv_file(users), "--audit-label", "anna,ben", "--cluster", "user", "--audit",
    csv_file(within(drawn_users, ben <- ifelse(is.na(ben), "", ben)))
  )
  expected <- do.call(command, arguments)
  audit <- tc_audit(anna ~ score, users, drawn_users, label = ~ anna + ben, cluster = ~user)
  agreement <- expected[expected$table == "agreement", ]
  for (column in c("people", "rows", "agreement", "kappa", "kappa_se", "kappa_lower")) {
    expect_close(audit$agreement[[column]], agreement[[column]])
  }
  errors <- expected[expected$table == "label_errors", ]
  expect_identical(audit$label_errors$errors, errors$errors)
  expect_close(audit$label_errors$se, errors$se)
  named <- tc_audit(
    anna ~ score, users, drawn_users, by = "half", label = c("anna", "ben"), cluster = ~user, total = TRUE
  )
  expect_identical(named$agreement$half, c("a", "b", NA))
  expect_identical(named$agreement$rows[3], audit$agreement$rows)
})

test_that("areas and accuracies are those of Olofsson et al. (2014)", {
  classes <- c("deforestation", "forest gain", "stable forest", "stable non-forest")
  sites <- expand.grid(reference = classes, map = classes)
  sites$n <- c(66, 0, 5, 4, 0, 55, 8, 12, 1, 0, 153, 11, 2, 1, 9, 313)
  areas <- c(200000, 150000, 3200000, 6450000) * 0.09
  audit <- tc_audit_classes(reference ~ map, sites, stats::setNames(areas, classes), count = ~n)
  of <- function(measure) audit$table[audit$table$measure == measure, ]
  expect_identical(of("share")$class, classes)
  # Hectares with their 95 % margins, and accuracies, as published.
  expect_identical(round(of("share")$size[1:2]), c(21158, 11686))
  expect_identical(round(1.96 * of("share")$se[1:2] * sum(areas)), c(6158, 3756))
  expect_identical(round(of("user")$accuracy, 2), c(0.88, 0.73, 0.93, 0.96))
  expect_identical(round(of("producer")$accuracy, 2), c(0.75, 0.85, 0.93, 0.96))
  expect_identical(round(of("overall")$accuracy, 2), 0.95)
  # A row for each site, and a row for each pixel.
  drawn <- sites[rep(seq_len(16), sites$n), c("map", "reference")]
  pixels <- data.frame(map = rep(classes, c(2000, 1500, 32000, 64500)))
  expect_close(tc_audit_classes(reference ~ map, drawn, pixels, target = "population")$prevalence, audit$prevalence)
  expect_error(tc_audit_classes(reference ~ map, sites, areas, count = ~n), "sizes has no size of 'deforestation'")
})
