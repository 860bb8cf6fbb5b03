# A model for each stratum.

# A model for what knows of no strata.
unstratified <- function(model, what) {
  if (!is.null(model$strata)) {
    refuse("option-conflict", "options", sprintf("%s: there is none for models of strata; fit one without stratum", what), name = "stratum")
  }
  held(model)
}

# The models of the strata that there are scores of, and which of them each of these has.
strata_models <- function(model, strata) {
  of <- model$strata
  rows <- lapply(strata, function(stratum) of$values == stratum)
  count <- function(positive) vapply(rows, function(rows) as.double(sum(of$rows$positive[rows] == positive)), 0)
  shared <- native(share_models(label_of(of$asked), strata, count(TRUE), count(FALSE), of$small_strata == "pool"))
  models <- lapply(seq_len(max(shared)), function(block) {
    taken <- of$values %in% strata[shared == block]
    fitted_model(lapply(of$rows, function(column) column[taken]), of$settings, list())
  })
  named <- vapply(seq_along(models), function(block) paste(strata[shared == block], collapse = " + "), "")
  list(models = models, blocks = shared, names = named)
}
