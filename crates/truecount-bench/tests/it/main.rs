//! Integration tests of `truecount-bench`, in one program, so that dependencies are linked only
//! once.

mod common;
mod lequa;
mod studies;
mod study;
