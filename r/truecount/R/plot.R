#' Plot results
#'
#' `plot()` draws a result with base graphics and `autoplot()` with ggplot2: estimates, also of several classes,
#' audits, counts, differences, checks, plans and monitored periods. Groups that are dates or numbers lie along an
#' axis, other groups below one another. An open circle marks an estimate with a caution, a grey cross one that is
#' unreliable. A total is a dashed line. In an audit without groups, sources that are not recommended are grey.
#'
#' The figure of a check is Adjusted Count at every threshold with its pointwise 95 % interval. If only the prevalence
#' has changed, the curve is flat except for chance, and the prevalence of the nearest mixture, the dashed line, stays
#' in the band. The p-value tests all thresholds together.
#'
#' @param x,object Estimates of [tc_estimate()], an audit of [tc_audit()], whose sources of evidence are drawn, counts
#'   of [tc_counts()], differences of [tc_compare()], a check of [tc_check()], a plan of [tc_plan()] with a goal, or
#'   periods of [tc_monitor()].
#' @param row Of a check, the row of a group; by default the group with the smallest p-value.
#' @param ... For `plot()`, `xlab`, `ylab`, `main` and others as in [graphics::plot()]; `autoplot()` takes `row` only.
#' @return `plot()` returns its argument, invisibly; `autoplot()` a plot of ggplot2.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train, total = TRUE)
#' plot(weeks)
#' plot(tc_check(tc_fit(label ~ score, spam_train), spam_weeks))
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(weeks)
#' @name plot.tc_estimate
NULL

# Returns the figure of a result: a list of its title, the labels and limits of its axes, and
# - layers: lists of marks (points, line or band) with x, y, lower, upper, series and severity;
# - rules: lines across the figure, with their position, side (h or v), colour, type and name;
# - rows: names of the rows from top to bottom, if the y axis has names; the first has the highest y;
# - breaks: positions and labels on the x axis, unless they follow from its numbers;
# - log: whether both axes are logarithmic.
figure_of <- function(x, ...) UseMethod("figure_of")

new_figure <- function(title, xlab, ylab, layers, xlim = NULL, ylim = NULL, rules = NULL, rows = NULL, breaks = NULL,
                       log = FALSE) {
  ends <- function(names) do.call(c, unname(lapply(layers, function(layer) do.call(c, unname(layer[names])))))
  is_rows <- !is.null(rows)
  if (is.null(xlim)) xlim <- range(ends(if (is_rows) c("x", "lower", "upper") else "x"), na.rm = TRUE)
  if (is.null(ylim)) {
    ylim <- if (is_rows) c(0.5, length(rows) + 0.5) else range(ends(c("y", "lower", "upper")), na.rm = TRUE)
  }
  list(
    title = title, xlab = xlab, ylab = ylab, layers = layers, xlim = xlim, ylim = ylim, rules = rules, rows = rows,
    breaks = breaks, log = log
  )
}

# Returns marks of one kind. Those of a series have its colour, and points the symbol of their severity.
new_layer <- function(mark, x, y, lower = NULL, upper = NULL, series = "", severity = NULL) {
  if (is.null(severity)) severity <- rep("reliable", length(x))
  list(
    mark = mark, x = x, y = y, lower = lower, upper = upper, series = rep_len(as.character(series), length(x)),
    severity = factor(ifelse(severity %in% names(severity_symbols), severity, "reliable"), names(severity_symbols))
  )
}

new_rule <- function(at, side, colour = "grey40", type = 2, name = "") {
  data.frame(at = as.numeric(at), side = side, colour = colour, type = type, name = name)
}

# The symbols of estimates by the severity of their gravest warning, and of sources of evidence that are
# not recommended.
severity_symbols <- c(reliable = 19, caution = 1, unreliable = 4, `not recommended` = 19)
grey_severities <- c("unreliable", "not recommended")

