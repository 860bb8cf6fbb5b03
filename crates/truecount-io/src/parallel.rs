//! Work on all threads: rayon's, or where there is one thread alone, as in a page, the same methods of ordinary iterators.

#[cfg(feature = "threads")]
pub use rayon::{current_num_threads, join, prelude};

/// What all items are together, or an error of one of them.
///
/// # Errors
/// Those of `make`.
#[cfg(feature = "threads")]
pub fn merged<T: Sync, U: Send, E: Send>(
    items: &[T],
    make: impl Fn(&T) -> Result<U, E> + Sync + Send,
    empty: impl Fn() -> U + Sync + Send,
    merge: impl Fn(U, U) -> U + Sync + Send,
) -> Result<U, E> {
    use prelude::*;
    items.par_iter().map(make).try_reduce(empty, |all, more| Ok(merge(all, more)))
}

#[cfg(not(feature = "threads"))]
pub use alone::{current_num_threads, join, merged, prelude};

#[cfg(not(feature = "threads"))]
#[allow(missing_docs, clippy::missing_errors_doc)] // they are called as rayon's are, and do the same
mod alone {
    pub fn current_num_threads() -> usize {
        1
    }

    pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
        (one(), other())
    }

    pub fn merged<T, U, E>(
        items: &[T],
        make: impl Fn(&T) -> Result<U, E>,
        empty: impl Fn() -> U,
        merge: impl Fn(U, U) -> U,
    ) -> Result<U, E> {
        items.iter().try_fold(empty(), |all, item| Ok(merge(all, make(item)?)))
    }

    pub mod prelude {
        use std::slice::{ChunksMut, Iter, IterMut};

        pub trait IntoParallelIterator: IntoIterator + Sized {
            fn into_par_iter(self) -> Self::IntoIter {
                self.into_iter()
            }
        }

        impl<T: IntoIterator> IntoParallelIterator for T {}

        pub trait Indexed: Iterator + Sized {
            #[must_use]
            fn with_max_len(self, _: usize) -> Self {
                self
            }
        }

        impl<I: Iterator> Indexed for I {}

        pub trait Slice<T> {
            fn par_iter(&self) -> Iter<'_, T>;
            fn par_iter_mut(&mut self) -> IterMut<'_, T>;
            fn par_chunks_mut(&mut self, length: usize) -> ChunksMut<'_, T>;
        }

        impl<T> Slice<T> for [T] {
            fn par_iter(&self) -> Iter<'_, T> {
                self.iter()
            }

            fn par_iter_mut(&mut self) -> IterMut<'_, T> {
                self.iter_mut()
            }

            fn par_chunks_mut(&mut self, length: usize) -> ChunksMut<'_, T> {
                self.chunks_mut(length)
            }
        }
    }
}
