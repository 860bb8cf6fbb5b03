# Tables of results: columns to compute with, and the cells that people read, both from Rust.

# A result of this class: `found` has `columns`, what people see, and warnings of rows; `groups` names the rows' groups, if there are any.
result <- function(class, found, groups = NULL, ..., notes = character()) {
  keys <- if (is.null(groups)) list() else keyed(groups, found$groups)
  table <- c(keys, found$columns)
  structure(
    list(
      table = structure(table, class = "data.frame", row.names = .set_row_names(length(found$columns[[1]]))),
      by = names(keys), shown = shaped(found$shown), warnings = warnings_of(found$warnings), notes = notes, ...
    ),
    class = c(class, "tc_result")
  )
}

# Cells as a matrix of lines.
shaped <- function(shown) {
  shown$lines <- matrix(shown$lines, ncol = length(shown$header), byrow = TRUE)
  shown
}

# Warnings as a data frame: the row that has each, its code, how grave it is, and its words.
warnings_of <- function(found) {
  if (is.null(found)) {
    found <- list(row = integer(), code = character(), severity = character(), message = character())
  }
  data.frame(
    row = found$row, code = found$code, severity = factor(found$severity, c("note", "caution", "unreliable"), ordered = TRUE),
    message = worded(found$code, found$message)
  )
}

# The names of rows: their groups, the source of each, and the method where there are several; else their numbers.
row_labels <- function(x) {
  parts <- c(x$by, if ("method" %in% names(x$table) && length(unique(x$table$method)) > 1) "method", intersect("source", names(x$table)))
  if (length(parts) == 0) {
    return(if (nrow(x$table) == 1) "all" else as.character(seq_len(nrow(x$table))))
  }
  do.call(paste, c(lapply(x$table[parts], as.character), sep = ", "))
}

#' Results as data frames and in print
#'
#' What truecount returns is a table with what is to be known of it. `as.data.frame()` has its columns, with all digits and the groups' own
#' values; `print()` shows what people read, below it what needs an explanation, and each kind of warning once, the gravest first.
#'
#' @param x,object A result.
#' @param ... Not used.
#' @return `as.data.frame()` a data frame; `print()` its argument, invisibly. `x$warnings` is a data frame of the warnings: row, code, severity
#'   (`note`: nothing to do; `caution`: read this; `unreliable`: do not publish) and message.
#' @examples
#' found <- tc_estimate(tc_fit(label ~ score, spam_train), spam_weeks, by = ~week)
#' head(as.data.frame(found))
#' found$warnings
#' @name tc_result
NULL

#' @rdname tc_result
#' @export
as.data.frame.tc_result <- function(x, ...) x$table

#' @rdname tc_result
#' @export
print.tc_result <- function(x, ...) {
  lines <- x$shown$lines
  if (length(x$by) > 0) {
    keys <- lapply(x$table[x$by], function(values) ifelse(is.na(values), "NA", as.character(values)))
    lines <- cbind(do.call(cbind, keys), lines)
  }
  cat(tabulated(c(x$by, x$shown$header), lines, length(x$by) + x$shown$names), sep = "\n")
  below(x, row_labels(x))
  invisible(x)
}

# What stands below a table.
below <- function(x, labels) {
  said <- c(x$shown$explained, x$notes)
  if (length(said) > 0) {
    cat("\n", sep = "")
    cat(strwrap(said, exdent = 2), sep = "\n")
  }
  kinds <- kinds_of(x$warnings, labels)
  if (length(kinds) > 0) {
    cat("\n", sep = "")
    cat(strwrap(kinds, exdent = 2), sep = "\n")
  }
}

# Texts in columns: names on the left, numbers on the right; in the middle of many rows some are left out.
tabulated <- function(header, lines, names, most = 40) {
  if (nrow(lines) > most) {
    half <- most %/% 2
    left <- nrow(lines) - 2 * half
    lines <- rbind(utils::head(lines, half), c(sprintf("... %d more", left), rep("", ncol(lines) - 1)), utils::tail(lines, half))
  }
  cells <- rbind(header, lines)
  columns <- lapply(seq_len(ncol(cells)), function(place) {
    formatC(cells[, place], width = max(nchar(cells[, place], "width")), flag = if (place <= names) "-" else "")
  })
  sub(" +$", "", do.call(paste, c(columns, sep = "  ")))
}

# A sentence for each kind of warning, the gravest first.
kinds_of <- function(warnings, labels, most = 5) {
  if (nrow(warnings) == 0) {
    return(character())
  }
  grave <- warnings[order(-as.integer(warnings$severity), method = "radix"), ]
  vapply(unique(grave$code), function(code) {
    of <- grave[grave$code == code, ]
    named <- labels[of$row]
    more <- if (length(named) > most) sprintf(" and %d more", length(named) - most) else ""
    where <- if (length(labels) == 1) "" else if (nrow(of) == length(labels)) " - all rows" else {
      sprintf(" - %s%s", paste(utils::head(named, most), collapse = ", "), more)
    }
    example <- if (length(unique(of$message)) > 1) sprintf(" (as of %s)", named[1]) else ""
    sprintf("%s (%s)%s: %s%s", of$severity[1], code, where, of$message[1], example)
  }, "", USE.NAMES = FALSE)
}
