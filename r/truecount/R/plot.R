#' Plot results
#'
#' `plot()` draws a result with base graphics and `autoplot()` with ggplot2: estimates, shares of several classes,
#' audits, counts, differences, checks, plans and monitored periods. Groups that are dates or numbers lie along an
#' axis, other groups below one another; of more than forty rows, the five highest and lowest have names. An open
#' circle marks an estimate with a caution, a grey cross one that is unreliable. A total is a dashed line. Sources of an
#' audit without groups that are not recommended are grey, and so are intervals of many groups that include the total.
#' Periods have a smoothed line if it moves a share by more than a tenth of its interval. Differences are in points.
#'
#' The figure of a check is Adjusted Count at every threshold with its pointwise 95 % interval. If only the prevalence
#' has changed, the curve is flat except for chance, and the prevalence of the nearest mixture, the dashed line, stays
#' in the band. The p-value tests all thresholds together, with Holm's correction for the number of groups.
#'
#' @param x,object Estimates of [tc_estimate()], an audit of [tc_audit()], whose sources of evidence are drawn, counts
#'   of [tc_counts()], differences of [tc_compare()], a check of [tc_check()], a plan of [tc_plan()] with a goal, or
#'   periods of [tc_monitor()].
#' @param row For a check, the index of the group to draw; by default, the group with the smallest p-value.
#' @param ... For `plot()`, `xlab`, `ylab`, `main` and others as in [graphics::plot()]; `autoplot()` takes `row` only.
#' @return `plot()` returns its argument, invisibly; `autoplot()` a plot of ggplot2.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train, total = TRUE)
#' plot(weeks)
#' plot(tc_check(tc_fit(label ~ score, spam_train), spam_weeks))
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(weeks)
#' @name plot.tc_result
NULL

# Returns the figure of a result: a list of its title, the labels and limits of its axes, and
# - layers: lists of marks (points, line or band) with x, y, lower, upper, series and severity;
# - rules: lines across the figure, with their position, side (h or v), colour, type and name;
# - rows: positions of the rows by their names, if the y axis has names;
# - breaks: positions and labels on the x axis, unless they follow from its numbers;
# - share: the axis (x or y) that has percentages, or with `points` differences of them in points;
# - plain: the name of a single series in a key of marks;
# - log: whether both axes are logarithmic.
figure_of <- function(x, row = NULL) UseMethod("figure_of")