# Returns the colours of the series of a figure.
series_colours <- function(figure) {
  series <- unique(unlist(lapply(figure$layers, `[[`, "series")))
  stats::setNames(method_colours(length(series)), series)
}

method_colours <- function(n) if (n == 1) "#1f5a8a" else grDevices::hcl.colors(n, "Dark 3")

# Returns the severities that a figure marks.
marked_severities <- function(figure) {
  of_points <- Filter(function(layer) layer$mark == "points", figure$layers)
  setdiff(unlist(lapply(of_points, function(layer) as.character(layer$severity))), "reliable")
}

# Returns the limits of an axis of shares: those of the data, and 0 or 1 if they are near.
share_limits <- function(...) {
  limits <- range(..., na.rm = TRUE)
  limits <- limits + c(-0.04, 0.04) * max(diff(limits), 0.05)
  c(if (limits[1] < 0.1) 0 else limits[1], if (limits[2] > 0.9) 1 else limits[2])
}

# Draws a figure with base graphics.
draw_figure <- function(figure, xlab = figure$xlab, ylab = figure$ylab, main = figure$title, ...) {
  is_rows <- !is.null(figure$rows)
  if (is_rows) {
    left <- max(graphics::strwidth(figure$rows, units = "inches", cex = 0.8)) + 0.5
    top <- if (nzchar(main)) graphics::par("mai")[3] else 0.2
    old <- graphics::par(mai = replace(graphics::par("mai"), 2:3, c(left, top)))
    on.exit(graphics::par(old))
  }
  graphics::plot(figure$xlim, figure$ylim,
    type = "n", log = if (figure$log) "xy" else "", xlab = xlab, ylab = ylab, main = main,
    las = if (figure$log) 0 else 1,
    xaxt = if (is.null(figure$breaks)) "s" else "n", yaxt = if (is_rows) "n" else "s", ...
  )
  if (is_rows) graphics::axis(2, length(figure$rows):1, figure$rows, las = 1, cex.axis = 0.8)
  if (!is.null(figure$breaks)) graphics::axis(1, figure$breaks$at, figure$breaks$labels)
  for (index in seq_len(NROW(figure$rules))) {
    rule <- figure$rules[index, ]
    do.call(graphics::abline, stats::setNames(list(rule$at, rule$type, rule$colour), c(rule$side, "lty", "col")))
    graphics::mtext(rule$name, if (rule$side == "h") 4 else 3, at = rule$at, col = rule$colour, cex = 0.7, las = 1)
  }
  palette <- series_colours(figure)
  for (layer in figure$layers) {
    x <- as.numeric(layer$x)
    colours <- ifelse(layer$severity %in% grey_severities, "grey60", palette[match(layer$series, names(palette))])
    if (layer$mark == "band") {
      band <- grDevices::adjustcolor(colours[1], 0.2)
      graphics::polygon(c(x, rev(x)), c(layer$lower, rev(layer$upper)), col = band, border = NA)
    } else if (layer$mark == "line") {
      graphics::lines(x, layer$y, col = colours[1], lwd = 1.5)
    } else {
      if (!is.null(layer$lower)) {
        ends <- list(x, layer$lower, x, layer$upper)
        if (is_rows) ends <- list(layer$lower, layer$y, layer$upper, layer$y)
        do.call(graphics::segments, c(ends, list(col = colours, lwd = 2)))
      }
      graphics::points(x, layer$y, pch = severity_symbols[as.character(layer$severity)], col = colours)
    }
  }
  marks <- marked_severities(figure)
  series <- if (length(palette) > 1) palette
  if (length(c(series, marks)) > 0) {
    graphics::legend(
      "topright", c(names(series), marks), col = c(series, rep("grey60", length(marks))),
      pch = c(rep(19, length(series)), severity_symbols[marks]), bty = "n", cex = 0.8
    )
  }
}

