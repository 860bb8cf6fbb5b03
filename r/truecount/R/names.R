#' Methods and families
#'
#' Lists the methods of [tc_fit()], and the families of its argument `family`.
#'
#' @return A data frame with a row for each method or family: its `name`, and `what` it is.
#' @seealso [tc_fit()]
#' @examples
#' tc_methods()
#' tc_families()$name
#' @export
tc_methods <- function() read_name_table("methods")

#' @rdname tc_methods
#' @export
tc_families <- function() read_name_table("families")

read_name_table <- function(table) as.data.frame(unwrap(name_table(table)))
