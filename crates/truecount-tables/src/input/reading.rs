//! Reads files on all threads, in waves: one chunk from each of a few pieces at a time.
//!
//! Which chunks are read together depends on the files alone, and results come back in the order of the chunks: they
//! are the same to the bit whatever the number of threads.

use super::fingerprint::Fingerprint;
use super::format::{self, FormatChunk, OpenFile, OpenPiece, PACKINGS};
use crate::{Meter, Progress, Silent};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use truecount::{Error, Position};
use truecount_text::{ColumnSelection, Input, is_file, length, title};

/// How many pieces are read at a time, whatever the number of threads.
const LANES: usize = 16;

/// Files that are being read.
pub struct Reading<'a> {
    lanes: Vec<Lane>,
    /// Pieces waiting for a lane.
    ahead: VecDeque<Lane>,
    rest: Rest<'a>,
}

/// A piece, and the number of its file.
struct Lane {
    file: usize,
    piece: OpenPiece,
}

/// What has not been opened yet.
struct Rest<'a> {
    files: &'a [PathBuf],
    wanted: ColumnSelection<'a>,
    fingerprint: Option<&'a Fingerprint>,
    meter: Arc<dyn Meter>,
    /// The number of the open file.
    number: usize,
    open: Option<OpenFile>,
    unit: fn(u64) -> Position,
}

impl<'a> Reading<'a> {
    /// Opens the files, whose rows the fingerprint takes note of, if there is one.
    pub fn new(
        paths: &'a [PathBuf],
        wanted: ColumnSelection<'a>,
        fingerprint: Option<&'a Fingerprint>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        // An error in the last file is better reported before the first one is read. What comes through a pipe is read once.
        if paths.len() > 1 {
            let silent: Arc<dyn Meter> = Arc::new(Silent);
            for path in paths.iter().filter(|path| is_file(path)) {
                format::open(Input::open_metered(path, &silent, &PACKINGS)?, &wanted, &silent)?;
            }
        }
        let meter = progress.begin(&title(paths), length(paths.iter().map(PathBuf::as_path)));
        let mut rest = Rest { files: paths, wanted, fingerprint, meter, number: 0, open: None, unit: Position::Row };
        let lanes = rest.pieces(LANES)?;
        Ok(Self { lanes, ahead: VecDeque::new(), rest })
    }

    /// Reads the next chunks and applies a function to each; the results come in order; `None` at the end.
    pub fn wave<T: Send>(
        &mut self,
        make: impl Fn(usize, FormatChunk) -> Result<T, Error> + Sync,
    ) -> Result<Option<Vec<T>>, Error> {
        if self.lanes.is_empty() {
            return Ok(None);
        }
        let lanes = std::mem::take(&mut self.lanes);
        let fingerprint = self.rest.fingerprint;
        let read = |Lane { file, piece }: Lane| {
            let (chunk, piece) = piece.read()?;
            if let (Some(fingerprint), Some(chunk)) = (fingerprint, &chunk) {
                fingerprint.note(chunk);
            }
            let made = chunk.map(|chunk| make(file, chunk)).transpose()?;
            Ok((made, piece.map(|piece| Lane { file, piece })))
        };
        let read_all = || lanes.into_par_iter().with_max_len(1).map(read).collect::<Vec<Result<_, Error>>>();
        let (rest, room) = (&mut self.rest, LANES - self.ahead.len());
        let (wave, ahead) = rayon::join(read_all, || rest.pieces(room));
        let mut made = Vec::with_capacity(LANES);
        for read in wave {
            let (chunk, lane) = read?;
            made.extend(chunk);
            self.lanes.extend(lane);
        }
        self.ahead.extend(ahead?);
        let room = (LANES - self.lanes.len()).min(self.ahead.len());
        self.lanes.extend(self.ahead.drain(..room));
        Ok(Some(made))
    }

    /// Whether the rows of the last file are counted as lines or as rows.
    pub fn unit(&self) -> fn(u64) -> Position {
        self.rest.unit
    }
}

impl Rest<'_> {
    /// The next pieces: this many, or as many as are left.
    fn pieces(&mut self, number: usize) -> Result<Vec<Lane>, Error> {
        let mut lanes = Vec::new();
        while lanes.len() < number {
            let Some(path) = self.files.get(self.number) else { break };
            let open = if let Some(open) = &mut self.open {
                open
            } else {
                let input = Input::open_metered(path, &self.meter, &PACKINGS)?;
                self.open.insert(format::open(input, &self.wanted, &self.meter)?)
            };
            if let Some(piece) = open.next()? {
                self.unit = open.unit();
                lanes.push(Lane { file: self.number, piece });
            } else {
                self.open = None;
                self.number += 1;
            }
        }
        Ok(lanes)
    }
}