# Draws a figure with ggplot2.
ggplot_figure <- function(figure) {
  .data <- ggplot2::.data
  palette <- series_colours(figure)
  several <- length(palette) > 1
  plot <- ggplot2::ggplot()
  for (layer in figure$layers) {
    data <- as.data.frame(layer[!vapply(layer, is.null, NA)])
    marks <- list(
      band = function() {
        ggplot2::geom_ribbon(
          ggplot2::aes(.data$x, ymin = .data$lower, ymax = .data$upper, fill = .data$series), data, alpha = 0.2
        )
      },
      line = function() ggplot2::geom_line(ggplot2::aes(.data$x, .data$y, colour = .data$series), data),
      points = function() {
        aesthetics <- ggplot2::aes(
          .data$x, .data$y, colour = .data$series, shape = .data$severity, alpha = .data$severity
        )
        if (is.null(layer$lower)) return(ggplot2::geom_point(aesthetics, data))
        ends <- if (is.null(figure$rows)) {
          ggplot2::aes(ymin = .data$lower, ymax = .data$upper)
        } else {
          ggplot2::aes(xmin = .data$lower, xmax = .data$upper)
        }
        ggplot2::geom_pointrange(utils::modifyList(aesthetics, ends), data)
      }
    )
    plot <- plot + marks[[layer$mark]]()
  }
  rules <- figure$rules
  # Positions have the class of their axis, such as dates.
  on_axis <- function(at, side) {
    first <- (if (side == "h") figure$ylim else figure$xlim)[1]
    first + (at - as.numeric(first))
  }
  for (index in seq_len(NROW(rules))) {
    draw <- if (rules$side[index] == "h") ggplot2::geom_hline else ggplot2::geom_vline
    at <- list(on_axis(rules$at[index], rules$side[index]))
    names(at) <- if (rules$side[index] == "h") "yintercept" else "xintercept"
    plot <- plot + do.call(draw, c(at, list(linetype = rules$type[index], colour = rules$colour[index])))
  }
  named <- rules[nzchar(rules$name), ]
  scale <- function(axis, limits, ...) {
    if (figure$log) return(get(paste0("scale_", axis, "_log10"), asNamespace("ggplot2"))(...))
    kind <- if (inherits(limits, "Date")) "date" else if (inherits(limits, "POSIXct")) "datetime" else "continuous"
    get(sprintf("scale_%s_%s", axis, kind), asNamespace("ggplot2"))(...)
  }
  breaks <- if (is.null(figure$breaks)) list() else list(breaks = figure$breaks$at, labels = figure$breaks$labels)
  rows <- if (is.null(figure$rows)) list() else list(breaks = length(figure$rows):1, labels = figure$rows)
  # A rule has its name at the opposite axis.
  if (NROW(named) > 0) {
    second <- function(side) {
      of_side <- named[named$side == side, ]
      if (nrow(of_side) == 0) return(list())
      list(sec.axis = ggplot2::dup_axis(name = NULL, breaks = on_axis(of_side$at, side), labels = of_side$name))
    }
    breaks <- c(breaks, second("v"))
    rows <- c(rows, second("h"))
  }
  alphas <- vapply(names(severity_symbols), function(name) if (name %in% grey_severities) 0.35 else 1, 0)
  guide <- if (length(marked_severities(figure)) == 0) "none" else "legend"
  plot +
    do.call(scale, c(list("x", figure$xlim), breaks)) +
    do.call(scale, c(list("y", figure$ylim), rows)) +
    ggplot2::coord_cartesian(xlim = figure$xlim, ylim = figure$ylim) +
    ggplot2::scale_colour_manual(values = palette, guide = if (several) "legend" else "none") +
    ggplot2::scale_fill_manual(values = palette, guide = "none") +
    ggplot2::scale_alpha_manual(values = alphas, guide = "none") +
    ggplot2::scale_shape_manual(values = severity_symbols, guide = guide) +
    ggplot2::labs(x = figure$xlab, y = figure$ylab, title = figure$title, colour = NULL, shape = NULL)
}

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

