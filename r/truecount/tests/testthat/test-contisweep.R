# Continuous Sweep with normal classes, as contisweep has it, beside its definition in plain R.

of <- new.env()
source(system.file("definitions", "continuous-sweep.R", package = "truecount"), local = of)

# Scores with exactly this mean and standard deviation.
exact <- function(n, class) class[1] + class[2] * as.vector(scale(stats::qnorm(stats::ppoints(n))))

settings <- list(
  "equal spreads" = list(pos = c(2, 1), neg = c(0, 1)),
  "wide positives" = list(pos = c(1, 3), neg = c(0, 1)),
  "wide negatives, region left of both means" = list(pos = c(0.3, 0.4), neg = c(0, 3)),
  "weak" = list(pos = c(0.3, 1), neg = c(0, 1.1)),
  "well separated" = list(pos = c(4, 1.2), neg = c(0, 0.8))
)

unlabelled <- list(
  both = c(exact(60, c(2, 1)), exact(140, c(0, 1.5))), ties = rep(-3:5, c(1, 2, 9, 30, 20, 8, 3, 2, 1)), few = c(-0.5, 0),
  far = c(-90, 80, 90)
)

test_that("a fixed threshold and the optimal one give what the definition says", {
  for (name in names(settings)) {
    setting <- settings[[name]]
    labelled <- data.frame(label = rep(1:0, c(80, 120)), score = c(exact(80, setting$pos), exact(120, setting$neg)))
    pos <- of$normal(labelled$score[labelled$label == 1])
    neg <- of$normal(labelled$score[labelled$label == 0])
    most <- of$difference(of$peak(pos, neg), pos, neg)
    for (p_delta in c(0.1 * most, 0.7 * most, NA)) {
      optimal <- is.na(p_delta)
      model <- if (optimal) tc_fit(label ~ score, labelled, "o-cs") else tc_fit(label ~ score, labelled, "cs", threshold = p_delta)
      ends <- of$region(if (optimal) of$optimal(pos, neg) else p_delta, pos, neg)
      for (scores in unlabelled) {
        ours <- suppressWarnings(tc_estimate(model, scores, misfit = "warn"))$table$raw
        by_definition <- of$swept(scores, pos, neg, ends)
        expect_lt(abs(ours - by_definition), 1e-12, label = sprintf("%s, p_delta %.3f, apart by %g", name, p_delta, ours - by_definition))
      }
    }
  }
})

test_that("a region on one side of both means is among them", {
  setting <- settings[["wide negatives, region left of both means"]]
  pos <- list(mean = setting$pos[1], sd = setting$pos[2])
  neg <- list(mean = setting$neg[1], sd = setting$neg[2])
  expect_lt(of$region(of$optimal(pos, neg), pos, neg)[2], min(pos$mean, neg$mean))
})
