# Groups: the combinations of values of one or several columns, numbered in order.

# Returns the names of the columns that dplyr::group_by() has grouped a data frame by, or NULL.
grouping_columns <- function(data) {
  if (inherits(data, "grouped_df")) setdiff(names(attr(data, "groups")), ".rows")
}

# Returns the grouping columns of unlabelled data: `by`, or those that the data are grouped by.
by_or_grouping <- function(by, data) {
  columns <- grouping_columns(data)
  named <- if (inherits(by, "formula")) all.vars(by) else by
  if (!is.null(columns) && !is.null(by) && !identical(named, columns)) {
    abort(
      "option-conflict", "options",
      sprintf("newdata is grouped by %s: leave out by, or use dplyr::ungroup()", paste(columns, collapse = ", ")),
      name = "by"
    )
  }
  if (is.null(columns)) by else columns
}

# Returns the grouping columns as a named list. `by` is a formula, names of columns, a vector, or a
# list of vectors.
group_columns <- function(by, data) {
  if (is.null(by)) {
    return(NULL)
  }
  if (inherits(by, "formula")) {
    terms <- as.list(attr(stats::terms(by), "variables"))[-1]
    names(terms) <- vapply(terms, deparse1, "")
    columns <- lapply(terms, eval_column, data, environment(by), "by")
  } else if (is.character(by) && !is.null(data) && all(by %in% names(data))) {
    columns <- stats::setNames(lapply(by, read_column, data, "by"), by)
  } else if (is.character(by) && is.data.frame(data) && length(by) != nrow(data)) {
    abort_unknown_column(setdiff(by, names(data))[1], data, "by")
  } else if (is.list(by)) {
    columns <- as.list(by)
    if (is.null(names(columns))) names(columns) <- rep("", length(columns))
    unnamed <- which(!nzchar(names(columns)))
    names(columns)[unnamed] <- if (length(unnamed) == 1) "group" else paste0("group", seq_along(unnamed))
  } else {
    columns <- list(group = by)
  }
  lapply(columns, check_column, "by")
}

# Returns the group of each row (`index`), the values of each group, and the number of groups.
# Factors are ordered by their levels, other values by size; missing values come last.
number_groups <- function(columns, n) {
  if (is.null(columns)) {
    return(NULL)
  }
  for (name in names(columns)) {
    if (length(columns[[name]]) != n) {
      abort(
        "lengths-differ", "scores",
        sprintf("by: %s has %d values, where there are %d rows", name, length(columns[[name]]), n), column = "by"
      )
    }
  }
  codes <- lapply(columns, function(values) {
    known <- if (is.factor(values)) levels(values) else sort(unique(values), method = "radix")
    index <- if (is.factor(values)) as.integer(values) else match(values, known)
    if (anyNA(index)) index[is.na(index)] <- length(known) + 1L
    close_gaps(index, length(known) + 1)
  })
  combine <- function(first, second) {
    close_gaps((first$index - 1) * second$size + second$index, first$size * second$size)
  }
  combined <- Reduce(combine, codes)
  first <- match(seq_len(combined$size), combined$index)
  list(index = combined$index, values = lapply(columns, function(values) values[first]), n = combined$size)
}

# Renumbers indices of at most `size` without gaps, in order.
close_gaps <- function(index, size) {
  if (size > 1e7) {
    present <- sort(unique(index), method = "radix")
    return(list(index = match(index, present), size = length(present)))
  }
  present <- tabulate(index, size) > 0
  if (all(present[-size])) {
    return(list(index = as.integer(index), size = sum(present)))
  }
  list(index = cumsum(present)[index], size = sum(present))
}

# Returns the values of groups as columns of a table.
group_keys <- function(groups, indices) {
  lapply(groups$values, function(values) values[indices])
}

# Returns the name of each group, for messages and printed tables.
group_names <- function(groups) {
  do.call(paste, c(lapply(groups$values, as.character), sep = ", "))
}
