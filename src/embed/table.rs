//! Tables: a vector for every phrase of a role.

use rand::RngExt;

use super::seed::{Purpose, stream};

/// Rows are padded with zeros to a multiple of this, so that loops over them need no remainder.
pub(crate) const LANES: usize = 16;

/// A vector for every phrase of a role. Row 0 stands for what is missing: it is zero and stays
/// zero, so that a missing part adds nothing to t + a + o and nothing to an impact.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    width: usize,
    stride: usize,
    cells: Vec<f32>,
}

impl Table {
    /// All zeros.
    pub fn zeros(rows: usize, width: usize) -> Table {
        let stride = width.next_multiple_of(LANES);
        Table {
            width,
            stride,
            cells: vec![0.0; rows * stride],
        }
    }

    /// From rows that follow each other without padding; what does not fill a row is left out.
    pub fn from_flat(width: usize, flat: &[f32]) -> Table {
        let rows = flat.chunks_exact(width.max(1));
        let mut table = Table::zeros(rows.len(), width);
        for (at, row) in rows.enumerate() {
            table.row_mut(at)[..width].copy_from_slice(row);
        }
        table
    }

    /// Adds a row; what the vector lacks is zero.
    pub fn push(&mut self, vector: &[f32]) {
        let start = self.cells.len();
        self.cells.resize(start + self.stride, 0.0);
        let row = self.cells[start..].iter_mut().take(self.width);
        row.zip(vector).for_each(|(cell, x)| *cell = *x);
    }

    /// How many rows, that of the missing phrase among them.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.stride.max(1)
    }

    /// Coordinates a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The vector of a phrase; zeros beyond the last.
    pub fn vector(&self, row: usize) -> &[f32] {
        &self.padded(row)[..self.width]
    }

    /// All rows one after the other, without padding.
    pub fn flat(&self) -> impl Iterator<Item = f32> + '_ {
        (0..self.rows()).flat_map(|row| self.vector(row).iter().copied())
    }

    /// Grows to `rows` rows of small random numbers, drawn for each row by itself, so that a row
    /// does not depend on how many others there are.
    pub(crate) fn grow(&mut self, rows: usize, seed: u64, role: u64) {
        let first = self.rows();
        self.cells.resize(rows.max(first) * self.stride, 0.0);
        for row in first.max(1)..rows {
            let mut random = stream(seed, Purpose::Start, (role << 48) | row as u64);
            let width = self.width;
            for cell in &mut self.row_mut(row)[..width] {
                *cell = random.random_range(-START..START);
            }
        }
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(crate) fn padded(&self, row: usize) -> &[f32] {
        let start = if row < self.rows() {
            row * self.stride
        } else {
            0
        };
        &self.cells[start..start + self.stride]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.cells[row * self.stride..][..self.stride]
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [f32] {
        &mut self.cells
    }
}

/// Rows begin as uniform draws from -START to START.
const START: f32 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_phrase_is_zero_and_rows_do_not_depend_on_the_number_of_rows() {
        let mut small = Table::zeros(1, 150);
        small.grow(5, 7, 2);
        let mut large = Table::zeros(1, 150);
        large.grow(3, 7, 2);
        large.grow(90, 7, 2);
        assert!(small.vector(0).iter().all(|cell| *cell == 0.0));
        for row in 0..5 {
            assert_eq!(small.vector(row), large.vector(row));
        }
        assert_ne!(small.vector(1), small.vector(2));
        assert_eq!(small.flat().count(), 750);
        let copy = Table::from_flat(150, &small.flat().collect::<Vec<_>>());
        assert_eq!(copy, small);
    }
}
