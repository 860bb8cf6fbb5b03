//! The threads that an interface provides, with support for interruption by the user.

/// The threads of an interface. A task may itself use the executor.
pub trait Executor: Sync {
    /// Applies a function to each item and returns the results in order.
    fn map<T: Sync, U: Send>(&self, items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U>;

    /// Applies a function, which may take long, to the numbers 0 to n − 1 and returns the results in order.
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the user interrupts the work.
    fn map_range<T: Send>(&self, n: u64, f: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted>;
}

/// An interruption of the work by the user. It can be the problem of an [`Error`](truecount::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// An executor that uses the caller's thread only.
pub struct Sequential;

impl Executor for Sequential {
    fn map<T: Sync, U: Send>(&self, items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.iter().map(f).collect()
    }

    fn map_range<T: Send>(&self, n: u64, f: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok((0..n).map(f).collect())
    }
}
