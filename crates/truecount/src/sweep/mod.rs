//! The mathematics of Continuous Sweep: from the separation of two classes to a region of
//! thresholds, its integrals, the influence function and the optimal region.

mod atoms;
mod balanced;
mod influence;
mod integrals;
mod optimal;
mod region;
mod separation;

pub(crate) use atoms::Atoms;
pub(crate) use balanced::{Balanced, at_prior};
pub(crate) use influence::influence_ramps as influence;
pub use integrals::ClassMoments;
pub(crate) use integrals::{Integrals, breaks};
pub use optimal::optimal_region;
pub use region::{MinSeparation, Region};
pub use separation::Separation;
