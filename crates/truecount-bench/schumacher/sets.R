# Writes data sets from R packages as tables for sets.py: spam from kernlab, wa_churn from modeldata, diamonds from
# ggplot2.
#
#     Rscript sets.R FOLDER
#
# The packages come from CRAN, or from Debian as r-cran-kernlab, r-cran-modeldata and r-cran-ggplot2.
folder <- commandArgs(trailingOnly = TRUE)[1]
options(digits = 17)

write_set <- function(name, package) {
  data(list = name, package = package, envir = environment())
  write.csv(get(name), file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

write_set("spam", "kernlab")
write_set("wa_churn", "modeldata")
write_set("diamonds", "ggplot2")
