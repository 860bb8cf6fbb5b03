# What R's package survey says of labelled samples: one line of JSON's numbers for each, in the order of the file.
# Columns: sample, g, label, w, cluster (NA where rows were drawn one by one). After it, the prevalences of the contrasts.
suppressMessages(library(survey))
options(digits = 17)
arguments <- commandArgs(trailingOnly = TRUE)
all <- read.csv(arguments[1])
alphas <- as.numeric(arguments[-1])

of_class <- function(rows, class) svymean(~g, svydesign(ids = ~1, weights = ~w, data = rows[rows$label == class, ]))

one_by_one <- function(rows) {
  positive <- of_class(rows, 1)
  negative <- of_class(rows, 0)
  # Independent samples.
  c(coef(positive), coef(negative), sqrt(alphas^2 * SE(positive)[1]^2 + (1 - alphas)^2 * SE(negative)[1]^2))
}

in_clusters <- function(rows) {
  means <- svyby(~g, ~label, svydesign(ids = ~cluster, weights = ~w, data = rows), svymean, covmat = TRUE)
  se <- sapply(alphas, function(alpha) SE(svycontrast(means, c("1" = alpha, "0" = 1 - alpha))))
  c(coef(means)["1"], coef(means)["0"], se)
}

for (rows in split(all, all$sample)) {
  found <- if (is.na(rows$cluster[1])) one_by_one(rows) else in_clusters(rows)
  cat(paste(sprintf("%.17g", found), collapse = " "), "\n")
}
