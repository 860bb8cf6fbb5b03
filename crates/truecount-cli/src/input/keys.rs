pub use truecount_io::keys::Keys;
