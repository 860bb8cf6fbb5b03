# Which labels are positive.

# Whether each label is the positive one, with that as an attribute. Without being told it is TRUE, 1 beside 0 or -1, or a factor's second
# level, as in glm; texts and other numbers have no such order.
positives <- function(labels, positive = NULL) {
  # Labels with classes of other packages are their values.
  labels <- if (is.factor(labels)) labels else as.vector(unclass(labels))
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

# The same of audited rows, which may all have one label where there are labels from elsewhere.
audited_positives <- function(labels, positive, alone) {
  values <- unique(as.vector(labels))
  # That there are none is for the library to say.
  if (length(labels) == 0) {
    return(logical())
  }
  if (alone || length(values) != 1) {
    return(as.logical(positives(labels, positive)))
  }
  known <- c(if (is.null(positive)) 1 else positive, 0, -1, FALSE, if (positive %in% levels(labels)) levels(labels))
  if (!values %in% known) {
    refuse(
      "positive-unknown", "labels",
      sprintf("label: all audited rows have the label %s, and the positive one is %s; is it the same?", listed(values), listed(known[1])),
      positive = known[1]
    )
  }
  as.vector(labels == known[1])
}

# A few values in words.
listed <- function(values, most = 5) {
  shown <- vapply(utils::head(values, most), function(value) deparse1(as.vector(value)), "")
  more <- if (length(values) > most) sprintf(" and %d more", length(values) - most) else ""
  paste0(paste(shown, collapse = ", "), more)
}
