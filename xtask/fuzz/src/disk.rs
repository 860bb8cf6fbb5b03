//! Inputs as files, since readers of formats open a path.

use std::cell::RefCell;
use std::io::{self, Seek, Write};
use std::path::Path;
use tempfile::NamedTempFile;

thread_local! {
    static FILE: RefCell<NamedTempFile> = RefCell::new(new().expect("a file for inputs"));
}

/// Creates a temporary file, in memory if possible, since a disk takes more time than the readers.
fn new() -> io::Result<NamedTempFile> {
    NamedTempFile::new_in("/dev/shm").or_else(|_| NamedTempFile::new())
}

/// Calls `read` with the path of a file with these contents.
pub fn with_file<T>(contents: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    FILE.with_borrow_mut(|file| {
        file.as_file().set_len(0).and_then(|()| file.rewind()).expect("an empty file");
        file.write_all(contents).expect("room for an input");
        read(file.path())
    })
}
