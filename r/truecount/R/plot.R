#' Plot estimates
#'
#' Draws each estimate with its interval. Groups that are dates or numbers lie along an axis, other
#' groups below one another. An open circle marks an estimate with a caution, a grey cross one that is
#' unreliable. A total is a dashed line.
#'
#' @param x,object Estimates of [tc_estimate()], or an audit of [tc_audit()], whose sources of
#'   evidence are drawn.
#' @param xlab,ylab,main,xaxt,... As in [graphics::plot()].
#' @return `plot()` returns its argument, invisibly; `autoplot()` a plot of ggplot2.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train, total = TRUE)
#' plot(weeks)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(weeks)
#' @name plot.tc_estimate
NULL

# Returns the values of the groups' axis: dates or numbers on a continuous axis, otherwise a factor.
group_axis <- function(x) {
  values <- if (length(x$by) == 1) x$table[[x$by]] else NULL
  if (is.numeric(values) || inherits(values, c("Date", "POSIXt"))) {
    return(list(values = values, is_continuous = TRUE))
  }
  labels <- if (length(x$by) == 0) {
    rep("all", nrow(x$table))
  } else {
    do.call(paste, c(lapply(x$table[x$by], as.character), sep = ", "))
  }
  list(values = factor(labels, unique(labels)), is_continuous = FALSE)
}

# Returns the distances by which the methods of a group are moved apart on its axis, whose groups have
# these positions.
method_offsets <- function(table, positions) {
  methods <- unique(table$method)
  distances <- diff(sort(unique(as.numeric(positions))))
  unit <- if (length(distances) == 0) 1 else min(distances)
  (match(table$method, methods) - (length(methods) + 1) / 2) * unit * min(0.15, 0.6 / length(methods))
}

# The symbols of estimates by the severity of their gravest warning, and of sources of evidence that are
# not recommended.
severity_symbols <- c(reliable = 19, caution = 1, unreliable = 4, `not recommended` = 19)
grey_severities <- c("unreliable", "not recommended")

# Returns the severities that are marked, as a factor.
marked_severity <- function(table) {
  severity <- as.character(table$severity)
  factor(ifelse(severity %in% names(severity_symbols), severity, "reliable"), names(severity_symbols))
}

method_colours <- function(n) if (n == 1) "#1f5a8a" else grDevices::hcl.colors(n, "Dark 3")

# Returns a title that says what is seen.
heading <- function(x) {
  by <- if (length(x$by) > 0) paste(" by", paste(x$by, collapse = ", ")) else ""
  sprintf("Share of positives%s, with %g %% intervals", by, 100 * x$level)
}

