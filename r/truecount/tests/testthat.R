library(testthat)
library(truecount)

test_check("truecount")
