#' Spam in 24 weeks
#'
#' Scores of a spam classifier: a labelled sample, 24 weekly mailboxes without labels, and the true
#' share of spam in each. The labelled messages that the mailboxes were drawn from form the pool;
#' the audited messages are a sample of the pool, drawn by score.
#'
#' @format `spam_train`: `score`, and `label`, 1 for spam. `spam_weeks`: `week` and `score`.
#'   `spam_truth`: a row for each week, with the numbers `n` of messages and of `spam`, and the
#'   `prevalence`. `spam_pool`: `score` and `label`. `spam_audited`: `row`, the row in `spam_pool`,
#'   its `score` and `label`, and `audit_weight`, the number of messages that it stands for.
#' @source The Spambase data. `system.file("spam", "SOURCE.md", package = "truecount")` describes
#'   how the tables were made.
#' @examples
#' head(spam_weeks)
#' @name spam
#' @aliases spam_train spam_weeks spam_truth spam_pool spam_audited
NULL
