# Results of R's package survey for labelled samples: one line of numbers for each, in the order of the file.
# Arguments: the file, with columns sample, g, label, w, cluster (NA without clusters); then the prevalences of the
# contrasts.
suppressMessages(library(survey))
options(digits = 17)
arguments <- commandArgs(trailingOnly = TRUE)
all <- read.csv(arguments[1])
alphas <- as.numeric(arguments[-1])

class_mean <- function(rows, class) svymean(~g, svydesign(ids = ~1, weights = ~w, data = rows[rows$label == class, ]))

without_clusters <- function(rows) {
  positive <- class_mean(rows, 1)
  negative <- class_mean(rows, 0)
  # The classes are independent samples.
  c(coef(positive), coef(negative), sqrt(alphas^2 * SE(positive)[1]^2 + (1 - alphas)^2 * SE(negative)[1]^2))
}

with_clusters <- function(rows) {
  means <- svyby(~g, ~label, svydesign(ids = ~cluster, weights = ~w, data = rows), svymean, covmat = TRUE)
  se <- sapply(alphas, function(alpha) SE(svycontrast(means, c("1" = alpha, "0" = 1 - alpha))))
  c(coef(means)["1"], coef(means)["0"], se)
}

for (rows in split(all, all$sample)) {
  numbers <- if (is.na(rows$cluster[1])) without_clusters(rows) else with_clusters(rows)
  cat(paste(sprintf("%.17g", numbers), collapse = " "), "\n")
}
