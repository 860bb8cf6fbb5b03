# What the command says of the same data, as a data frame; without a command the test is skipped.
command <- function(...) {
  program <- Sys.getenv("TRUECOUNT_COMMAND")
  skip_if(program == "", "TRUECOUNT_COMMAND is not set")
  file <- tempfile(fileext = ".csv")
  said <- suppressWarnings(system2(program, shQuote(c(..., "--format", "csv", "--output", file)), stdout = TRUE, stderr = TRUE))
  if (!file.exists(file)) stop(paste(said, collapse = "\n"))
  utils::read.csv(file, na.strings = "")
}

written <- function(data) {
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  file
}

# The same numbers but for the last digits.
expect_same <- function(found, expected) expect_equal(found, expected, tolerance = 1e-12)
