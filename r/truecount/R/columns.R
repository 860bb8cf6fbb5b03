# Columns as plain vectors. A user specifies a column by a formula, a name or a vector.

# Returns the values of a one-sided formula or of a named column. Other values are returned as they
# are. A single text must be the name of a column unless `is_value` says that it may be a value.
read_column <- function(spec, data, name, is_value = FALSE) {
  if (is.null(spec)) {
    return(NULL)
  }
  if (inherits(spec, "formula")) {
    if (length(spec) != 2) {
      abort(
        "option-invalid", "options", sprintf("%s: it must be a formula with one side, such as ~ %s", name, name),
        name = name
      )
    }
    return(eval_column(spec[[2]], data, environment(spec), name))
  }
  if (is.character(spec) && length(spec) == 1 && is.data.frame(data)) {
    if (spec %in% names(data)) {
      return(check_column(data[[spec]], name, spec))
    }
    if (!is_value && nrow(data) != 1) {
      abort_unknown_column(spec, data, name)
    }
  }
  check_column(spec, name)
}

# Evaluates an expression of columns. Other variables, and all variables without data, come from the
# environment of the formula.
eval_column <- function(expression, data, environment, name) {
  variables <- all.vars(expression)
  if (is.data.frame(data) && !any(variables %in% names(data))) {
    if (length(variables) == 0) {
      abort(
        "column-unknown", "scores", sprintf("%s: %s names no column", name, format_value(expression)), column = name
      )
    }
    abort_unknown_column(variables[1], data, name)
  }
  values <- tryCatch(
    eval(expression, data, environment),
    error = function(error) {
      is_known <- function(variable) variable %in% names(data) || exists(variable, envir = environment)
      unknown <- Filter(Negate(is_known), variables)
      if (length(unknown) > 0) abort_unknown_column(unknown[1], data, name)
      abort("column-invalid", "scores", sprintf("%s: %s", name, conditionMessage(error)), column = name)
    }
  )
  check_column(values, name, format_value(expression))
}

# Raises the error for a column that does not exist, with the most similar name or all names.
abort_unknown_column <- function(wanted, data, name) {
  known <- names(data)
  similar <- most_similar(wanted, known)
  hint <- if (!is.null(similar)) {
    sprintf("did you mean %s?", similar)
  } else if (length(known) == 0) {
    "there are no columns"
  } else {
    more <- if (length(known) > 10) sprintf(" and %d more", length(known) - 10) else ""
    sprintf("the columns are %s%s", paste(utils::head(known, 10), collapse = ", "), more)
  }
  abort("column-unknown", "scores", sprintf("%s: there is no column %s; %s", name, wanted, hint), column = name)
}

# Returns the known name that was probably meant, or NULL.
most_similar <- function(wanted, known) {
  distance <- utils::adist(wanted, known, ignore.case = TRUE)
  if (length(known) > 0 && min(distance) <= max(1, ceiling(nchar(wanted) / 3))) known[which.min(distance)]
}

# Returns the values of a column, or raises an error for a table, and for a text whose bytes its encoding
# does not allow.
check_column <- function(values, name, column = NULL) {
  if (inherits(values, "POSIXlt")) values <- as.POSIXct(values)
  if (!is.atomic(values)) {
    abort(
      "column-invalid", "scores",
      sprintf("%s: it must be a column, not an object of class %s", name, class(values)[1]), column = name
    )
  }
  texts <- if (is.factor(values)) levels(values) else values
  if (is.character(texts) && !all(validEnc(texts))) {
    row <- which(!validEnc(as.character(values)))[1]
    location <- paste(c(if (!identical(column, name)) column, sprintf("row %d", row)), collapse = ", ")
    abort(
      "value-not-text", "scores",
      sprintf(
        "%s: %s has bytes that are not text in UTF-8; convert the column, as in iconv(x, \"latin1\", \"UTF-8\")",
        name, location
      ),
      column = name, row = row
    )
  }
  values
}

# Evaluates the arguments of the calling function. An error for a column that is written as a bare
# name says how to name it.
evaluate_arguments <- function(data, environment = parent.frame()) {
  evaluate_with_columns(as.list(environment), data)
}