#' @rdname plot.tc_estimate
#' @importFrom graphics plot
#' @export
plot.tc_estimate <- function(x, xlab = NULL, ylab = NULL, main = heading(x), xaxt = NULL, ...) {
  table <- x$table
  methods <- unique(table$method)
  axis <- group_axis(x)
  position <- if (axis$is_continuous) axis$values else as.integer(axis$values)
  position <- position + method_offsets(table, position)
  colours <- method_colours(length(methods))[match(table$method, methods)]
  severity <- marked_severity(table)
  colours[severity %in% grey_severities] <- "grey60"
  symbols <- severity_symbols[severity]
  if (axis$is_continuous || nlevels(axis$values) <= 1) {
    graphics::plot(position, table$prevalence,
      type = "n", ylim = c(0, 1), xlab = if (is.null(xlab)) paste(x$by, collapse = ", ") else xlab,
      ylab = if (is.null(ylab)) "prevalence" else ylab, main = main,
      xaxt = if (!is.null(xaxt)) xaxt else if (axis$is_continuous) "s" else "n", las = 1, ...
    )
    draw_total(x, "h")
    graphics::segments(
      as.numeric(position), table$lower, as.numeric(position), table$upper, col = colours, lwd = 2
    )
    graphics::points(position, table$prevalence, pch = symbols, col = colours)
  } else {
    labels <- levels(axis$values)
    left <- max(graphics::strwidth(labels, units = "inches", cex = 0.8)) + 0.5
    top <- if (nzchar(main)) graphics::par("mai")[3] else 0.2
    old <- graphics::par(mai = replace(graphics::par("mai"), 2:3, c(left, top)))
    on.exit(graphics::par(old))
    height <- length(labels) + 1 - position
    graphics::plot(table$prevalence, height,
      type = "n", xlim = c(0, 1), ylim = c(0.5, length(labels) + 0.5),
      xlab = if (is.null(xlab)) "prevalence" else xlab, ylab = if (is.null(ylab)) "" else ylab, main = main,
      yaxt = "n", ...
    )
    graphics::axis(2, length(labels):1, labels, las = 1, cex.axis = 0.8)
    draw_total(x, "v")
    graphics::segments(table$lower, height, table$upper, height, col = colours, lwd = 2)
    graphics::points(table$prevalence, height, pch = symbols, col = colours)
  }
  marks <- setdiff(levels(droplevels(severity)), "reliable")
  entries <- c(if (length(methods) > 1) methods, marks)
  if (length(entries) > 0) {
    method_entries <- length(entries) - length(marks)
    graphics::legend(
      "topright", entries,
      col = c(method_colours(length(methods))[seq_len(method_entries)], rep("grey60", length(marks))),
      pch = c(rep(19, method_entries), severity_symbols[marks]), bty = "n", cex = 0.8
    )
  }
  invisible(x)
}

# Draws a dashed line at the total of each method, with a name; `side` is the argument of abline, h or v.
draw_total <- function(x, side) {
  if (!is.null(x$total)) {
    totals <- x$total$prevalence
    do.call(graphics::abline, stats::setNames(list(totals, 2, "grey40"), c(side, "lty", "col")))
    graphics::mtext("total", if (side == "h") 4 else 3, at = totals[1], col = "grey40", cex = 0.7, las = 1)
  }
}

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_estimate <- function(object, ...) {
  axis <- group_axis(object)
  data <- data.frame(
    object$table[c("method", "prevalence", "lower", "upper")], position = axis$values,
    severity = marked_severity(object$table)
  )
  several <- length(unique(data$method)) > 1
  if (axis$is_continuous) data$position <- data$position + method_offsets(object$table, data$position)
  .data <- ggplot2::.data
  aesthetics <- ggplot2::aes(
    x = .data$position, y = .data$prevalence, ymin = .data$lower, ymax = .data$upper, alpha = .data$severity,
    shape = .data$severity, colour = if (several) .data$method
  )
  plot <- ggplot2::ggplot(data, aesthetics)
  if (!is.null(object$total)) {
    plot <- plot +
      ggplot2::geom_hline(
        ggplot2::aes(yintercept = .data$prevalence, linetype = "total"), object$total,
        colour = "grey40"
      ) +
      ggplot2::scale_linetype_manual(values = c(total = 2))
  }
  dodge <- ggplot2::position_dodge(width = if (several && !axis$is_continuous) 0.4 else 0)
  alphas <- vapply(names(severity_symbols), function(name) if (name %in% grey_severities) 0.35 else 1, 0)
  guide <- if (all(data$severity == "reliable")) "none" else "legend"
  plot <- plot +
    ggplot2::geom_pointrange(position = dodge) +
    ggplot2::scale_alpha_manual(values = alphas, guide = "none") +
    ggplot2::scale_shape_manual(values = severity_symbols, guide = guide) +
    ggplot2::scale_y_continuous(limits = c(0, 1)) +
    ggplot2::labs(
      x = paste(object$by, collapse = ", "), y = "prevalence", colour = if (several) "method", shape = NULL,
      linetype = NULL, title = heading(object)
    )
  if (axis$is_continuous) {
    return(plot)
  }
  plot + ggplot2::coord_flip() + ggplot2::scale_x_discrete(limits = rev(levels(axis$values)))
}
