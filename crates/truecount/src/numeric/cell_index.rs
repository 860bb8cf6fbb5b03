//! An index that counts the edges at or below a point without a search, for many fixed edges.
//!
//! The range of the edges is divided into cells of equal width, and the index stores the first edge in each cell. A
//! point is compared only with the edges in its own cell; usually there is no such edge.

use super::pass;

/// The number of cells per edge: most cells contain no edge, so most points need no comparison.
const CELLS_PER_EDGE: usize = 16;

/// The number of points whose cells are computed together.
const CHUNK: usize = 256;

/// Ascending edges with an index of cells.
#[derive(Clone, Debug)]
pub(crate) struct CellIndex {
    ascending: Vec<f64>,
    /// The number of cells per unit, counted from the first edge.
    scale: f64,
    /// The number of edges in the cells before each cell, followed by the number of all edges.
    before: Vec<u32>,
    /// For each cell, its only edge and the number of edges before the cell.
    single: Vec<IndexCell>,
}

/// A cell with at most one edge, as most cells are, or with `more` edges.
#[derive(Clone, Copy, Debug)]
struct IndexCell {
    /// The edge, or infinity if the cell has no edge.
    edge: f64,
    before: u32,
    more: bool,
}

impl CellIndex {
    /// Creates the index of one or more ascending, distinct, finite edges.
    pub(crate) fn new(edges: Vec<f64>) -> Self {
        let cells = CELLS_PER_EDGE * edges.len();
        let span = edges[edges.len() - 1] - edges[0];
        let scale = if span > 0.0 && span.is_finite() { cells as f64 / span } else { 0.0 };
        let mut index = Self { ascending: edges, scale, before: vec![0; cells + 1], single: Vec::new() };
        // Cells are computed with the same rounding as later for points.
        for i in 0..index.ascending.len() {
            let cell = index.cell(index.ascending[i]);
            index.before[cell + 1] += 1;
        }
        for cell in 0..cells {
            index.before[cell + 1] += index.before[cell];
        }
        let single = |ends: &[u32]| IndexCell {
            edge: if ends[1] > ends[0] { index.ascending[ends[0] as usize] } else { f64::INFINITY },
            before: ends[0],
            more: ends[1] - ends[0] > 1,
        };
        index.single = index.before.windows(2).map(single).collect();
        index
    }

    pub(super) fn ascending(&self) -> &[f64] {
        &self.ascending
    }

    fn cell(&self, x: f64) -> usize {
        let mut cell = [0];
        self.cells(&[x], &mut cell);
        cell[0] as usize
    }

    fn cells(&self, values: &[f64], cells: &mut [u32]) {
        pass::cell_numbers(values, self.ascending[0], self.scale, self.before.len() - 2, cells);
    }

    /// Returns the number of edges at or below x, which lies in this cell.
    fn count(&self, cell: usize, x: f64) -> usize {
        let (before, through) = (self.before[cell] as usize, self.before[cell + 1] as usize);
        let in_cell = &self.ascending[before..through];
        // Usually there are few edges; if a cell has many, bisection is faster.
        let count = if in_cell.len() <= 8 {
            in_cell.iter().filter(|edge| **edge <= x).count()
        } else {
            in_cell.partition_point(|edge| *edge <= x)
        };
        before + count
    }

    /// Returns the number of edges at or below x.
    pub(crate) fn at_or_below(&self, x: f64) -> usize {
        self.count(self.cell(x), x)
    }

    /// Calls `each` with the number of edges at or below each point.
    pub(super) fn for_each_count(&self, values: &[f64], mut each: impl FnMut(usize)) {
        let mut cells = [0; CHUNK];
        for chunk in values.chunks(CHUNK) {
            self.cells(chunk, &mut cells);
            for (x, cell) in chunk.iter().zip(&cells) {
                let cell = *cell as usize;
                let IndexCell { edge, before, more } = self.single[cell];
                each(if more { self.count(cell, *x) } else { before as usize + usize::from(*x >= edge) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_a_search() {
        let even: Vec<f64> = (0..700).map(|k| f64::from(k) * 0.37 - 40.0).collect();
        let crowded: Vec<f64> = (0..500).map(|k| (f64::from(k) * 0.2 - 50.0).exp()).collect();
        let far = vec![-1e300, 0.0, 1e-300, 1.0, 1e300];
        for edges in [even, crowded, far, vec![3.0]] {
            let quick = CellIndex::new(edges.clone());
            let between = edges.iter().flat_map(|e| [e.next_down(), *e, e.next_up(), e + 0.1]);
            for x in between.chain([-1e308, 1e308, 0.0]) {
                assert_eq!(quick.at_or_below(x), edges.partition_point(|e| *e <= x), "{x:e}");
            }
            let mut counts = Vec::new();
            quick.for_each_count(&edges, |count| counts.push(count));
            assert!(counts.iter().copied().eq(1..=edges.len()));
        }
    }
}