evaluate_with_columns <- function(arguments, data) {
  force(data)
  tryCatch(arguments, simpleError = function(error) {
    data <- if (is_design(data)) data$variables else data
    is_named <- function(column) grepl(sprintf("'%s'", column), conditionMessage(error), fixed = TRUE)
    column <- Filter(is_named, names(data))
    if (length(column) == 0) stop(error)
    abort(
      "column-unknown", "scores",
      sprintf("%s is a column: write ~%s or \"%s\"", column[1], column[1], column[1]), column = column[1]
    )
  })
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
      sprintf("%s: it must be a column of numbers, and it is of class %s", name, class(values)[1]),
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
  if (is.character(na.action) && length(na.action) == 1) {
    na.action <- get0(na.action, asNamespace("stats"), mode = "function")
  }
  is_omit <- identical(na.action, stats::na.omit) || identical(na.action, stats::na.exclude)
  if (!is_omit && !identical(na.action, stats::na.fail)) {
    abort("option-invalid", "options", "na.action: it must be na.fail or na.omit", name = "na.action")
  }
  columns <- columns[vapply(columns, anyNA, NA)]
  # NaN is not a missing value: the library reports it.
  missing <- lapply(columns, function(values) is.na(values) & !(is.double(values) & is.nan(values)))
  missing <- missing[vapply(missing, any, NA)]
  if (length(missing) == 0) {
    return(NULL)
  }
  if (is_omit) {
    rows <- which(Reduce(`|`, missing))
    names <- paste(names(missing), collapse = ", ")
    message(sprintf("left out: %d of %d rows, with NA in %s", length(rows), length(missing[[1]]), names))
    return(rows)
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
    abort("column-invalid", "scores", sprintf("newdata must be a data frame, not %s", class(data)[1]))
  }
  if (is.null(data) || is.data.frame(data) || is.list(data)) data else as.data.frame(data)
}

# Returns an optional argument, or raises an error with what it must be unless it is valid.
check_option <- function(value, name, is_valid, wanted) {
  if (!is.null(value) && !is_valid) {
    abort(
      "option-invalid", "options", sprintf("%s is %s; it must be %s", name, format_value(value), wanted),
      name = name
    )
  }
  value
}

check_flag <- function(value, name) {
  check_option(if (is.null(value)) NA else value, name, isTRUE(value) || isFALSE(value), "TRUE or FALSE")
}

check_text <- function(value, name) {
  check_option(value, name, is.character(value) && length(value) == 1, "a single text")
}

check_number <- function(value, name) {
  check_option(value, name, is.numeric(value) && length(value) == 1 && is.finite(value), "a number")
  if (!is.null(value)) as.double(value)
}

# Returns an optional whole number of at least `min`.
check_count <- function(value, name, min = 0) {
  number <- check_number(value, name)
  is_count <- is.null(number) || (number %% 1 == 0 && number >= min && number <= 2^53)
  check_option(number, name, is_count, sprintf("a whole number from %g", min))
}

# Checks the types of options, which are numbers unless they have a check of their own, and returns them for Rust.
request_options <- function(options) {
  check <- function(value, name) {
    own <- option_checks[[name]]
    if (is.null(own)) check_number(value, name) else own(value, name)
  }
  Map(check, options, names(options))
}

from_1 <- function(value, name) check_count(value, name, min = 1)

option_checks <- list(
  audit_outside_test = check_flag, check = check_flag, families = check_flag, separate_labels = check_flag,
  total = check_flag, uniform = check_flag,
  family = check_text, interval = check_text, misfit = check_text, protocol = check_text, publish = check_text,
  rates = check_text, reference = check_text, target = check_text, transform = check_text,
  number = from_1, samples = from_1, size = from_1, unlabelled = from_1, resamples = check_count,
  seed = function(value, name) seed_or_random(value),
  columns = function(value, name) value,
  labelled = function(value, name) check_label_counts(value),
  sensitivity = function(value, name) rate_text(value),
  specificity = function(value, name) rate_text(value)
)

# Returns an optional value that is not a column, such as a label.
check_single <- function(value, name, wanted) {
  check_option(value, name, is.atomic(value) && length(value) == 1, wanted)
}

# Returns a value or an expression as a short text. Tables and long vectors are named by class and size.
format_value <- function(value, max = 60) {
  if (is.factor(value)) value <- as.vector(value)
  if (!is.language(value) && (!is.atomic(value) || length(value) > 5)) {
    size <- if (is.data.frame(value)) "rows" else "values"
    return(sprintf("of class %s, with %d %s", class(value)[1], NROW(value), size))
  }
  text <- paste(trimws(deparse(value, 500, nlines = 3)), collapse = " ")
  if (nchar(text) > max) paste0(substr(text, 1, max), "...") else text
}

# Raises an error for arguments that a function does not have; `.known` has the names of those that it has.
check_unused <- function(..., .known = names(formals(sys.function(sys.parent())))) {
  names <- ...names()
  if (...length() > 0) {
    name <- if (is.null(names) || !nzchar(names[1])) "one without a name" else names[1]
    # Names of other packages.
    known <- setdiff(.known, "...")
    similar <- c(conf.level = "level", data = "newdata", group = "by", alpha = "level", na.rm = "na.action")[name]
    of_fit <- name %in% names(formals(tc_fit)) && !similar %in% known
    similar <- if (similar %in% known) similar else most_similar(name, known)
    hint <- if (of_fit) {
      "; it is an argument of tc_fit()"
    } else if (is.null(similar)) {
      ""
    } else if (name == "alpha" && similar == "level" && is.numeric(...elt(1))) {
      sprintf("; say level = %s", format_value(1 - ...elt(1)))
    } else {
      sprintf("; did you mean %s?", similar)
    }
    abort("option-unknown", "options", sprintf("unknown argument: %s%s", name, hint), name = name)
  }
}
