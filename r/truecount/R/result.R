# Result tables: columns for computing, and cells for printing. Rust provides both.

# Creates a result of this class. `values` has the columns, the printed cells, the notes, and the
# warnings of rows; `groups` has the values of the groups. Rows after those of the groups are
# totals.
new_result <- function(class, values, groups = NULL, ..., notes = as.character(values$notes)) {
  n <- length(values$columns[[1]])
  group_rows <- if (is.null(values$groups)) n else length(values$groups)
  keys <- if (is.null(groups)) list() else group_keys(groups, values$groups)
  taken <- intersect(names(keys), names(values$columns))
  if (length(taken) > 0) {
    abort(
      "column-twice", "options",
      sprintf(
        "by: the results have a column %s too; name it otherwise, as in by = list(of_%s = ...)", taken[1], taken[1]
      ),
      name = "by"
    )
  }
  as_table <- function(keys, rows) {
    table <- c(keys, lapply(values$columns, `[`, rows))
    structure(table, class = "data.frame", row.names = .set_row_names(length(rows)))
  }
  structure(
    list(
      table = as_table(keys, seq_len(group_rows)), by = names(keys),
      total = if (n > group_rows) as_table(list(), seq(group_rows + 1, n)),
      printed = shape_lines(values$printed), warnings = warning_table(values$warnings), notes = notes, ...
    ),
    class = c(class, "tc_result")
  )
}

# Shapes the cells of a printed table as a matrix with a row for each line.
shape_lines <- function(printed) {
  printed$lines <- matrix(printed$lines, ncol = length(printed$header), byrow = TRUE)
  printed
}

# Returns warnings as a data frame: row, code, severity and message.
warning_table <- function(warnings) {
  if (is.null(warnings)) {
    warnings <- list(row = integer(), code = character(), severity = character(), message = character())
  }
  data.frame(
    row = warnings$row, code = warnings$code,
    severity = factor(warnings$severity, c("note", "caution", "unreliable"), ordered = TRUE),
    message = warnings$message
  )
}

# Returns the labels of rows: the group, the method if there are several, and the source or the class;
# otherwise the row number.
row_labels <- function(x, table = x$table) {
  several <- "method" %in% names(table) && length(unique(table$method)) > 1
  parts <- c(intersect(x$by, names(table)), if (several) "method", intersect(c("source", "class"), names(table)))
  if (length(parts) == 0) {
    return(if (nrow(table) == 1) "all" else as.character(seq_len(nrow(table))))
  }
  do.call(paste, c(lapply(table[parts], as.character), sep = ", "))
}

total_labels <- function(x) {
  if (NROW(x$total) < 2) rep("total", NROW(x$total)) else paste("total", row_labels(x, x$total), sep = ", ")
}

#' Results as data frames and printed tables
#'
#' A result of truecount is a table with notes and warnings. `as.data.frame()` returns the table
#' with all digits and the groups' own values. `print()` shows the table for people, then the notes,
#' and each kind of warning once, the most severe first.
#'
#' @param x,object A result.
#' @param name The name of an element or of a column of the table.
#' @param n The largest number of rows to print; rows in the middle are left out. `Inf` prints all.
#' @param digits The largest number of decimals to print, except of numbers that would become 0.
#' @param ... Rows and columns, as of a data frame.
#' @return `as.data.frame()` returns a data frame, `x$prevalence` one of its columns, and `x[1:3, ]`, `head()`,
#'   `tail()` and `subset()` some of its rows. `tidy()` returns the table, and `glance()` one row about the
#'   result. `vcov()` raises an error for a result without covariances; [estimates] have them.
#'   `print()` returns its argument, invisibly, and so does `summary()`, which prints all rows. `x$warnings` is
#'   a data frame of the warnings: row, code, severity (`note`: nothing to do; `caution`: read this;
#'   `unreliable`: do not publish) and message.
#' @examples
#' weeks <- tc_estimate(tc_fit(label ~ score, spam_train), spam_weeks, by = ~week)
#' head(weeks)
#' subset(weeks, prevalence > 0.5, c(week, prevalence))
#' print(weeks, digits = 2)
#' weeks$warnings
#' @name tc_result
NULL

#' @rdname tc_result
#' @export
as.data.frame.tc_result <- function(x, ...) x$table

#' @rdname tc_result
#' @export
`$.tc_result` <- function(x, name) {
  # Without it, est$prevalence is NULL without an error.
  if (name %in% names(x)) .subset2(x, name) else .subset2(x, "table")[[name]]
}

#' @rdname tc_result
#' @export
`[.tc_result` <- function(x, ...) as.data.frame(x)[...]

#' @rdname tc_result
#' @importFrom utils head tail
#' @export
head.tc_result <- function(x, ...) head(as.data.frame(x), ...)

#' @rdname tc_result
#' @export
tail.tc_result <- function(x, ...) tail(as.data.frame(x), ...)

#' @rdname tc_result
#' @export
subset.tc_result <- function(x, ...) {
  # The conditions are evaluated where they were written.
  call <- sys.call()
  call[[1]] <- quote(base::subset)
  call[[2]] <- as.data.frame(x)
  eval(call, parent.frame())
}

