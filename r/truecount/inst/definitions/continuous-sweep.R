# Continuous Sweep by its definition (Kloos, Karch, Meertens, Scholtus and de
# Rooij), in plain R without truecount: for reading and for comparison.

# ---- classes ----
normal <- function(scores) list(mean = mean(scores), sd = sd(scores))
tail_of <- function(q, class) pnorm(q, class$mean, class$sd, lower.tail = FALSE)
density_of <- function(q, class) dnorm(q, class$mean, class$sd)

# The true minus the false positive rate at a threshold.
difference <- function(q, pos, neg) tail_of(q, pos) - tail_of(q, neg)

# The threshold with the largest difference: one of the two points where the
# densities cross.
peak <- function(pos, neg) {
  powers <- function(class) c(class$mean^2, -2 * class$mean, 1) / class$sd^2
  equal <- powers(pos) - powers(neg) + c(2 * log(pos$sd / neg$sd), 0, 0)
  crossings <- Re(polyroot(equal))
  crossings[which.max(difference(crossings, pos, neg))]
}

# ---- region ----
# The thresholds where the rates differ by p_delta or more.
region <- function(p_delta, pos, neg) {
  beyond <- function(q) difference(q, pos, neg) - p_delta
  far <- range(c(pos$mean, neg$mean) + 40 * c(-1, -1, 1, 1) * c(pos$sd, neg$sd))
  top <- peak(pos, neg)
  end <- function(from, to) uniroot(beyond, c(from, to), tol = 1e-300)$root
  c(end(far[1], top), end(top, far[2]))
}

# ---- estimate ----
exactly <- function(f, from, to) {
  integrate(f, from, to, rel.tol = 1e-12, abs.tol = 0, subdivisions = 1000)$value
}

# The mean of Adjusted Count over the region. Between neighbouring scores the
# share of scores at or above the threshold is constant.
swept <- function(scores, pos, neg, ends) {
  inside <- scores[scores > ends[1] & scores < ends[2]]
  breaks <- c(ends[1], sort(unique(inside)), ends[2])
  counted <- sum(mapply(function(from, to) {
    mean(scores >= to) * exactly(function(q) 1 / difference(q, pos, neg), from, to)
  }, breaks[-length(breaks)], breaks[-1]))
  false <- exactly(function(q) tail_of(q, neg) / difference(q, pos, neg), ends[1], ends[2])
  (counted - false) / diff(ends)
}

# ---- variance ----
# The contribution of a score to the estimate: the integral of 1 / difference
# over the region up to the score. It rises from 0 to `total`. Returns its mean
# and variance in each class.
added <- function(pos, neg, ends) {
  per <- function(q) 1 / difference(q, pos, neg)
  up_to <- function(q) vapply(q, function(q) exactly(per, ends[1], q), 0)
  moments <- function(class) {
    mean <- exactly(function(q) tail_of(q, class) * per(q), ends[1], ends[2])
    square <- 2 * exactly(function(q) up_to(q) * tail_of(q, class) * per(q), ends[1], ends[2])
    list(mean = mean, variance = square - mean^2)
  }
  list(total = up_to(ends[2]), pos = moments(pos), neg = moments(neg))
}

# The derivative with respect to p_delta of the variance at a prevalence of one
# half, through both ends of the region.
slope <- function(p_delta, pos, neg) {
  ends <- region(p_delta, pos, neg)
  g <- added(pos, neg, ends)
  width <- diff(ends)
  narrower <- 2 * (g$pos$variance + g$neg$variance) / width
  tails <- function(end) c(tail_of(ends[end], pos), tail_of(ends[end], neg))
  means <- c(g$pos$mean, g$neg$mean)
  left <- narrower - 2 / p_delta * sum(means * (1 - tails(1)))
  right <- 2 / p_delta * sum((g$total - means) * tails(2)) - narrower
  steep <- density_of(ends, neg) - density_of(ends, pos)
  sum(c(left, right) / steep) / width^2
}

optimal <- function(pos, neg) {
  largest <- difference(peak(pos, neg), pos, neg)
  uniroot(slope, c(0.01, 0.9999) * largest, pos, neg, tol = 1e-300)$root
}
