#' Pictures of estimates
#'
#' Each estimate with its interval; groups that are dates or numbers along an axis, others one above the other. What is not to be relied on
#' is grey, and a total is a dashed line.
#'
#' @param x,object Estimates of [tc_estimate()], or an audit of [tc_audit()], whose sources of evidence are drawn.
#' @param xlab,ylab,main,... As in [graphics::plot()].
#' @return `plot()` its argument, invisibly; `autoplot()` a plot of ggplot2.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train, total = TRUE)
#' plot(weeks)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(weeks)
#' @name plot.tc_estimate
NULL

# What is drawn: places along the groups' axis, and whether it is a scale.
drawn_at <- function(x) {
  values <- if (length(x$by) == 1) x$table[[x$by]] else NULL
  if (is.numeric(values) || inherits(values, c("Date", "POSIXt"))) {
    return(list(at = values, scale = TRUE))
  }
  labels <- if (length(x$by) == 0) rep("all", nrow(x$table)) else do.call(paste, c(lapply(x$table[x$by], as.character), sep = ", "))
  list(at = factor(labels, unique(labels)), scale = FALSE)
}

palette_of <- function(n) if (n == 1) "#1f5a8a" else grDevices::hcl.colors(n, "Dark 3")

#' @rdname plot.tc_estimate
#' @importFrom graphics plot
#' @export
plot.tc_estimate <- function(x, xlab = NULL, ylab = NULL, main = "", ...) {
  table <- x$table
  methods <- unique(table$method)
  at <- drawn_at(x)
  place <- if (at$scale) at$at else as.integer(at$at)
  # Several methods stand beside each other.
  beside <- (match(table$method, methods) - (length(methods) + 1) / 2) * 0.15
  if (!at$scale) place <- place + beside
  colours <- palette_of(length(methods))[match(table$method, methods)]
  colours[table$severity %in% "unreliable"] <- "grey60"
  shares <- range(0, 1)
  ends <- cbind(table$lower, table$upper)
  if (at$scale || nlevels(at$at) <= 1) {
    graphics::plot(place, table$prevalence,
      type = "n", ylim = shares, xlab = if (is.null(xlab)) paste(x$by, collapse = ", ") else xlab,
      ylab = if (is.null(ylab)) "prevalence" else ylab, main = main, xaxt = if (at$scale) "s" else "n", las = 1, ...
    )
    total_line(x, "h")
    graphics::segments(as.numeric(place), ends[, 1], as.numeric(place), ends[, 2], col = colours, lwd = 2)
    graphics::points(place, table$prevalence, pch = 19, col = colours)
  } else {
    labels <- levels(at$at)
    left <- max(graphics::strwidth(labels, units = "inches", cex = 0.8)) + 0.5
    old <- graphics::par(mai = replace(graphics::par("mai"), 2:3, c(left, if (nzchar(main)) graphics::par("mai")[3] else 0.2)))
    on.exit(graphics::par(old))
    down <- length(labels) + 1 - place
    graphics::plot(table$prevalence, down,
      type = "n", xlim = shares, ylim = c(0.5, length(labels) + 0.5), xlab = if (is.null(xlab)) "prevalence" else xlab,
      ylab = if (is.null(ylab)) "" else ylab, main = main, yaxt = "n", ...
    )
    graphics::axis(2, length(labels):1, labels, las = 1, cex.axis = 0.8)
    total_line(x, "v")
    graphics::segments(ends[, 1], down, ends[, 2], down, col = colours, lwd = 2)
    graphics::points(table$prevalence, down, pch = 19, col = colours)
  }
  if (length(methods) > 1) {
    graphics::legend("topright", methods, col = palette_of(length(methods)), pch = 19, bty = "n", cex = 0.8)
  }
  invisible(x)
}

total_line <- function(x, which) {
  if (!is.null(x$total)) {
    do.call(graphics::abline, stats::setNames(list(x$total$prevalence, 2, "grey40"), c(which, "lty", "col")))
  }
}

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_estimate <- function(object, ...) {
  at <- drawn_at(object)
  reliable <- !object$table$severity %in% "unreliable"
  shown <- data.frame(object$table[c("method", "prevalence", "lower", "upper")], at = at$at, reliable = reliable)
  several <- length(unique(shown$method)) > 1
  .data <- ggplot2::.data
  aesthetics <- ggplot2::aes(
    x = .data$at, y = .data$prevalence, ymin = .data$lower, ymax = .data$upper, alpha = .data$reliable,
    colour = if (several) .data$method
  )
  drawn <- ggplot2::ggplot(shown, aesthetics)
  if (!is.null(object$total)) {
    drawn <- drawn + ggplot2::geom_hline(yintercept = object$total$prevalence, linetype = 2, colour = "grey40")
  }
  drawn <- drawn +
    ggplot2::geom_pointrange(position = ggplot2::position_dodge(width = if (several) 0.4 else 0)) +
    ggplot2::scale_alpha_manual(values = c(`TRUE` = 1, `FALSE` = 0.35), guide = "none") +
    ggplot2::scale_y_continuous(limits = c(0, 1)) +
    ggplot2::labs(x = paste(object$by, collapse = ", "), y = "prevalence", colour = if (several) "method")
  if (at$scale) drawn else drawn + ggplot2::coord_flip() + ggplot2::scale_x_discrete(limits = rev(levels(at$at)))
}
