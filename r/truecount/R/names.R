#' What there is to choose from
#'
#' @return A data frame with a row for each: its `name`, as arguments take it, and `what` it is. `tc_methods()` has the methods of
#'   [tc_fit()], `tc_families()` the families of its argument `family`.
#' @examples
#' tc_methods()
#' tc_families()$name
#' @export
tc_methods <- function() named("methods")

#' @rdname tc_methods
#' @export
tc_families <- function() named("families")

named <- function(table) as.data.frame(native(names_of(table)))
