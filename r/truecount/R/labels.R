# Labels: which of them are positive.

# Returns whether each label is positive, with the positive label as an attribute. The default is
# TRUE, 1 if the other label is 0 or -1, or the second level of a factor, as in glm. Texts and other
# numbers have no default.
is_positive_label <- function(labels, positive = NULL, expression = "label") {
  check_single(positive, "positive", "one label")
  # Classes of other packages are dropped.
  labels <- if (is.factor(labels)) labels else as.vector(unclass(labels))
  values <- if (is.factor(labels)) levels(droplevels(labels)) else sort(unique(as.vector(labels[!is.na(labels)])))
  if (length(values) != 2) {
    problem <- if (length(labels) == 0) {
      "there are no rows; labelled scores of both classes are needed"
    } else if (length(values) == 1) {
      sprintf("all rows have the label %s; labelled scores of both classes are needed", format_values(values))
    } else if (is.numeric(values) && length(values) > 20) {
      sprintf("there are %d different numbers; the labels are on the left of label ~ score", length(values))
    } else {
      example <- format_value(if (is.null(positive)) values[length(values)] else positive)
      sprintf(
        "there are %d labels, %s; compare with the positive one, as in %s == %s ~ score", length(values),
        format_values(values), expression, example
      )
    }
    abort("labels-not-two", "labels", paste("label:", problem))
  }
  if (is.null(positive)) {
    has_order <- is.logical(labels) || is.factor(labels) || all(values == c(0, 1)) || all(values == c(-1, 1))
    positive <- if (has_order) values[2]
  }
  if (is.null(positive)) {
    abort(
      "positive-unnamed", "labels",
      sprintf(
        "label: set positive to one of %s, for instance positive = %s", format_values(values), format_value(values[2])
      )
    )
  }
  if (!positive %in% values) {
    abort(
      "positive-unknown", "labels",
      sprintf("positive: no row has the label %s; there are %s", format_value(positive), format_values(values)),
      positive = positive
    )
  }
  structure(as.vector(labels == positive), positive = positive)
}

# Returns whether each audited label is positive. All of them may be equal.
is_positive_audited <- function(labels, positive) {
  check_single(positive, "positive", "one label")
  values <- unique(as.vector(labels))
  # The library reports an empty audit.
  if (length(labels) == 0) {
    return(logical())
  }
  if (length(values) == 2 && !is.null(positive) && !positive %in% values) {
    abort(
      "positive-unknown", "labels",
      sprintf(
        "the audited rows have the labels %s, but the positive label is %s; if one of them is the same, set positive",
        format_values(sort(values)), format_values(positive)
      ),
      positive = positive
    )
  }
  if (length(values) != 1) {
    return(as.logical(is_positive_label(labels, positive)))
  }
  known <- c(if (is.null(positive)) 1 else positive, 0, -1, FALSE)
  if (any(positive %in% levels(labels))) known <- c(known, levels(labels))
  if (!values %in% known) {
    abort(
      "positive-unknown", "labels",
      sprintf(
        "all audited rows have the label %s, but the positive label is %s; if they are the same, set positive",
        format_values(values), format_values(known[1])
      ),
      positive = known[1]
    )
  }
  as.vector(labels == known[1])
}

# Returns the first values as a text.
format_values <- function(values, max = 5) {
  as_shown <- function(value) if (is.numeric(value)) format(value, digits = 15) else format_value(as.vector(value))
  shown <- vapply(utils::head(values, max), as_shown, "")
  more <- if (length(values) > max) sprintf(" and %d more", length(values) - max) else ""
  paste0(paste(shown, collapse = ", "), more)
}
