//! Model files: written whole or not at all, read with care.

use crate::failure::Failure;
use std::io::Write;
use std::path::Path;
use truecount::Model;

pub fn read(path: &Path) -> Result<Model, Failure> {
    let bytes = std::fs::read(path).map_err(Failure::at(path.display()))?;
    Model::from_json(&String::from_utf8_lossy(&bytes)).map_err(Failure::at(path.display()))
}

/// Writes beside the target and renames, so that the target is never half-written.
pub fn write(path: &Path, model: &Model) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".truecount-");
    #[cfg(unix)]
    {
        // As any new file: temporary files are private by default, results are not.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let failed = |e: std::io::Error| Failure::Data(format!("{}: cannot be written: {e}", path.display()));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(model.to_json().as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}
