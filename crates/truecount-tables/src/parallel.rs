//! Work on all threads: rayon's, or where there is one thread alone, as in a page, the same methods of ordinary iterators.

#[cfg(feature = "threads")]
pub use rayon::{current_num_threads, join, prelude};

use prelude::*;
use truecount_analysis::executor::{Executor, Interrupted};

/// All threads of the current pool. What stops them ends the program.
pub struct AllThreads;

impl Executor for AllThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.par_iter().map(make).collect()
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok((0..n).into_par_iter().map(make).collect())
    }
}

#[cfg(not(feature = "threads"))]
pub use alone::{current_num_threads, join, prelude};

#[cfg(not(feature = "threads"))]
#[allow(missing_docs, clippy::missing_errors_doc)] // they are called as rayon's are, and do the same
mod alone {
    pub fn current_num_threads() -> usize {
        1
    }

    pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
        (one(), other())
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
