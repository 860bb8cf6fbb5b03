# Columns as plain vectors. A user specifies a column by a formula, a name or a vector.

# Returns the values of a one-sided formula or of a named column. Other values are returned as they
# are.
read_column <- function(spec, data, name) {
  if (is.null(spec)) {
    return(NULL)
  }
  if (inherits(spec, "formula")) {
    if (length(spec) != 2) {
      abort(
        "option-invalid", "options", sprintf("%s: a formula with one side is wanted, such as ~ %s", name, name),
        name = name
      )
    }
    return(eval_column(spec[[2]], data, environment(spec), name))
  }
  if (is.character(spec) && length(spec) == 1 && !is.null(data) && spec %in% names(data)) {
    return(data[[spec]])
  }
  spec
}

# Evaluates an expression of columns. Other variables, and all variables without data, come from the
# environment of the formula.
eval_column <- function(expression, data, environment, name) {
  if (is.data.frame(data) && !any(all.vars(expression) %in% names(data))) {
    columns <- if (length(data) == 0) {
      "there are none"
    } else {
      paste("the columns are", paste(names(data), collapse = ", "))
    }
    abort(
      "column-unknown", "scores",
      sprintf("%s: no column is named in %s; %s", name, deparse1(expression), columns), column = name
    )
  }
  tryCatch(
    eval(expression, data, environment),
    error = function(error) {
      columns <- if (is.null(names(data))) "" else sprintf("; the columns are %s", paste(names(data), collapse = ", "))
      abort(
        "column-unknown", "scores", sprintf("%s: %s%s", name, conditionMessage(error), columns), column = name
      )
    }
  )
}

# Returns a label for the column of the strata.
column_label <- function(spec) {
  if (inherits(spec, "formula")) {
    deparse1(spec[[2]])
  } else if (is.character(spec) && length(spec) == 1) {
    spec
  } else {
    "stratum"
  }
}

# Returns a column of doubles.
numeric_column <- function(values, name, n = NULL) {
  if (is.null(values)) {
    return(NULL)
  }
  is_number <- is.numeric(values) || is.logical(values)
  if (is.factor(values) || !is_number || inherits(values, c("Date", "POSIXt", "difftime"))) {
    abort(
      "column-invalid", "scores",
      sprintf("%s: a column of numbers is wanted, and this is of class %s", name, class(values)[1]),
      column = name
    )
  }
  as.double(check_length(values, name, n))
}

# Returns values, or raises an error unless there are `n`.
check_length <- function(values, name, n) {
  if (!is.null(n) && length(values) != n) {
    abort(
      "lengths-differ", "scores", sprintf("%s: %d values, where there are %d rows", name, length(values), n),
      column = name
    )
  }
  values
}

text_column <- function(values, name, n) {
  if (is.null(values)) NULL else as.character(check_length(values, name, n))
}

# Returns the rows with an NA in any column, which are left out if na.action says so. Otherwise an
# error names the first of them.
incomplete_rows <- function(columns, na.action) {
  columns <- columns[vapply(columns, anyNA, NA)]
  # NaN is not a missing value: the library reports it.
  missing <- lapply(columns, function(values) is.na(values) & !(is.double(values) & is.nan(values)))
  missing <- missing[vapply(missing, any, NA)]
  if (length(missing) == 0) {
    return(NULL)
  }
  if (identical(na.action, stats::na.omit) || identical(na.action, stats::na.exclude)) {
    return(which(Reduce(`|`, missing)))
  }
  name <- names(missing)[1]
  row <- which(missing[[name]])[1]
  abort(
    "value-missing", "scores",
    sprintf("%s: row %d is NA; correct it, or leave out such rows with na.action = na.omit", name, row),
    column = name, row = row
  )
}

# Returns the caller's number of a row that remains after rows were left out.
original_row <- function(row, omitted) {
  if (is.null(omitted)) row else setdiff(seq_len(row + length(omitted)), omitted)[row]
}

omit <- function(values, rows) {
  if (is.null(values) || is.null(rows)) values else values[-rows]
}

# Converts Arrow tables to data frames; tibbles and data.tables are data frames already.
to_data_frame <- function(data) {
  if (is.atomic(data) && !is.null(data)) {
    abort("column-invalid", "scores", sprintf("a data frame is wanted, and this is of class %s", class(data)[1]))
  }
  if (is.null(data) || is.data.frame(data) || is.list(data)) data else as.data.frame(data)
}

# Returns an optional number as a double, or raises an error.
check_number <- function(value, name) {
  if (is.null(value)) {
    return(NULL)
  }
  if (!is.numeric(value) || length(value) != 1 || !is.finite(value)) {
    abort("option-invalid", "options", sprintf("%s is %s; a number is wanted", name, deparse1(value)), name = name)
  }
  as.double(value)
}

# Returns an optional whole number of at least `min`, or raises an error.
check_count <- function(value, name, min = 0) {
  number <- check_number(value, name)
  if (!is.null(number) && (number != round(number) || number < min || number > 2^53)) {
    abort(
      "option-invalid", "options",
      sprintf("%s is %s; a whole number from %g is wanted", name, deparse1(value), min), name = name
    )
  }
  number
}

# Raises an error for arguments that a function does not have.
check_unused <- function(...) {
  names <- ...names()
  if (...length() > 0) {
    name <- if (is.null(names) || !nzchar(names[1])) "one without a name" else names[1]
    abort("option-unknown", "options", sprintf("unknown argument: %s", name), name = name)
  }
}
