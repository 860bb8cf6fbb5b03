# Tables of results: columns to compute with, and the cells that people read, both from Rust.

# A result of this class: `found` has `columns`, what people see, notes, and warnings of rows; `groups` names the rows' groups, if there are
# any. Rows beyond those of groups are of all groups together.
result <- function(class, found, groups = NULL, ..., notes = as.character(found$notes)) {
  n <- length(found$columns[[1]])
  of_groups <- if (is.null(found$groups)) n else length(found$groups)
  keys <- if (is.null(groups)) list() else keyed(groups, found$groups)
  twice <- intersect(names(keys), names(found$columns))
  if (length(twice) > 0) {
    refuse(
      "column-twice", "options",
      sprintf("by: the results have a column %s too; name it otherwise, as in by = list(of_%s = ...)", twice[1], twice[1]),
      name = "by"
    )
  }
  rows <- function(keys, places) {
    table <- c(keys, lapply(found$columns, `[`, places))
    structure(table, class = "data.frame", row.names = .set_row_names(length(places)))
  }
  structure(
    list(
      table = rows(keys, seq_len(of_groups)), by = names(keys), total = if (n > of_groups) rows(list(), seq(of_groups + 1, n)),
      shown = shaped(found$shown), warnings = warnings_of(found$warnings), notes = notes, ...
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

# The names of rows: their groups, the method where there are several, and the source of each; else their numbers.
row_labels <- function(x, table = x$table) {
  several <- "method" %in% names(table) && length(unique(table$method)) > 1
  parts <- c(intersect(x$by, names(table)), if (several) "method", intersect("source", names(table)))
  if (length(parts) == 0) {
    return(if (nrow(table) == 1) "all" else as.character(seq_len(nrow(table))))
  }
  do.call(paste, c(lapply(table[parts], as.character), sep = ", "))
}

total_labels <- function(x) {
  if (NROW(x$total) < 2) rep("total", NROW(x$total)) else paste("total", row_labels(x, x$total), sep = ", ")
}

#' Results as data frames and in print
#'
#' What truecount returns is a table with what is to be known of it. `as.data.frame()` has its columns, with all digits and the groups' own
#' values; `print()` shows what people read, below it what needs an explanation, and each kind of warning once, the gravest first.
#'
#' @param x,object A result.
#' @param n How many rows are printed: of more, those in the middle are left out; `Inf` for all.
#' @param ... Not used.
#' @return `as.data.frame()` a data frame; `print()` its argument, invisibly, and so does `summary()`, which
#'   prints all rows. `x$warnings` is a data frame of the warnings: row, code,
#'   severity (`note`: nothing to do; `caution`: read this; `unreliable`: do not publish) and message.
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
print.tc_result <- function(x, n = 40, ...) {
  lines <- x$shown$lines
  if (length(x$by) > 0) {
    keys <- do.call(cbind, lapply(x$table[x$by], function(values) ifelse(is.na(values), "NA", as.character(values))))
    together <- matrix("", NROW(x$total), length(x$by))
    together[, 1] <- rep("total", NROW(x$total))
    lines <- cbind(rbind(keys, together), lines)
  }
  cat(tabulated(c(x$by, x$shown$header), lines, length(x$by) + x$shown$names, n), sep = "\n")
  below(x, c(row_labels(x), total_labels(x)))
  invisible(x)
}

#' @rdname tc_result
#' @export
summary.tc_result <- function(object, ...) if (inherits(object, "htest")) print(object) else print(object, n = Inf)

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
  native(align_table(header, as.vector(t(lines)), as.double(names), as.double(getOption("width"))))
}

# A sentence for each kind of warning, the gravest first.
kinds_of <- function(warnings, labels, most = 5) {
  if (nrow(warnings) == 0) {
    return(character())
  }
  grave <- warnings[order(-as.integer(warnings$severity), method = "radix"), ]
  vapply(unique(grave$code), function(code) {
    of <- grave[grave$code == code, ]
    named <- labels[unique(of$row)]
    more <- if (length(named) > most) sprintf(" and %d more", length(named) - most) else ""
    where <- if (length(labels) == 1) "" else if (length(named) == length(labels)) " - all rows" else {
      sprintf(" - %s%s", paste(utils::head(named, most), collapse = ", "), more)
    }
    example <- if (length(unique(of$message)) > 1) sprintf(" (as of %s)", named[1]) else ""
    sprintf("%s (%s)%s: %s%s", of$severity[1], code, where, of$message[1], example)
  }, "", USE.NAMES = FALSE)
}
