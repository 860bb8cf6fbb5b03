//! Integration tests of `truecount-bench`, in one program, so that dependencies are linked only once.

mod common;
mod studies;
mod study;
