//! Doc tests of the book's Rust page. They are not in the library because its package cannot
//! include files outside its folder.

/// The book's examples compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/rust.md")]
struct Book;
