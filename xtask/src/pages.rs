//! The page with Rust on it, as doc tests. They are here and not in the library, whose package holds no other files than its own.

/// The book's examples compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/rust.md")]
struct Book;
