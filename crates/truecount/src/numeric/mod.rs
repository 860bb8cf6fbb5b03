//! Numerical methods, independent of quantification.

pub(crate) mod cell_index;
pub(crate) mod dense;
pub(crate) mod edges;
pub(crate) mod gauss;
pub(crate) mod histogram;
pub(crate) mod incomplete_beta;
pub(crate) mod integer_sum;
pub(crate) mod legendre;
pub(crate) mod log_convolution;
pub(crate) mod newton;
pub(crate) mod p_values;
pub(crate) mod pass;
pub(crate) mod polynomial;
pub(crate) mod root;
pub(crate) mod sum;
pub(crate) mod wedge;
pub(crate) mod weighted_chi_squares;
