//! What reproduces a report: the command, the program's version, and the files with their sizes and hashes.

use crate::failure::Failure;
use crate::hex::hex;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use truecount_tables::input;
use truecount_tables::parallel::prelude::*;

pub enum Provenance {
    /// Files, and the command as a shell takes it.
    Files { command: String, files: Vec<Input> },
    /// Rows in the memory of a program.
    InMemory,
}

/// A file that was read.
pub struct Input {
    pub name: String,
    /// None of what came through standard input or another pipe, which is gone.
    pub content: Option<Content>,
}

pub struct Content {
    pub bytes: u64,
    /// SHA-256, as `sha256sum` shows it.
    pub hash: String,
}

impl Provenance {
    /// Of these words, typed behind the program's name.
    pub fn of_files<'a>(typed: &[String], inputs: impl Iterator<Item = &'a PathBuf>) -> Result<Self, Failure> {
        let paths: Vec<&PathBuf> = inputs.collect();
        let files = paths.par_iter().map(|path| Input::new(path)).collect::<Result<_, Failure>>()?;
        Ok(Self::Files { command: command(typed), files })
    }

    /// The command, if there is one.
    pub fn command(&self) -> Option<&str> {
        match self {
            Self::Files { command, .. } => Some(command),
            Self::InMemory => None,
        }
    }
}

/// The command of these words, typed behind the program's name, as a shell takes it.
pub fn command(typed: &[String]) -> String {
    let quoted = shlex::try_join(typed.iter().map(String::as_str)).expect("arguments have no zero bytes");
    format!("truecount {quoted}")
}

impl Input {
    fn new(path: &PathBuf) -> Result<Self, Failure> {
        let name = input::name(path);
        if !input::is_file(path) {
            return Ok(Self { name, content: None });
        }
        let hashed = || -> io::Result<Content> {
            let (mut file, mut hash, mut bytes) = (File::open(path)?, Sha256::new(), 0);
            let mut buffer = vec![0; 1 << 20];
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(Content { bytes, hash: hex(&hash.finalize()) }),
                    n => {
                        hash.update(&buffer[..n]);
                        bytes += n as u64;
                    }
                }
            }
        };
        let content = hashed().map_err(Failure::at(&name))?;
        Ok(Self { name, content: Some(content) })
    }
}
