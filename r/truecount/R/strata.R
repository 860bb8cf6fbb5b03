# A model for each stratum.

# Returns the Rust model, or raises an error for a model with strata.
unstratified_model <- function(model, caller) {
  if (!is.null(model$strata)) {
    abort(
      "option-conflict", "options",
      sprintf("%s does not support models with strata; fit one without model_stratum", caller), name = "model_stratum"
    )
  }
  rust_model(model)
}

# Fits a model for each stratum that has unlabelled scores. Returns the models, the model of each
# stratum, and the models' names.
strata_models <- function(model, strata) {
  labelled <- model$strata
  in_stratum <- lapply(strata, function(stratum) labelled$values == stratum)
  count <- function(positive) {
    vapply(in_stratum, function(rows) as.double(sum(labelled$rows$positive[rows] == positive)), 0)
  }
  model_index <- unwrap(assign_strata_models(
    column_label(labelled$column), strata, count(TRUE), count(FALSE), labelled$small_strata == "pool"
  ))
  models <- lapply(seq_len(max(model_index)), function(index) {
    rows <- labelled$values %in% strata[model_index == index]
    fit_rows(lapply(labelled$rows, function(column) column[rows]), labelled$settings, list())
  })
  model_names <- vapply(
    seq_along(models), function(index) paste(strata[model_index == index], collapse = " + "), ""
  )
  list(models = models, model_index = model_index, names = model_names)
}