# Returns a title that says what is seen.
heading <- function(x, what = "Share of positives") {
  by <- if (length(x$by) > 0) paste(" by", paste(x$by, collapse = ", ")) else ""
  sprintf("%s%s, with %g %% intervals", what, by, 100 * x$level)
}

figure_of.tc_estimate <- function(x, ...) {
  table <- x$table
  axis <- group_axis(x)
  is_rows <- !axis$is_continuous
  position <- if (is_rows) nlevels(axis$values) + 1 - as.integer(axis$values) else axis$values
  position <- position + method_offsets(table, position) * (if (is_rows) -1 else 1)
  layer <- new_layer(
    "points", if (is_rows) table$prevalence else position, if (is_rows) position else table$prevalence, table$lower,
    table$upper, table$method, as.character(table$severity)
  )
  limits <- share_limits(table$lower, table$upper, table$prevalence, x$total$prevalence)
  new_figure(
    heading(x), if (is_rows) "prevalence" else paste(x$by, collapse = ", "), if (is_rows) "" else "prevalence",
    list(layer), xlim = if (is_rows) limits, ylim = if (!is_rows) limits, rows = if (is_rows) levels(axis$values),
    rules = if (!is.null(x$total)) new_rule(x$total$prevalence[1], if (is_rows) "v" else "h", name = "total")
  )
}

# Counts have one method.
figure_of.tc_counts <- function(x, ...) {
  x$table$method <- rep("counts", nrow(x$table))
  figure_of.tc_estimate(x)
}

# In each group the sources of evidence take the place of methods. Without groups they take the place of
# groups, and only the recommended one has a colour.
figure_of.tc_audit <- function(x, ...) {
  table <- x$table
  has_groups <- length(x$by) > 0
  table$method <- if (has_groups) table$source else ""
  table$severity <- if (has_groups) NA_character_ else ifelse(table$recommended, NA, "not recommended")
  figure_of.tc_estimate(list(table = table, by = if (has_groups) x$by else "source", level = x$level))
}

# In each group the classes take the place of methods; without groups they take the place of groups.
figure_of.tc_class_estimate <- function(x, ...) {
  table <- x$table
  has_groups <- length(x$by) > 0
  table$method <- if (has_groups) table$class else ""
  figure <- figure_of.tc_estimate(list(table = table, by = if (has_groups) x$by else "class", level = x$level))
  figure$title <- heading(x, "Share of each class")
  figure
}

figure_of.tc_compare <- function(x, ...) {
  table <- x$table
  rows <- contrast_labels(x)
  layer <- new_layer("points", table$difference, length(rows):1, table$lower, table$upper, table$method)
  new_figure(
    heading(x, "Differences of shares"), "difference of prevalences", "", list(layer),
    xlim = range(0, table$lower, table$upper), rules = new_rule(0, "v"), rows = rows
  )
}

figure_of.tc_check <- function(x, row = which.min(x$table$p_value), ...) {
  if (nrow(x$table) == 0) {
    abort(
      "option-invalid", "options", "there is nothing to plot; check unlabelled scores (newdata)",
      name = "x"
    )
  }
  if (!isTRUE(row %in% seq_len(nrow(x$table)))) {
    abort("option-invalid", "options", sprintf("row must be a number from 1 to %d", nrow(x$table)), name = "row")
  }
  curve <- x$curves[[row]]
  nearest <- x$table$prevalence[row]
  group <- if (length(x$by) == 0) "" else paste(" of", row_labels(x)[row])
  half <- stats::qnorm(0.975) * curve$se
  # The curve is unbounded where the rates hardly differ, so the axis is limited.
  ylim <- c(max(-0.5, min(curve$prevalence - half, nearest)), min(1.5, max(curve$prevalence + half, nearest)))
  new_figure(
    sprintf(
      "Adjusted Count%s by threshold: %s (p %s)", group, x$table$verdict[row],
      unwrap(format_p(x$table$p_value_holm[row]))
    ),
    "threshold", "prevalence",
    list(
      new_layer("band", curve$theta, curve$prevalence, curve$prevalence - half, curve$prevalence + half),
      new_layer("line", curve$theta, curve$prevalence)
    ),
    xlim = if (length(curve$theta) == 0) c(0, 1), ylim = ylim,
    rules = new_rule(nearest, "h", "#d55e00", name = "nearest\nmixture")
  )
}

