# Generates the help pages, NAMESPACE and the data of the package in the working directory.

roxygen2::roxygenise(load_code = roxygen2::load_source)
dir.create("data", showWarnings = FALSE)
read <- function(name) utils::read.csv(file.path("inst/spam", paste0(name, ".csv")))
spam_train <- read("train")
spam_weeks <- read("weeks")
spam_truth <- read("truth")
spam_audited <- read("audited")
spam_pool <- read("pool")
save(spam_train, spam_weeks, spam_truth, spam_audited, spam_pool, file = "data/spam.rda", version = 2, compress = "xz")
