# Which labels are positive.

# Whether each label is the positive one, with that as an attribute. Without being told it is TRUE, 1 beside 0 or -1, or a factor's second level,
# as in glm; texts and other numbers have no such order.
positives <- function(labels, positive = NULL) {
  values <- if (is.factor(labels)) levels(droplevels(labels)) else sort(unique(as.vector(labels[!is.na(labels)])))
  if (length(values) != 2) {
    refuse(
      "labels-not-two", "labels",
      sprintf(
        "label: two different labels are wanted, and there %s %s", if (length(values) == 1) "is only" else "are", listed(values)
      )
    )
  }
  if (is.null(positive)) {
    positive <- if (is.logical(labels) || is.factor(labels) || all(values == c(0, 1)) || all(values == c(-1, 1))) values[2]
  }
  if (is.null(positive)) {
    refuse(
      "positive-unnamed", "labels",
      sprintf("label: which of %s is positive is not said; add, for instance, positive = %s", listed(values), deparse1(values[2]))
    )
  }
  if (!positive %in% values) {
    refuse(
      "positive-unknown", "labels", sprintf("positive: no row has the label %s; there are %s", deparse1(positive), listed(values)),
      positive = positive
    )
  }
  structure(as.vector(labels == positive), positive = positive)
}

# A few values in words.
listed <- function(values, most = 5) {
  shown <- vapply(utils::head(values, most), function(value) deparse1(as.vector(value)), "")
  more <- if (length(values) > most) sprintf(" and %d more", length(values) - most) else ""
  paste0(paste(shown, collapse = ", "), more)
}
