#' Spam in 24 weeks
#'
#' Scores of a classifier of messages: a labelled sample, 24 weekly mailboxes without labels, their true shares of spam, the labelled
#' messages that the mailboxes were made of, and those of them that were drawn by score as an audit would.
#'
#' @format `spam_train`: `score`, and `label`, 1 for spam. `spam_weeks`: `week` and `score`. `spam_truth`: a row for each week, with the
#'   numbers `n` of messages and of `spam`, and the `prevalence`. `spam_pool`: `score` and `label`. `spam_audited`: `row`, the place in
#'   `spam_pool`, its `score` and `label`, and `audit_weight`, of how many messages it stands for.
#' @source Made of the Spambase data; `system.file("spam", "SOURCE.md", package = "truecount")` tells how.
#' @examples
#' head(spam_weeks)
#' @name spam
#' @aliases spam_train spam_weeks spam_truth spam_pool spam_audited
NULL
