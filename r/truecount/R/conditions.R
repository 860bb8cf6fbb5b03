# Errors and warnings as conditions: classes by what can be done, with the code and the fields of the library.

# What the library's sentences lack: the arguments and functions that a remedy has here.
advice <- c(
  "classes-not-separated-at-cutoff" = " (cutoff)",
  "few-values" = " (rates = \"labels\", or a method such as \"es\", \"ac\" or \"pacc\")",
  "interval-of-population" = " (interval = \"wilson\")",
  "prior-shift-rejected" = "; see tc_check()",
  "prior-shift-doubtful" = "; see tc_check()",
  "pool-too-small" = " (size)",
  "threshold-not-reached" = " (o-cs, o-ms), or another method"
)

worded <- function(code, sentence) {
  paste0(sentence, ifelse(code %in% names(advice), advice[code], ""))
}

# An error: its code, what it is about (scores, labels, options, model, tally, file), a sentence, and what it is of.
failure <- function(code, subject, message, fields = list(), call = NULL) {
  structure(
    class = c(
      paste0("truecount_", gsub("-", "_", code)), paste0("truecount_", subject, "_error"), "truecount_error", "error", "condition"
    ),
    list(message = message, call = call, code = code, fields = fields)
  )
}

refuse <- function(code, subject, message, ..., call = NULL) {
  stop(failure(code, subject, message, list(...), call))
}

# What Rust has found, or the condition that it describes. `located` turns where an error is into words and fields of the caller.
native <- function(found, located = identity) {
  if (!is.list(found) || is.null(found$failure)) {
    return(found)
  }
  what <- located(found$failure)
  stop(failure(what$code, what$subject, worded(what$code, what$message), what$fields))
}

warned <- function(message, code, ...) {
  warning(structure(
    class = c(paste0("truecount_", gsub("-", "_", code)), "truecount_warning", "warning", "condition"),
    list(message = message, call = NULL, code = code, fields = list(...))
  ))
}
