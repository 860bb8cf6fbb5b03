//! Integration tests of `truecount-bench`, in one program, so that its dependencies are linked once.

mod common;
mod lequa;
mod studies;
mod study;
