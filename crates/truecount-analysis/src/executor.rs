//! Who does the work: the threads of an interface, which its language may have to interrupt.

/// The threads of an interface. Work may be shared out within work.
pub trait Executor: Sync {
    /// Applies a function to each item and returns the results in order.
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U>;

    /// Applies a function to the numbers 0 to n − 1, which may take long, and returns the results in order.
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the user has asked for it meanwhile.
    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted>;
}

/// Work that was given up, for a reason that the interface knows. It can be the problem of an [`Error`](truecount::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// One thread: the caller's.
pub struct Sequential;

impl Executor for Sequential {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.iter().map(make).collect()
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok((0..n).map(make).collect())
    }
}