new_figure <- function(title, xlab, ylab, layers, xlim = NULL, ylim = NULL, rules = NULL, rows = NULL, breaks = NULL,
                       share = "", points = FALSE, plain = "estimate", log = FALSE) {
  ends <- function(names) do.call(c, unname(lapply(layers, function(layer) do.call(c, unname(layer[names])))))
  is_rows <- !is.null(rows)
  if (is.null(xlim)) xlim <- range(ends(if (is_rows) c("x", "lower", "upper") else "x"), na.rm = TRUE)
  if (is.null(ylim)) {
    ylim <- if (is_rows) range(rows) + c(-0.5, 0.5) else range(ends(c("y", "lower", "upper")), na.rm = TRUE)
  }
  list(
    title = title, xlab = xlab, ylab = ylab, layers = layers, xlim = xlim, ylim = ylim, rules = rules, rows = rows,
    breaks = breaks, share = share, format = if (points) signed_points else percentages, plain = plain, log = log
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

# The symbols of estimates by the severity of their gravest warning, and of estimates in the background.
severity_symbols <- c(
  reliable = 19, caution = 1, unreliable = 4, `not recommended` = 19, estimate = 19, `interval includes the total` = 19
)
grey_severities <- setdiff(names(severity_symbols), c("reliable", "caution"))

# With more rows or periods, only the ends have names, or the line an interval.
max_named <- 40

# Returns the colours of the series of a figure.
series_colours <- function(figure) {
  series <- unique(unlist(lapply(figure$layers, `[[`, "series")))
  stats::setNames(method_colours(length(series)), series)
}

# The colours of Okabe and Ito (2008) without yellow, as in the report.
method_colours <- function(n) {
  rep_len(c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"), n)
}

# The symbols that tell series apart without colour.
series_symbols <- c(19, 15, 18, 17, 25, 3, 8)

# Returns the keys, colours and symbols of the marks of a layer.
layer_marks <- function(layer, palette) {
  index <- match(layer$series, names(palette))
  is_grey <- layer$severity %in% grey_severities
  data.frame(
    key = paste(ifelse(is_grey, "", layer$series), layer$severity), colour = ifelse(is_grey, "grey60", palette[index]),
    symbol = ifelse(
      layer$severity == "reliable", rep_len(series_symbols, length(palette))[index],
      severity_symbols[as.character(layer$severity)]
    )
  )
}

# Wraps a title, but not within "95 % intervals" and "p = 0.03".
wrap_title <- function(title, width) {
  lines <- strwrap(gsub(" ([%=]) ", "\001\\1\001", title), width)
  paste(gsub("\001", " ", lines, fixed = TRUE), collapse = "\n")
}

percentages <- function(shares) paste(format(round(100 * shares, 1), trim = TRUE, drop0trailing = TRUE), "%")
signed_points <- function(shares) sub("^[+]0$", "0", sprintf("%+g", round(100 * shares, 1)))

# Returns the legend of a figure: the names, keys, symbols and colours of its series, if there are several or
# marks of severities, and of these. A series without points has a line instead of a symbol.
figure_key <- function(figure) {
  palette <- series_colours(figure)
  of_points <- Filter(function(layer) layer$mark == "points", figure$layers)
  severities <- unlist(lapply(of_points, function(layer) as.character(layer$severity)))
  marks <- setdiff(severities, "reliable")
  has_points <- "reliable" %in% severities
  is_named <- length(marks) > 0 && (has_points || length(of_points) < length(figure$layers))
  if (length(palette) < 2 && !is_named) palette <- NULL
  symbols <- if (has_points) series_symbols else NA
  data.frame(
    name = c(if (length(palette) == 1) figure$plain else names(palette), marks),
    key = c(sprintf("%s reliable", names(palette)), paste0(ifelse(marks %in% grey_severities, " ", ""), marks)),
    symbol = c(rep_len(symbols, length(palette)), severity_symbols[marks]),
    colour = c(palette, ifelse(marks %in% grey_severities, "grey60", "black"))
  )
}

# Returns the limits of an axis of shares: those of the data, and 0 or 1 if they are near.
share_limits <- function(...) {
  limits <- grDevices::extendrange(range(..., na.rm = TRUE), f = 0.04)
  c(if (limits[1] < 0.1) 0 else limits[1], if (limits[2] > 0.9) 1 else limits[2])
}

# Draws a figure with base graphics, with its key below.
draw_figure <- function(figure, xlab = figure$xlab, ylab = figure$ylab, main = figure$title, ...) {
  is_rows <- !is.null(figure$rows)
  key <- figure_key(figure)
  widest <- function(names, cex) max(0, graphics::strwidth(names, units = "inches", cex = cex))
  named <- figure$rules$name[figure$rules$side == "h"]
  bottom <- 0.5 + 0.4 * nzchar(xlab) + 0.4 * (nrow(key) > 0)
  mai <- c(bottom, graphics::par("mai")[2:3], max(graphics::par("mai")[4], widest(named, 0.7) + 0.15))
  if (is_rows) mai[2:3] <- c(widest(names(figure$rows), 0.8) + 0.3, if (nzchar(main)) mai[3] else 0.2)
  old <- graphics::par(mai = mai, cex.lab = 0.8)
  on.exit(graphics::par(old))
  graphics::plot(figure$xlim, figure$ylim,
    type = "n", log = if (figure$log) "xy" else "", xlab = xlab, ylab = ylab, las = if (figure$log) 0 else 1,
    xaxt = if (is.null(figure$breaks) && figure$share != "x") "s" else "n",
    yaxt = if (is_rows || figure$share == "y") "n" else "s", bty = "l", ...
  )
  letter <- graphics::strwidth(main, "inches", cex = 1.1, font = 2) / max(1, nchar(main))
  graphics::title(wrap_title(main, 0.95 * graphics::par("pin")[1] / letter), adj = 0, cex.main = 1.1)
  for (side in which(c("x", "y") == figure$share)) {
    at <- graphics::axTicks(side)
    graphics::axis(side, at, figure$format(at), las = 1, tick = side == 1)
  }
  if (is_rows) {
    size <- min(0.8, 0.7 * graphics::par("pin")[2] / diff(figure$ylim) / graphics::strheight("Mg", "inches"))
    graphics::axis(2, figure$rows, names(figure$rows), las = 1, cex.axis = size, tick = FALSE, gap.axis = -1)
  }
  if (!is.null(figure$breaks)) graphics::axis(1, figure$breaks$at, figure$breaks$labels)
  for (index in seq_len(NROW(figure$rules))) {
    rule <- figure$rules[index, ]
    do.call(graphics::abline, stats::setNames(list(rule$at, rule$type, rule$colour), c(rule$side, "lty", "col")))
    graphics::mtext(rule$name, if (rule$side == "h") 4 else 3, at = rule$at, col = rule$colour, cex = 0.7, las = 1)
  }
  for (layer in figure$layers) {
    x <- as.numeric(layer$x)
    are_many <- length(x) > 2 * max_named
    marks <- layer_marks(layer, series_colours(figure))
    colours <- marks$colour
    if (layer$mark == "band") {
      band <- grDevices::adjustcolor(colours[1], 0.2)
      graphics::polygon(c(x, rev(x)), c(layer$lower, rev(layer$upper)), col = band, border = NA)
    } else if (layer$mark == "line") {
      graphics::lines(x, layer$y, col = colours[1], lwd = 1.5)
    } else {
      if (!is.null(layer$lower)) {
        ends <- list(x, layer$lower, x, layer$upper)
        if (is_rows) ends <- list(layer$lower, layer$y, layer$upper, layer$y)
        do.call(graphics::segments, c(ends, list(col = colours, lwd = if (are_many) 0.7 else 2)))
      }
      size <- if (are_many) 0.4 else 1
      graphics::points(x, layer$y, pch = marks$symbol, col = colours, bg = colours, cex = size)
    }
  }
  if (nrow(key) > 0) {
    columns <- max(1, floor(graphics::par("pin")[1] / (widest(key$name, 0.8) + 0.4)))
    graphics::legend(
      "bottomleft", key$name, col = key$colour, pt.bg = key$colour, pch = key$symbol, bty = "n", cex = 0.8, xpd = NA,
      lty = if (anyNA(key$symbol)) ifelse(is.na(key$symbol), 1, 0),
      ncol = min(columns, nrow(key)), inset = c(0, -mai[1] / graphics::par("pin")[2])
    )
  }
}

# Draws a figure with ggplot2.
ggplot_figure <- function(figure) {
  .data <- ggplot2::.data
  palette <- series_colours(figure)
  key <- figure_key(figure)
  values <- key[c("key", "colour", "symbol")]
  plot <- ggplot2::ggplot()
  for (layer in figure$layers) {
    data <- as.data.frame(layer[!vapply(layer, is.null, NA)])
    are_many <- nrow(data) > 2 * max_named
    size <- if (are_many) 0.1 else 0.5
    marks <- layer_marks(layer, palette)
    data$key <- marks$key
    values <- rbind(values, marks)
    line <- ggplot2::aes(.data$x, .data$y, colour = .data$key, group = .data$series)
    point <- utils::modifyList(line, ggplot2::aes(shape = .data$key, fill = .data$key))
    ends <- if (is.null(figure$rows)) {
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper)
    } else {
      ggplot2::aes(xmin = .data$lower, xmax = .data$upper)
    }
    plot <- plot + switch(layer$mark,
      band = ggplot2::geom_ribbon(
        utils::modifyList(ends, ggplot2::aes(.data$x)), data,
        alpha = 0.2, fill = marks$colour[1]
      ),
      line = ggplot2::geom_line(line, data),
      points = if (is.null(layer$lower)) {
        ggplot2::geom_point(point, data, show.legend = TRUE)
      } else {
        ggplot2::geom_pointrange(
          utils::modifyList(point, ends), data,
          size = size, linewidth = if (are_many) 0.25 else 0.5, show.legend = TRUE
        )
      }
    )
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
    labels <- if (figure$share == axis) list(labels = figure$format)
    do.call(get(sprintf("scale_%s_%s", axis, kind), asNamespace("ggplot2")), c(labels, list(...)))
  }
  breaks <- if (is.null(figure$breaks)) list() else list(breaks = figure$breaks$at, labels = figure$breaks$labels)
  rows <- if (is.null(figure$rows)) list() else list(breaks = figure$rows, labels = names(figure$rows))
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
  values <- values[!duplicated(values$key), ]
  manual <- function(scale, of) {
    scale(
      values = stats::setNames(of, values$key), limits = values$key, breaks = key$key, labels = key$name,
      guide = if (nrow(key) == 0) "none" else "legend"
    )
  }
  row_text <- if (is.null(figure$rows)) NULL else ggplot2::rel(min(1, 30 / diff(figure$ylim)))
  plot +
    do.call(scale, c(list("x", figure$xlim), breaks)) +
    do.call(scale, c(list("y", figure$ylim), rows)) +
    ggplot2::coord_cartesian(xlim = figure$xlim, ylim = figure$ylim) +
    manual(ggplot2::scale_colour_manual, values$colour) +
    manual(ggplot2::scale_fill_manual, values$colour) +
    manual(ggplot2::scale_shape_manual, values$symbol) +
    ggplot2::labs(
      x = figure$xlab, y = figure$ylab, title = wrap_title(figure$title, 60), colour = NULL, fill = NULL, shape = NULL
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      legend.position = "bottom", plot.title.position = "plot", panel.grid.minor = ggplot2::element_blank(),
      axis.text.y = ggplot2::element_text(size = row_text), axis.title = ggplot2::element_text(size = ggplot2::rel(0.8))
    )
}

# Returns the values of the groups' axis: dates or numbers on a continuous axis, otherwise a factor.
group_axis <- function(x) {
  values <- if (length(x$by) == 1) x$table[[x$by]] else NULL
  if (is.numeric(values) || inherits(values, c("Date", "POSIXt"))) {
    return(list(values = values, is_continuous = TRUE))
  }
  labels <- if (length(x$by) == 0) {
    if (anyDuplicated(x$table$method)) seq_len(nrow(x$table)) else rep("all", nrow(x$table))
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
heading <- function(x, what = "Share of positives", form = ", with %g %% intervals") {
  by <- if (length(x$by) > 0) paste(" by", paste(x$by, collapse = ", ")) else ""
  paste0(what, by, sprintf(form, 100 * x$level))
}

figure_of.tc_estimate <- function(x, row) {
  table <- x$table
  axis <- group_axis(x)
  is_rows <- !axis$is_continuous
  severity <- as.character(table$severity)
  total <- x$total$prevalence[1]
  names <- levels(axis$values)
  heights <- rep(1, length(names))
  # Of many rows the names at both ends are shown, and those that differ from the total have a colour.
  are_many <- is_rows && length(names) > max_named && length(unique(table$method)) == 1
  if (are_many) {
    order <- order(-table$prevalence)
    axis$values <- factor(axis$values, names[order])
    names <- names[order]
    is_end <- seq_along(names) <= 5 | rev(seq_along(names)) <= 5
    # Rows without names have the height of sixteen together.
    heights[!is_end] <- 16 / sum(!is_end)
    includes <- !is.null(total) & table$lower <= total & total <= table$upper
    severity <- ifelse(is.na(severity) & includes, "interval includes the total", severity)
  }
  rows <- stats::setNames(rev(cumsum(rev(heights))), names)
  position <- if (is_rows) rows[as.integer(axis$values)] else axis$values
  position <- position + method_offsets(table, position) * (if (is_rows) -1 else 1)
  # Many points on a continuous axis have a band instead of whiskers.
  are_points <- is_rows || nrow(table) <= 2 * max_named || "smoothed" %in% names(table)
  marks <- if (are_points) "points" else c("band", "line")
  series <- if (are_points) list(seq_len(nrow(table))) else split(seq_len(nrow(table)), table$method)
  layers <- lapply(series, function(its) {
    if (!are_points) its <- its[order(position[its])]
    share <- table$prevalence[its]
    at <- position[its]
    lapply(
      marks, new_layer, if (is_rows) share else at, if (is_rows) at else share, table$lower[its], table$upper[its],
      table$method[its], severity[its]
    )
  })
  limits <- share_limits(table$lower, table$upper, table$prevalence, total)
  title <- heading(x)
  new_figure(
    if (are_many) sub(", with", ", from the highest to the lowest, with", title, fixed = TRUE) else title, "", "",
    unlist(unname(layers), FALSE), share = if (is_rows) "x" else "y",
    plain = if ("interval includes the total" %in% severity) "interval excludes the total" else "estimate",
    xlim = if (is_rows) limits, ylim = if (!is_rows) limits,
    rows = if (is_rows) rows[heights == 1],
    rules = if (!is.null(total)) {
      new_rule(total, if (is_rows) "v" else "h", name = sprintf("total %.1f %%", 100 * total))
    }
  )
}

# Counts have one method.
figure_of.tc_counts <- function(x, row) {
  x$table$method <- rep("counts", nrow(x$table))
  figure_of.tc_estimate(x)
}

# In each group the sources of evidence take the place of methods. Without groups they take the place of
# groups, and only the recommended one has a colour.
figure_of.tc_audit <- function(x, row) {
  table <- x$table
  has_groups <- length(x$by) > 0
  table$method <- if (has_groups) table$source else ""
  table$severity <- if (has_groups) NA_character_ else ifelse(table$recommended, NA, "not recommended")
  figure <- figure_of.tc_estimate(list(table = table, by = if (has_groups) x$by else "source", level = x$level))
  figure$plain <- "recommended"
  figure
}

# In each group the classes take the place of methods; without groups they take the place of groups.
figure_of.tc_class_estimate <- function(x, row) {
  table <- x$table
  has_groups <- length(x$by) > 0
  table$method <- if (has_groups) table$class else ""
  figure <- figure_of.tc_estimate(list(table = table, by = if (has_groups) x$by else "class", level = x$level))
  figure$title <- heading(x, "Share of each class")
  figure
}

figure_of.tc_compare <- function(x, row) {
  table <- x$table
  rows <- stats::setNames(nrow(table):1, contrast_labels(x))
  layer <- new_layer("points", table$difference, rows, table$lower, table$upper, table$method)
  new_figure(
    heading(x, "Differences of shares", " in points, with %g %% intervals"), "points", "", list(layer), share = "x",
    points = TRUE, xlim = range(0, table$lower, table$upper), rules = new_rule(0, "v"), rows = rows
  )
}

figure_of.tc_check <- function(x, row = NULL) {
  if (nrow(x$table) == 0) {
    abort(
      "option-invalid", "options", "there is nothing to plot; check unlabelled scores (newdata)",
      name = "x"
    )
  }
  if (is.null(row)) row <- which.min(x$table$p_value)
  if (!isTRUE(row %in% seq_len(nrow(x$table)))) {
    abort("option-invalid", "options", sprintf("row must be a number from 1 to %d", nrow(x$table)), name = "row")
  }
  curve <- x$curves[[row]]
  nearest <- x$table$prevalence[row]
  group <- if (length(x$by) == 0) "" else paste0(row_labels(x)[row], ": ")
  share <- curve$prevalence
  half <- stats::qnorm(0.975) * curve$se
  # The curve is unbounded where the rates hardly differ, so the axis is limited.
  ylim <- c(max(-0.5, min(share - half, nearest)), min(1.5, max(share + half, nearest)))
  p <- sub("^([0-9])", "= \\1", unwrap(format_p(x$table$p_value_holm[row])))
  new_figure(
    sprintf("%sAdjusted Count by threshold, with pointwise 95 %% band (joint test: p %s)", group, p),
    "threshold", "",
    lapply(c("band", "line"), new_layer, curve$theta, share, share - half, share + half),
    xlim = if (length(curve$theta) == 0) c(0, 1), ylim = ylim, share = "y",
    rules = new_rule(nearest, "h", "#d55e00", name = "nearest\nmixture")
  )
}

figure_of.tc_plan <- function(x, row) {
  if (is.null(c(x$options$se, x$options$half_width)) || inherits(x$model, "tc_class_model")) {
    problem <- "only a plan with se or half_width, and not for several classes, can be plotted"
    abort("option-invalid", "options", problem, name = "x")
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

figure_of.tc_monitor <- function(x, row) {
  periods <- x$table[[x$by]]
  # Texts lie at equal distances, and some of them are named.
  is_text <- !group_axis(x)$is_continuous
  position <- if (is_text) seq_along(periods) else periods
  named <- unique(round(seq(1, length(periods), length.out = min(6, length(periods)))))
  x$table$method <- rep("", nrow(x$table))
  x$table[[x$by]] <- position
  severity <- as.character(x$table$severity)
  if (x$smooths) x$table$severity <- ifelse(is.na(severity), "estimate", severity)
  figure <- figure_of.tc_estimate(x)
  is_band <- x$smooths && length(periods) > max_named
  if (is_band) figure$layers[[1]][c("lower", "upper")] <- list(NULL)
  known <- x$smooths & !is.na(x$table$smoothed)
  smoothed <- x$table[known, ]
  line <- lapply(
    c("band", "line"), new_layer, position[known], smoothed$smoothed, smoothed$smoothed_lower, smoothed$smoothed_upper
  )
  if (x$smooths) {
    figure$layers <- c(line, figure$layers)
    figure$plain <- sprintf("smoothed, %g %% band", 100 * x$level)
  }
  if (is_band) figure$title <- heading(x, form = ", smoothed, with its %g %% band")
  figure$breaks <- if (is_text) list(at = named, labels = as.character(periods[named]))
  figure$rules <- rbind(
    if (!is.null(x$table$bound)) {
      new_rule(x$table$bound[1], "h", "#d55e00", 3, paste("limit", percentages(x$table$bound[1])))
    },
    if (!is.null(x$alarm_at)) {
      new_rule(position[match(x$alarm_at, periods)], "v", "#d55e00", 1, paste("alarm at", x$alarm_at))
    }
  )
  figure$ylim <- share_limits(unlist(lapply(figure$layers, `[`, c("y", "lower", "upper"))), x$table$bound)
  figure
}

#' @rdname plot.tc_result
#' @importFrom graphics plot
#' @export
plot.tc_result <- function(x, row = NULL, ...) {
  draw_figure(figure_of(x, row), ...)
  invisible(x)
}

#' @rdname plot.tc_result
#' @exportS3Method ggplot2::autoplot
autoplot.tc_result <- function(object, row = NULL, ...) ggplot_figure(figure_of(object, row))
