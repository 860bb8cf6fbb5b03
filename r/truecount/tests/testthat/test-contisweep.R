# Continuous Sweep with normal classes, compared with its definition in plain R.

definition <- new.env()
source(system.file("definitions", "continuous-sweep.R", package = "truecount"), local = definition)

# Scores whose sample mean and standard deviation are exactly those of the class.
exact_scores <- function(n, class) class[1] + class[2] * as.vector(scale(stats::qnorm(stats::ppoints(n))))

settings <- list(
  "equal spreads" = list(pos = c(2, 1), neg = c(0, 1)),
  "wide positives" = list(pos = c(1, 3), neg = c(0, 1)),
  "wide negatives, region left of both means" = list(pos = c(0.3, 0.4), neg = c(0, 3)),
  "weak" = list(pos = c(0.3, 1), neg = c(0, 1.1)),
  "well separated" = list(pos = c(4, 1.2), neg = c(0, 0.8))
)

unlabelled <- list(
  both = c(exact_scores(60, c(2, 1)), exact_scores(140, c(0, 1.5))),
  ties = rep(-3:5, c(1, 2, 9, 30, 20, 8, 3, 2, 1)), few = c(-0.5, 0), far = c(-90, 80, 90)
)

test_that("estimates at a fixed and the optimal threshold agree with the definition", {
  for (name in names(settings)) {
    setting <- settings[[name]]
    labelled <- data.frame(
      label = rep(1:0, c(80, 120)), score = c(exact_scores(80, setting$pos), exact_scores(120, setting$neg))
    )
    pos <- definition$normal(labelled$score[labelled$label == 1])
    neg <- definition$normal(labelled$score[labelled$label == 0])
    max_difference <- definition$difference(definition$peak(pos, neg), pos, neg)
    for (p_delta in c(0.1 * max_difference, 0.7 * max_difference, NA)) {
      optimal <- is.na(p_delta)
      model <- if (optimal) {
        tc_fit(label ~ score, labelled, "o-cs")
      } else {
        tc_fit(label ~ score, labelled, "cs", threshold = p_delta)
      }
      ends <- definition$region(if (optimal) definition$optimal(pos, neg) else p_delta, pos, neg)
      for (scores in unlabelled) {
        estimate <- suppressWarnings(tc_estimate(model, scores, misfit = "warn"))$table$raw
        error <- estimate - definition$swept(scores, pos, neg, ends)
        expect_lt(abs(error), 1e-12, label = sprintf("%s, p_delta %.3f, error %g", name, p_delta, error))
      }
    }
  }
})

test_that("one of the settings has its region on one side of both means", {
  setting <- settings[["wide negatives, region left of both means"]]
  pos <- list(mean = setting$pos[1], sd = setting$pos[2])
  neg <- list(mean = setting$neg[1], sd = setting$neg[2])
  expect_lt(definition$region(definition$optimal(pos, neg), pos, neg)[2], min(pos$mean, neg$mean))
})
