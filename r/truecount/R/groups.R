# Groups: the values of one or several columns, numbered in their order.

# What `by` asks for, as a data frame: a formula, names of columns, a vector, or a list of vectors.
grouping <- function(by, data) {
  if (is.null(by)) {
    return(NULL)
  }
  if (inherits(by, "formula")) {
    terms <- stats::terms(by)
    parts <- as.list(attr(terms, "variables"))[-1]
    names(parts) <- vapply(parts, deparse1, "")
    columns <- lapply(parts, valued, data, environment(by), "by")
  } else if (is.character(by) && !is.null(data) && all(by %in% names(data))) {
    columns <- stats::setNames(lapply(by, function(name) data[[name]]), by)
  } else if (is.list(by)) {
    columns <- as.list(by)
  } else {
    columns <- list(group = by)
  }
  lapply(columns, function(values) {
    if (inherits(values, "POSIXlt")) values <- as.POSIXct(values)
    if (!is.atomic(values)) {
      refuse("column-invalid", "scores", sprintf("by: values are wanted, and this is of class %s", class(values)[1]), column = "by")
    }
    values
  })
}

# The group of each row, and the values of each group: factors by their levels, all else by size, dates by time, what is missing last.
numbered <- function(columns, n) {
  if (is.null(columns)) {
    return(NULL)
  }
  for (name in names(columns)) {
    if (length(columns[[name]]) != n) {
      refuse(
        "lengths-differ", "scores",
        sprintf("by: %s has %d values, where there are %d rows", name, length(columns[[name]]), n), column = "by"
      )
    }
  }
  codes <- lapply(columns, function(values) {
    known <- if (is.factor(values)) levels(values) else sort(unique(values), method = "radix")
    at <- if (is.factor(values)) as.integer(values) else match(values, known)
    if (anyNA(at)) at[is.na(at)] <- length(known) + 1L
    renumbered(at, length(known) + 1)
  })
  # One number for each combination that there is.
  combined <- Reduce(function(first, second) renumbered((first$at - 1) * second$size + second$at, first$size * second$size), codes)
  first <- match(seq_len(combined$size), combined$at)
  list(at = combined$at, values = lapply(columns, function(values) values[first]), n = combined$size)
}

# Numbers of at most `size` without gaps, in their order.
renumbered <- function(at, size) {
  if (size > 1e7) {
    present <- sort(unique(at), method = "radix")
    return(list(at = match(at, present), size = length(present)))
  }
  present <- tabulate(at, size) > 0
  if (all(present[-size])) {
    return(list(at = as.integer(at), size = sum(present)))
  }
  list(at = cumsum(present)[at], size = sum(present))
}

# The values of groups as columns of a table.
keyed <- function(groups, places) {
  lapply(groups$values, function(values) values[places])
}

# The name of each group, for messages and prints.
group_names <- function(groups) {
  do.call(paste, c(lapply(groups$values, as.character), sep = ", "))
}
