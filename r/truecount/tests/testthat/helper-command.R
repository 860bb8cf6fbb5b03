# Runs the command and returns its output as a data frame; R's results must agree with it. Named
# arguments are tables, written to files of these names; the others are the command's arguments. The
# test is skipped if TRUECOUNT_COMMAND is not set.
command <- function(...) {
  program <- Sys.getenv("TRUECOUNT_COMMAND")
  skip_if(program == "", "TRUECOUNT_COMMAND does not say where the command is")
  arguments <- list(...)
  is_table <- if (is.null(names(arguments))) logical(length(arguments)) else names(arguments) != ""
  tables <- arguments[is_table]
  words <- unlist(arguments[!is_table])
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  for (name in names(tables)) {
    file <- file.path(folder, name)
    utils::write.table(with_all_digits(tables[[name]]), file, sep = ",", row.names = FALSE, quote = FALSE)
  }
  old <- setwd(folder)
  on.exit(setwd(old), add = TRUE, after = FALSE)
  out <- system2(program, c(shQuote(words), "--format", "csv"), stdout = TRUE, stderr = FALSE)
  utils::read.csv(text = out, check.names = FALSE)
}

# Formats doubles with all 17 digits.
with_all_digits <- function(table) {
  table[] <- lapply(table, function(values) {
    if (is.double(values)) formatC(values, digits = 17, format = "g") else values
  })
  table
}

# Writes a table to a CSV file, which is removed at the end of the test, and returns its path.
csv_file <- function(table, env = parent.frame()) {
  file <- tempfile(fileext = ".csv")
  do.call(on.exit, list(substitute(unlink(file), list(file = file)), add = TRUE), envir = env)
  utils::write.csv(with_all_digits(table), file, row.names = FALSE, quote = FALSE)
  file
}

# Expects numeric columns to be equal up to rounding.
expect_same_numbers <- function(actual, expected,
                                columns = c("n", "prevalence", "raw", "se", "lower", "upper", "misfit")) {
  expect_equal(nrow(actual), nrow(expected))
  for (name in columns) {
    expect_equal(as.double(actual[[name]]), as.double(expected[[name]]), tolerance = 1e-12, info = name)
  }
}

expect_close <- function(actual, expected, tolerance = 1e-12) {
  expect_equal(as.double(actual), as.double(expected), tolerance = tolerance)
}
