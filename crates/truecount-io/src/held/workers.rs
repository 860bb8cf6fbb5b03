//! Who works: a door's threads, which its language may have to stop.

/// The threads of a door. Work may be shared out within work.
pub trait Workers: Sync {
    /// Applies a function to each item; results in order.
    fn each<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U>;

    /// Applies a function to the numbers 0 to n − 1, which takes long; results in order.
    ///
    /// # Errors
    /// [`Stopped`] if the user has asked for it meanwhile.
    fn numbered<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Stopped>;
}

/// Work that was given up, for a reason that the door knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;