figure_of.tc_plan <- function(x, ...) {
  if (is.null(c(x$options$se, x$options$half_width))) {
    abort("option-invalid", "options", "only a plan with a goal can be plotted: give se or half_width", name = "x")
  }
  curves <- unwrap(plan_curves(rust_model(x$model), x$options, thread_count()))
  if (length(curves) == 0) {
    abort("option-invalid", "options", "there is nothing to plot: a method cannot reach the goal", name = "x")
  }
  table <- x$table
  sizes <- table[table$split %in% c("best", "given") & is.finite(table$unlabelled) & is.finite(table$labelled), ]
  lines <- Map(
    function(curve, method) new_layer("line", curve$unlabelled, curve$labelled, series = method), curves, names(curves)
  )
  new_figure(
    paste("Numbers of scores that reach the goal:", sub("^goal: ", "", sub(" \\(.*\\)$", "", x$notes[[1]]))),
    "unlabelled scores", "labelled scores, best split",
    c(unname(lines), list(new_layer("points", sizes$unlabelled, sizes$labelled, series = sizes$method))), log = TRUE
  )
}

figure_of.tc_monitor <- function(x, ...) {
  periods <- x$table[[x$by]]
  # Texts lie at equal distances, and some of them are named.
  is_text <- !is.numeric(periods) && !inherits(periods, c("Date", "POSIXt"))
  position <- if (is_text) seq_along(periods) else periods
  named <- unique(round(seq(1, length(periods), length.out = min(6, length(periods)))))
  x$table$method <- rep("", nrow(x$table))
  x$table[[x$by]] <- position
  figure <- figure_of.tc_estimate(x)
  known <- !is.na(x$table$smoothed)
  smoothed <- list(
    new_layer("band", position[known], x$table$smoothed[known], x$table$smoothed_lower[known],
      x$table$smoothed_upper[known]),
    new_layer("line", position[known], x$table$smoothed[known])
  )
  figure$layers <- c(smoothed, figure$layers)
  figure$title <- sub(", with", ", smoothed, with", figure$title, fixed = TRUE)
  figure$breaks <- if (is_text) list(at = named, labels = as.character(periods[named]))
  figure$rules <- rbind(
    if (!is.null(x$table$bound)) new_rule(x$table$bound[1], "h", "#d55e00", 3, "limit"),
    if (!is.null(x$alarm_at)) new_rule(position[match(x$alarm_at, periods)], "v", "#d55e00", 1, "alarm")
  )
  figure$ylim <- share_limits(figure$ylim, x$table$bound)
  figure
}

#' @rdname plot.tc_estimate
#' @importFrom graphics plot
#' @export
plot.tc_estimate <- function(x, ...) {
  draw_figure(figure_of(x), ...)
  invisible(x)
}

#' @rdname plot.tc_estimate
#' @export
plot.tc_check <- function(x, row = which.min(x$table$p_value), ...) {
  draw_figure(figure_of(x, row), ...)
  invisible(x)
}

#' @rdname plot.tc_estimate
#' @export
plot.tc_audit <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @export
plot.tc_counts <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @export
plot.tc_class_estimate <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @export
plot.tc_compare <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @export
plot.tc_plan <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @export
plot.tc_monitor <- plot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_estimate <- function(object, ...) ggplot_figure(figure_of(object, ...))

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_audit <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_counts <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_class_estimate <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_compare <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_check <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_plan <- autoplot.tc_estimate

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_monitor <- autoplot.tc_estimate
