//! The book of docs/ as a site.

use crate::programs;
use crate::run::{TaskError, built_file, cargo, root, run};
use crate::web::{self, Page};
use std::fs;
use std::path::Path;

/// Folder of the site.
pub const SITE: &str = "target/book";

/// Folder of the library's own documentation, a part of the site.
const LIBRARY_PAGES: &str = "target/book-rust";

/// Builds the site and everything it needs.
pub fn docs() -> Result<(), TaskError> {
    site(&programs::truecount("debug", &[])?, &web::page()?)
}

/// Builds the site with the reference pages that the command writes, and the browser page.
///
/// Warnings from Sphinx are errors, and so are broken links within the site
/// (docs/_ext/site_links.py). The site is built from scratch each time, since Sphinx warns about a
/// page only when it reads that page.
pub fn site(truecount: &str, page: &Page) -> Result<(), TaskError> {
    let python = programs::environment("docs", &["docs/requirements.txt"])?;
    let site = root().join(SITE);
    let site_error = |e: std::io::Error| TaskError(format!("{}: {e}", site.display()));
    for folder in [&site, &root().join(LIBRARY_PAGES)] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(site_error)?;
        }
    }
    library_pages()?;
    copy(&root().join(LIBRARY_PAGES).join("doc"), &site.join("rust")).map_err(site_error)?;
    // Some of cargo's pages link to a list of crates that cargo does not generate.
    fs::write(site.join("rust/index.html"), "<meta http-equiv=\"refresh\" content=\"0; url=truecount/index.html\">\n")
        .map_err(site_error)?;
    let sphinx = ["-B", "-m", "sphinx", "--quiet", "--fresh-env", "--jobs", "auto"];
    let strict = ["--nitpicky", "--fail-on-warning", "--keep-going"];
    let folders = ["--doctree-dir", "target/book-pages", "docs", SITE];
    let variables = [
        ("TRUECOUNT", truecount),
        ("TRUECOUNT_PAGE", &page.file),
        ("TRUECOUNT_MODULE", &page.module),
        ("PYTHONPATH", "python"),
    ];
    run("book", &python, &[&sphinx[..], &strict, &folders].concat(), &variables)?;
    eprintln!("── book: {}", site.join("index.html").display());
    Ok(())
}

/// Documents the library alone.
///
/// The extension module has no documentation, but cargo then chooses the features of dependencies
/// with which they have been compiled for the documentation of all crates. The pages are written
/// to an empty folder, since cargo cannot see that pages elsewhere are newer.
fn library_pages() -> Result<(), TaskError> {
    let packages = ["--package", "truecount", "--package", "truecount-python", "--features"];
    let options = ["truecount-python/shared-build", "--no-deps", "--locked", "--target-dir", LIBRARY_PAGES];
    let compiled = built_file("")?;
    let variables = [("RUSTDOCFLAGS", "-D warnings"), ("CARGO_BUILD_BUILD_DIR", compiled.as_str())];
    cargo("the library's pages", &[&["doc"], &packages[..], &options].concat(), &variables)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() { copy(&entry.path(), &to)? } else { fs::copy(entry.path(), to).map(drop)? }
    }
    Ok(())
}