#' @rdname tc_result
#' @exportS3Method generics::tidy
tidy.tc_result <- function(x, ...) as_tibble_if_installed(x$table)

#' @rdname tc_result
#' @exportS3Method generics::glance
glance.tc_result <- function(x, ...) {
  severity <- if (nrow(x$warnings) == 0) NA_character_ else as.character(max(x$warnings$severity))
  as_tibble_if_installed(data.frame(
    rows = nrow(x$table), conf.level = if (is.null(x$level)) NA_real_ else x$level[1], severity = severity
  ))
}

#' @rdname tc_result
#' @export
vcov.tc_result <- function(object, ...) {
  abort(
    "option-conflict", "options",
    sprintf("vcov: %s() returns no covariances; give estimates of tc_estimate() or tc_counts()", class(object)[1])
  )
}

#' @rdname tc_result
#' @export
print.tc_result <- function(x, n = 40, digits = NULL, ...) {
  lines <- round_cells(x$printed, digits)
  if (length(x$by) > 0) {
    as_text <- function(values) ifelse(is.na(values), "NA", as.character(values))
    keys <- do.call(cbind, lapply(x$table[x$by], as_text))
    total_keys <- matrix("", NROW(x$total), length(x$by))
    total_keys[, 1] <- rep("total", NROW(x$total))
    lines <- cbind(rbind(keys, total_keys), lines)
  }
  print_lines(format_table(c(x$by, x$printed$header), lines, length(x$by) + x$printed$names, n))
  print_notes(x, c(row_labels(x), total_labels(x)))
  invisible(x)
}

#' @rdname tc_result
#' @export
summary.tc_result <- function(object, ...) if (inherits(object, "htest")) print(object) else print(object, n = Inf)

# Returns the cells of a printed table with at most this number of decimals.
round_cells <- function(printed, digits) {
  lines <- printed$lines
  if (is.null(digits)) {
    return(lines)
  }
  columns <- setdiff(seq_len(ncol(lines)), seq_len(printed$names))
  cells <- lines[, columns]
  matches <- gregexpr("[0-9]+[.][0-9]+", cells)
  regmatches(cells, matches) <- lapply(regmatches(cells, matches), function(numbers) {
    rounded <- formatC(as.double(numbers), digits, format = "f")
    ifelse(nchar(rounded) < nchar(numbers) & as.double(rounded) > 0, rounded, numbers)
  })
  lines[, columns] <- cells
  lines
}

# Prints the explanations, the notes and the warnings below a table.
print_notes <- function(x, labels) {
  notes <- c(x$printed$explained, x$notes)
  for (sentences in list(notes, summarise_warnings(x$warnings, labels))) {
    if (length(sentences) > 0) {
      cat("\n", sep = "")
      print_lines(strwrap(sentences, exdent = 2))
    }
  }
}

# Prints lines, in plain characters where the locale has no others.
print_lines <- function(lines) {
  if (!l10n_info()[["UTF-8"]]) {
    # Lines, dashes, minus signs, the mark of unreliable rows, and rare characters.
    plain <- list(
      c("\u2500", "-"), c("\u2013", "-"), c("\u2212", "-"), c("\u2020", "!"), c("\u221e", "Inf"), c("\u00b1", "+/-"),
      c("\u2026", "..."), c("\u2265", ">="), c("\u00b2", "2")
    )
    for (pair in plain) lines <- gsub(pair[1], pair[2], lines, fixed = TRUE)
  }
  cat(lines, sep = "\n")
}

# Aligns the cells of a table: the first `names` columns to the left, the others to the right. Rows
# in the middle of a long table are left out.
format_table <- function(header, lines, names, max_rows = 40) {
  if (nrow(lines) > max_rows) {
    half <- max_rows %/% 2
    gap <- c(sprintf("... %d more", nrow(lines) - 2 * half), rep("", ncol(lines) - 1))
    lines <- rbind(utils::head(lines, half), gap, utils::tail(lines, half))
  }
  unwrap(align_table(header, as.vector(t(lines)), as.double(names), as.double(getOption("width"))))
}

# Returns a sentence for each kind of warning, the most severe first.
summarise_warnings <- function(warnings, labels, max_labels = 5) {
  if (nrow(warnings) == 0) {
    return(character())
  }
  sorted <- warnings[order(-as.integer(warnings$severity), method = "radix"), ]
  vapply(unique(sorted$code), function(code) {
    kind <- sorted[sorted$code == code, ]
    rows <- labels[unique(kind$row)]
    more <- if (length(rows) > max_labels) sprintf(" and %d more", length(rows) - max_labels) else ""
    where <- if (length(labels) == 1) {
      ""
    } else if (length(rows) == length(labels)) {
      " - all rows"
    } else {
      sprintf(" - %s%s", paste(utils::head(rows, max_labels), collapse = ", "), more)
    }
    example <- if (length(unique(kind$message)) > 1) sprintf(" (for instance in %s)", rows[1]) else ""
    sprintf("%s (%s)%s: %s%s", kind$severity[1], code, where, kind$message[1], example)
  }, "", USE.NAMES = FALSE)
}
