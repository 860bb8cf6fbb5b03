# Errors and warnings as R conditions, with classes by their kind, and the code and fields of the
# library.

# Creates an error. Its kind is scores, labels, options, model, tally or file.
new_error <- function(code, kind, message, fields = list(), call = NULL) {
  structure(
    class = c(
      paste0("truecount_", gsub("-", "_", code)), paste0("truecount_", kind, "_error"), "truecount_error", "error",
      "condition"
    ),
    list(message = message, call = call, code = code, fields = fields)
  )
}

abort <- function(code, kind, message, ..., call = NULL) {
  stop(new_error(code, kind, message, list(...), call))
}

# Returns a result of Rust, or raises the error that it describes. `locate` adds the caller's names
# and rows to an error.
unwrap <- function(result, locate = identity) {
  result <- tryCatch(result, simpleError = function(error) {
    # Rust's errors about the type or the length of an argument.
    message <- conditionMessage(error)
    parts <- regmatches(message, regexec("^Argument `(.*)` (must be .*)$", message))[[1]]
    if (length(parts) == 0) stop(error)
    wanted <- sub("length 1 of non-missing value", "a single value", parts[3], fixed = TRUE)
    abort("option-invalid", "options", paste(parts[2], wanted), name = parts[2])
  })
  if (!is.list(result) || is.null(result$error)) {
    return(result)
  }
  error <- locate(result$error)
  stop(new_error(error$code, error$kind, error$message, error$fields))
}

warn <- function(message, code, ...) {
  warning(structure(
    class = c(paste0("truecount_", gsub("-", "_", code)), "truecount_warning", "warning", "condition"),
    list(message = message, call = NULL, code = code, fields = list(...))
  ))
}
