//! The pages with Rust on them, as doc tests. They are here and not in the library, whose package holds no other files than its own.

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// And those of the book.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/rust.md")]
struct Book;
