# What the command says of the same data, as a table.
command <- function(...) {
  program <- Sys.getenv("TRUECOUNT_COMMAND")
  if (program == "") testthat::skip("TRUECOUNT_COMMAND is not set")
  said <- tempfile(fileext = ".csv")
  on.exit(unlink(said))
  arguments <- shQuote(c(..., "--format", "csv"))
  status <- system2(program, arguments, stdout = said, stderr = FALSE)
  testthat::expect_identical(as.integer(status), 0L)
  utils::read.csv(said)
}

# A table as a file for the command.
written <- function(table, env = parent.frame()) {
  file <- tempfile(fileext = ".csv")
  do.call(on.exit, list(substitute(unlink(file), list(file = file)), add = TRUE), envir = env)
  # Doubles with all their digits.
  exact <- lapply(table, function(values) if (is.double(values)) sprintf("%.17g", values) else values)
  utils::write.csv(as.data.frame(exact), file, row.names = FALSE, quote = FALSE)
  file
}

expect_close <- function(found, wanted, tolerance = 1e-12) {
  testthat::expect_equal(as.double(found), as.double(wanted), tolerance = tolerance)
}
