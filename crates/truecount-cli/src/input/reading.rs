//! Files read on all threads, in waves: a chunk of each of a few pieces at a time.
//!
//! Which chunks are read together depends on the files alone, and what is made of them is given back in their order: results are the
//! same to the bit whatever the number of threads.

use super::files;
use super::format::{self, Piece, Pieces};
use super::rows::{Chunk, Wanted};
use super::source;
use crate::failure::Failure;
use indicatif::ProgressBar;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::VecDeque;
use std::path::PathBuf;

/// Pieces that are read at a time, whatever the number of threads.
const LANES: usize = 16;

/// Where a row stands: the number of its file, and its line or row there.
pub type Place = (usize, u64);

/// Files while they are read.
pub struct Reading<'a> {
    lanes: Vec<Lane>,
    /// Pieces that wait for a lane.
    ahead: VecDeque<Lane>,
    rest: Rest<'a>,
}

/// A piece of the file of that number.
struct Lane {
    file: usize,
    piece: Box<dyn Piece>,
}

/// What has not been begun.
struct Rest<'a> {
    files: &'a [PathBuf],
    wanted: Wanted<'a>,
    bar: ProgressBar,
    /// The number of the file that is open.
    number: usize,
    open: Option<Box<dyn Pieces>>,
    unit: &'static str,
}

impl<'a> Reading<'a> {
    pub fn new(paths: &'a [PathBuf], wanted: Wanted<'a>) -> Result<Self, Failure> {
        // What is wrong with the last file is better known before the first one is read.
        if paths.len() > 1 {
            for path in paths.iter().filter(|path| !source::is_stdio(path)) {
                format::open(path, &wanted, &ProgressBar::hidden())?;
            }
        }
        let bar = source::progress(&files::title(paths), files::length(paths));
        let mut rest = Rest { files: paths, wanted, bar, number: 0, open: None, unit: "" };
        let lanes = rest.pieces(LANES)?;
        Ok(Self { lanes, ahead: VecDeque::new(), rest })
    }

    /// What is made of the next chunks, in their order; none at the end.
    pub fn wave<T: Send>(
        &mut self,
        make: impl Fn(usize, Chunk) -> Result<T, Failure> + Sync,
    ) -> Result<Option<Vec<T>>, Failure> {
        if self.lanes.is_empty() {
            return Ok(None);
        }
        let lanes = std::mem::take(&mut self.lanes);
        let read = |Lane { file, piece }: Lane| {
            let (chunk, piece) = piece.read()?;
            let made = chunk.map(|chunk| make(file, chunk)).transpose()?;
            Ok((made, piece.map(|piece| Lane { file, piece })))
        };
        let read_all = || lanes.into_par_iter().with_max_len(1).map(read).collect::<Vec<Result<_, Failure>>>();
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

    /// What the rows of the last file are counted by.
    pub fn unit(&self) -> &'static str {
        self.rest.unit
    }
}

impl Rest<'_> {
    /// So many pieces, or as many as there are.
    fn pieces(&mut self, number: usize) -> Result<Vec<Lane>, Failure> {
        let mut lanes = Vec::new();
        while lanes.len() < number {
            let Some(path) = self.files.get(self.number) else { break };
            let open = match &mut self.open {
                Some(open) => open,
                None => self.open.insert(format::open(path, &self.wanted, &self.bar)?),
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
