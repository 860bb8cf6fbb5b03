# The command's answer as a data frame: what R must agree with. Arguments with a name are its tables, all others its words. Skipped where
# the tests are not told of a command.
command <- function(...) {
  program <- Sys.getenv("TRUECOUNT_COMMAND")
  skip_if(program == "", "TRUECOUNT_COMMAND does not say where the command is")
  given <- list(...)
  named <- if (is.null(names(given))) logical(length(given)) else names(given) != ""
  tables <- given[named]
  words <- unlist(given[!named])
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  for (name in names(tables)) {
    utils::write.table(lapply_digits(tables[[name]]), file.path(folder, name), sep = ",", row.names = FALSE, quote = FALSE)
  }
  old <- setwd(folder)
  on.exit(setwd(old), add = TRUE, after = FALSE)
  out <- system2(program, c(shQuote(words), "--format", "csv"), stdout = TRUE, stderr = FALSE)
  utils::read.csv(text = out, check.names = FALSE)
}

# Every digit of a double.
lapply_digits <- function(table) {
  table[] <- lapply(table, function(values) if (is.double(values)) formatC(values, digits = 17, format = "g") else values)
  table
}

# A table as a file of its own.
written <- function(table, env = parent.frame()) {
  file <- tempfile(fileext = ".csv")
  do.call(on.exit, list(substitute(unlink(file), list(file = file)), add = TRUE), envir = env)
  utils::write.csv(lapply_digits(table), file, row.names = FALSE, quote = FALSE)
  file
}

# The columns of numbers of both, to the last digits.
expect_same_numbers <- function(found, wanted, columns = c("n", "prevalence", "raw", "se", "lower", "upper", "misfit")) {
  expect_equal(nrow(found), nrow(wanted))
  for (name in columns) {
    expect_equal(as.double(found[[name]]), as.double(wanted[[name]]), tolerance = 1e-12, info = name)
  }
}

expect_close <- function(found, wanted, tolerance = 1e-12) {
  expect_equal(as.double(found), as.double(wanted), tolerance = tolerance)
}
