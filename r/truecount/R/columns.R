# Columns: what is asked for with a formula, a name or a vector, as plain vectors.

# Values of a one-sided formula, of a name, or as they are.
column <- function(asked, data, what) {
  if (is.null(asked)) {
    return(NULL)
  }
  if (inherits(asked, "formula")) {
    if (length(asked) != 2) {
      refuse("option-invalid", "options", sprintf("%s: a formula with one side is wanted, such as ~ %s", what, what), name = what)
    }
    return(valued(asked[[2]], data, environment(asked), what))
  }
  if (is.character(asked) && length(asked) == 1 && !is.null(data) && asked %in% names(data)) {
    return(data[[asked]])
  }
  asked
}

# An expression of columns; beside them, and without data at all, what stands where the formula was written.
valued <- function(expression, data, environment, what) {
  if (is.data.frame(data) && !any(all.vars(expression) %in% names(data))) {
    columns <- if (length(data) == 0) "there are none" else paste("the columns are", paste(names(data), collapse = ", "))
    refuse("column-unknown", "scores", sprintf("%s: no column is named in %s; %s", what, deparse1(expression), columns), column = what)
  }
  tryCatch(
    eval(expression, data, environment),
    error = function(error) {
      there <- if (is.null(names(data))) "" else sprintf("; the columns are %s", paste(names(data), collapse = ", "))
      refuse("column-unknown", "scores", sprintf("%s: %s%s", what, conditionMessage(error), there), column = what)
    }
  )
}

# The name of what is asked for.
label_of <- function(asked) {
  if (inherits(asked, "formula")) deparse1(asked[[2]]) else if (is.character(asked) && length(asked) == 1) asked else "stratum"
}

# A column of numbers, as doubles.
numbers <- function(values, what, n = NULL) {
  if (is.null(values)) {
    return(NULL)
  }
  if (is.factor(values) || !(is.numeric(values) || is.logical(values)) || inherits(values, c("Date", "POSIXt", "difftime"))) {
    refuse(
      "column-invalid", "scores", sprintf("%s: a column of numbers is wanted, and this is of class %s", what, class(values)[1]),
      column = what
    )
  }
  as.double(lengthy(values, what, n))
}

# Values of so many rows.
lengthy <- function(values, what, n) {
  if (!is.null(n) && length(values) != n) {
    refuse(
      "lengths-differ", "scores", sprintf("%s: %d values, where there are %d rows", what, length(values), n), column = what
    )
  }
  values
}

# A column of names.
texts <- function(values, what, n) {
  if (is.null(values)) NULL else as.character(lengthy(values, what, n))
}

# Rows where a column has NA: an error that names the first, or left out where na.action says so.
complete <- function(columns, na.action) {
  columns <- columns[vapply(columns, anyNA, NA)]
  # NaN is a value, though a wrong one, of which the library tells.
  missing <- lapply(columns, function(values) is.na(values) & !(is.double(values) & is.nan(values)))
  missing <- missing[vapply(missing, any, NA)]
  if (length(missing) == 0) {
    return(NULL)
  }
  lacking <- Reduce(`|`, missing)
  if (identical(na.action, stats::na.omit) || identical(na.action, stats::na.exclude)) {
    return(which(lacking))
  }
  what <- names(missing)[1]
  row <- which(missing[[what]])[1]
  refuse(
    "value-missing", "scores",
    sprintf("%s: row %d is NA; correct it, or leave out such rows with na.action = na.omit", what, row),
    column = what, row = row
  )
}

# The number of a row among those of the caller, some of which were left out.
before_omission <- function(row, omitted) {
  if (is.null(omitted)) row else setdiff(seq_len(row + length(omitted)), omitted)[row]
}

without <- function(values, rows) {
  if (is.null(values) || is.null(rows)) values else values[-rows]
}

# Tibbles and data.tables are data frames, and Arrow's tables become one.
framed <- function(data) {
  if (is.atomic(data) && !is.null(data)) {
    refuse("column-invalid", "scores", sprintf("a data frame is wanted, and this is of class %s", class(data)[1]))
  }
  if (is.null(data) || is.data.frame(data) || is.list(data)) data else as.data.frame(data)
}

# One number, if it is given.
real <- function(value, what) {
  if (is.null(value)) {
    return(NULL)
  }
  if (!is.numeric(value) || length(value) != 1 || !is.finite(value)) {
    refuse("option-invalid", "options", sprintf("%s is %s; a number is wanted", what, deparse1(value)), name = what)
  }
  as.double(value)
}

# One whole number of at least so many, if it is given.
whole <- function(value, what, least = 0) {
  number <- real(value, what)
  if (!is.null(number) && (number != round(number) || number < least || number > 2^53)) {
    refuse("option-invalid", "options", sprintf("%s is %s; a whole number from %g is wanted", what, deparse1(value), least), name = what)
  }
  number
}

# Arguments that there are not.
no_more <- function(...) {
  given <- ...names()
  if (...length() > 0) {
    named <- if (is.null(given) || !nzchar(given[1])) "one without a name" else given[1]
    refuse("option-unknown", "options", sprintf("there is no such argument: %s", named), name = named)
  }
}
