#' A query of scores in a database
#'
#' Returns SQL for a table of scores, so that the scores stay in the database: counts that the command
#' `truecount finish` completes, or estimates.
#'
#' @param model A model of [tc_fit()].
#' @param table The table's name, or its parts, as in `c("schema", "table")`.
#' @param score,probability Names of the columns with the scores and, if the model uses probabilities,
#'   with the probabilities.
#' @param by Grouping columns.
#' @param every Replaces each date of the last grouping column by its period, as in [tc_periods()].
#' @param counts Whether the query returns counts of the scores in bins, from which `truecount finish`
#'   computes all that [tc_estimate()] does. Otherwise it returns estimates by the method `"es"`, without
#'   the check of the scores, the widening by misfit, and the warnings.
#' @param weights Name of the column with survey weights, for counts.
#' @param dialect `"ansi"` for DuckDB, SQLite, PostgreSQL, ClickHouse and others; or `"spark"`,
#'   `"bigquery"`, `"snowflake"`, `"trino"`, `"redshift"`, `"tsql"`.
#' @param level,target As in [tc_estimate()], for estimates.
#' @return A text. Its result has the columns of `by`, and for counts `method`, `bin` and `n`, and with
#'   weights their sums; or `method`, `n`, `missing`, `prevalence`, `raw`, `se`, `lower`, `upper`, `level`,
#'   `target` and `omits`.
#' @seealso [tc_estimate()], whose numbers the query returns.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' query <- tc_sql(model, "mails", by = "week", counts = TRUE)
#' cat(substr(query, 1, 200))
#' # DBI::dbGetQuery(connection, query)
#' @export
tc_sql <- function(model, table, score = "score", probability = NULL, by = NULL, every = NULL, counts = FALSE,
                   weights = NULL, dialect = "ansi", level = 0.95, target = "sample") {
  if (inherits(by, "formula")) by <- all.vars(by)
  names <- list(table = table, score = score, probability = probability, weights = weights, by = by)
  for (name in names(names)) {
    if (!is.null(names[[name]]) && !is.character(names[[name]])) {
      abort(
        "option-invalid", "options",
        sprintf("%s is of class %s; a name in the database is wanted", name, class(names[[name]])[1]), name = name
      )
    }
  }
  if (isTRUE(dialect %in% c("duckdb", "sqlite", "postgres", "postgresql", "clickhouse"))) {
    abort("choice-unknown", "options", sprintf("%s reads the dialect \"ansi\"", dialect), name = "dialect")
  }
  if (!is.null(weights) && !check_flag(counts, "counts")) {
    abort("option-conflict", "options", "weights needs counts = TRUE; a query of estimates has no weights",
      name = "weights"
    )
  }
  request <- c(
    interval_args(level, target, "wilson"),
    list(
      table = table, score = score, probability = probability, weights = weights, by = by, every = every,
      counts = check_flag(counts, "counts"), dialect = dialect
    )
  )
  unwrap(model_query(unstratified_model(model, "tc_sql()"), request))
}
