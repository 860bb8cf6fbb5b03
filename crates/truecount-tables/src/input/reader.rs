//! Reads files on all threads, in waves: one chunk from each of a few pieces at a time.
//!
//! The chunks of a wave depend only on the files, and their results are in order. Results are
//! therefore the same to the bit for any number of threads.

use super::fingerprint::Fingerprint;
use super::format::{self, COMPRESSIONS, FormatChunk, OpenFile, OpenPiece};
use crate::{Meter, NoProgress, Progress};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use truecount::Error;
use truecount::error::Position;
use truecount_analysis::groups::ColumnGrouper;
use truecount_text::{ColumnSelection, Input, MissingRows, is_file, length, title};

/// Number of pieces that are read at a time, for any number of threads.
const LANES: usize = 16;

/// A reader of several files.
pub struct FilesReader<'a> {
    lanes: Vec<Lane>,
    /// Pieces waiting for a lane.
    ahead: VecDeque<Lane>,
    unopened: UnopenedPieces<'a>,
    missing: MissingRows,
}

/// A piece, and the index of its file.
struct Lane {
    file: usize,
    piece: OpenPiece,
}

/// The pieces that have not been opened yet.
struct UnopenedPieces<'a> {
    files: &'a [PathBuf],
    selection: ColumnSelection<'a>,
    fingerprint: Option<&'a Fingerprint>,
    meter: Arc<dyn Meter>,
    /// The index of the open file.
    file: usize,
    open: Option<OpenFile>,
    unit: fn(u64) -> Position,
}

impl<'a> FilesReader<'a> {
    /// Opens the files. The fingerprint, if any, is updated with every row.
    pub fn new(
        paths: &'a [PathBuf],
        selection: ColumnSelection<'a>,
        fingerprint: Option<&'a Fingerprint>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        // Errors in the last file are reported before the first one is read. A pipe can be read only once.
        if paths.len() > 1 {
            let silent: Arc<dyn Meter> = Arc::new(NoProgress);
            for path in paths.iter().filter(|path| is_file(path)) {
                format::open(Input::open_metered(path, &silent, &COMPRESSIONS)?, &selection, &silent)?;
            }
        }
        let meter = progress.begin(&title(paths), length(paths.iter().map(PathBuf::as_path)));
        let mut unopened =
            UnopenedPieces { files: paths, selection, fingerprint, meter, file: 0, open: None, unit: Position::Row };
        let lanes = unopened.open_pieces(LANES)?;
        Ok(Self { lanes, ahead: VecDeque::new(), unopened, missing: MissingRows::default() })
    }

    /// Counts the rows without a value so far by the groups that replace the values of the grouping
    /// column with this index.
    pub fn count_missing_by_group(&mut self, index: usize, grouper: &ColumnGrouper) {
        self.missing.count_by_group(index, |value| grouper.group_of(value));
    }

    /// Reads the next chunks and applies a function to the file index and chunk of each. Returns
    /// the results in order, or `None` at the end.
    ///
    /// # Errors
    /// Returns the errors of reading and of the function; at the end, those of
    /// [`MissingRows::finish`].
    pub fn read_wave<T: Send>(
        &mut self,
        process: impl Fn(usize, FormatChunk) -> Result<T, Error> + Sync,
    ) -> Result<Option<Vec<T>>, Error> {
        if self.lanes.is_empty() {
            let UnopenedPieces { files, selection, meter, .. } = &self.unopened;
            let missing = std::mem::take(&mut self.missing);
            return missing.finish(selection.columns.missing, files, meter.as_ref()).map(|()| None);
        }
        let lanes = std::mem::take(&mut self.lanes);
        let fingerprint = self.unopened.fingerprint;
        let read = |Lane { file, piece }: Lane| {
            let (mut chunk, piece) = piece.read()?;
            if let (Some(fingerprint), Some(chunk)) = (fingerprint, &chunk) {
                fingerprint.add_chunk(chunk);
            }
            let counts = chunk.as_mut().map(|chunk| {
                let FormatChunk { missing, row_numbers, .. } = chunk;
                (std::mem::take(missing), row_numbers.len(), row_numbers.last())
            });
            let result = chunk.map(|chunk| process(file, chunk)).transpose()?;
            Ok((file, counts, result, piece.map(|piece| Lane { file, piece })))
        };
        let read_all = || lanes.into_par_iter().with_max_len(1).map(read).collect::<Vec<Result<_, Error>>>();
        let (unopened, room) = (&mut self.unopened, LANES - self.ahead.len());
        let (wave, ahead) = rayon::join(read_all, || unopened.open_pieces(room));
        let mut results = Vec::with_capacity(LANES);
        for chunk_and_lane in wave {
            let (file, counts, result, lane) = chunk_and_lane?;
            if let Some((missing, complete, last)) = counts {
                self.missing.merge(file, missing, complete, last);
            }
            results.extend(result);
            self.lanes.extend(lane);
        }
        self.ahead.extend(ahead?);
        let room = (LANES - self.lanes.len()).min(self.ahead.len());
        self.lanes.extend(self.ahead.drain(..room));
        Ok(Some(results))
    }

    /// Shows a note about the files.
    pub fn note(&self, message: &str) {
        self.unopened.meter.note(message);
    }

    /// Returns the unit of row numbers in the last file, line or row.
    pub fn unit(&self) -> fn(u64) -> Position {
        self.unopened.unit
    }
}

impl UnopenedPieces<'_> {
    /// Opens the next pieces: `max`, or as many as are left.
    fn open_pieces(&mut self, max: usize) -> Result<Vec<Lane>, Error> {
        let mut lanes = Vec::new();
        while lanes.len() < max {
            let Some(path) = self.files.get(self.file) else { break };
            let open = if let Some(open) = &mut self.open {
                open
            } else {
                let input = Input::open_metered(path, &self.meter, &COMPRESSIONS)?;
                self.open.insert(format::open(input, &self.selection, &self.meter)?)
            };
            if let Some(piece) = open.next()? {
                self.unit = open.unit();
                lanes.push(Lane { file: self.file, piece });
            } else {
                self.open = None;
                self.file += 1;
            }
        }
        Ok(lanes)
    }
}
