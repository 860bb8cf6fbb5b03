//! Output files are written whole or not at all, and replace what a path stands for.

use crate::common::{Folder, message};
use std::cell::Cell;
use std::fs;
use std::io::{ErrorKind, Write};
use truecount_tables::whole_file;

#[test]
fn a_file_is_replaced_by_its_new_content() {
    let folder = Folder::new();
    let path = folder.path().join("out");
    for content in ["first", "a much longer second content", ""] {
        whole_file::write(&path, content.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    // More than one buffer, in pieces.
    whole_file::write_with(&path, |out| (0..50_000).try_for_each(|i| write!(out, "{i};"))).unwrap();
    let content = fs::read_to_string(&path).unwrap();
    assert!(content.split_terminator(';').eq((0..50_000).map(|i: u32| i.to_string())));
    assert_eq!(folder.names(), ["out"]);
}

/// Whichever call fails, the old file stays, without temporary files.
#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.file("out", "as it was");
    for failing in 0..40 {
        let call = Cell::new(0);
        let written = whole_file::write_with(&path, |out| {
            for _ in 0..40 {
                // In total more than the buffer, so that the temporary file is written to.
                out.write_all(&[b'x'; 1000])?;
                if call.replace(call.get() + 1) == failing {
                    return Err(ErrorKind::StorageFull.into());
                }
            }
            Ok(())
        });
        assert_eq!(message(&written.unwrap_err(), &folder), "out: cannot be written: no storage space");
        assert_eq!(fs::read_to_string(&path).unwrap(), "as it was");
        assert_eq!(folder.names(), ["out"]);
    }
}

#[test]
fn concurrent_writes_do_not_mix() {
    let folder = Folder::new();
    let path = folder.path().join("out");
    let contents = [b'a', b'b'].map(|byte| vec![byte; 100_000]);
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| (0..20).for_each(|_| whole_file::write(&path, content).unwrap()));
        }
        for _ in 0..200 {
            if let Ok(content) = fs::read(&path) {
                assert!(contents.contains(&content));
            }
        }
    });
    assert_eq!(folder.names(), ["out"]);
}

/// A check before a long computation gives the errors of writing, and writes nothing.
#[test]
fn paths_that_cannot_be_written_are_errors() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let errors = |name: &str| {
        let path = folder.path().join(name);
        let [check, write] = [whole_file::check(&path), whole_file::write(&path, b"content")].map(Result::unwrap_err);
        assert_eq!(check, write);
        message(&check, &folder)
    };
    assert_eq!(errors("folder"), "folder is not a file that can be replaced");
    let missing = errors("none/out");
    assert!(missing.starts_with("none/out: the folder ") && missing.ends_with("none does not exist"), "{missing}");
    assert!(whole_file::check(&folder.path().join("out")).is_ok());
    assert_eq!(folder.names(), ["folder"]);
    folder.file("file", "");
    let into_file = whole_file::create_folder(&folder.path().join("file")).unwrap_err();
    assert_eq!(message(&into_file, &folder), "file is a file; name a folder");
    whole_file::create_folder(&folder.path().join("a/b/c")).unwrap();
    assert!(folder.path().join("a/b/c").is_dir());
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.file("file", "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let [link, second, dangling, circle] =
        ["link", "second", "dangling", "circle"].map(|name| folder.path().join(name));
    symlink("file", &link).unwrap();
    symlink("link", &second).unwrap();
    symlink("new", &dangling).unwrap();
    symlink("circle", &circle).unwrap();
    whole_file::write(&second, b"new").unwrap();
    assert!(fs::symlink_metadata(&second).unwrap().is_symlink() && fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    whole_file::write(&dangling, b"created").unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("new")).unwrap(), "created");
    assert!(whole_file::write(&circle, b"").is_err());
    assert_eq!(folder.names(), ["circle", "dangling", "file", "link", "new", "second"]);
    // All names of one file have one canonical path.
    let canonical = |name: &str| whole_file::canonical_file(&folder.path().join(name));
    assert_eq!(canonical("second"), Some(file.canonicalize().unwrap()));
    assert_eq!(canonical("./file"), canonical("link"));
    assert_eq!(canonical("nowhere").unwrap().file_name().unwrap(), "nowhere");
    assert!(canonical(".").is_none());
}
