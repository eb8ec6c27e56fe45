//! Squared distances of whole boxes by matrix product, over rows that are packed once.

use ndarray::{Array2, ArrayView2};

/// Rows that stand side by side in a panel: whole blocks of rows and of columns.
pub(super) const LANES: usize = 48;
/// Rows of the left and columns of the right that are multiplied at once: twelve wide sums, which
/// with their factors fill the registers of the machine.
const ROWS: usize = 6;
const COLUMNS: usize = 16;
/// Coordinates that are multiplied at once: a panel of them stays in the nearest cache.
const DEPTH: usize = 100;

/// Products of two panels.
type Tile = [[f32; LANES]; LANES];

/// The rows of a box, packed for products, with their squared lengths.
#[derive(Debug)]
pub(super) struct Packed {
    /// Panel after panel; in a panel, coordinate after coordinate of all its rows.
    cells: Vec<[f32; LANES]>,
    width: usize,
    /// The rows' squared lengths.
    pub(super) squares: Vec<f32>,
}

impl Packed {
    /// Packs some rows.
    pub(super) fn new(rows: ArrayView2<'_, f32>) -> Packed {
        let width = rows.ncols();
        let panels = rows.nrows().div_ceil(LANES);
        let mut cells = vec![[0.0; LANES]; panels * width];
        let mut squares = Vec::with_capacity(rows.nrows());
        for (at, row) in rows.rows().into_iter().enumerate() {
            let first = at / LANES * width;
            let mut square = 0.0;
            for (cell, x) in cells[first..first + width].iter_mut().zip(row) {
                cell[at % LANES] = *x;
                square += f64::from(*x) * f64::from(*x);
            }
            squares.push(square as f32);
        }
        Packed {
            cells,
            width,
            squares,
        }
    }

    /// The squared distances from the rows of the other, but for the squared lengths of these rows:
    /// row a, column b holds |b|^2 - 2 ab.
    pub(super) fn multiply_into(&self, other: &Packed, into: &mut Array2<f32>) {
        if self.width == 0 {
            into.fill(0.0);
            return;
        }
        let lefts = self.cells.chunks_exact(self.width);
        for (left, at) in lefts.zip((0..).step_by(LANES)) {
            let rows = self.squares.len().saturating_sub(at).min(LANES);
            let rights = other.cells.chunks_exact(self.width);
            for (right, squares) in rights.zip(other.squares.chunks(LANES).enumerate()) {
                let (panel, squares) = squares;
                let columns = panel * LANES..panel * LANES + squares.len();
                let tile = multiply_panels(left, right);
                for (row, sums) in tile.iter().enumerate().take(rows) {
                    let mut out = into.row_mut(at + row);
                    let out = out
                        .as_slice_mut()
                        .and_then(|out| out.get_mut(columns.clone()));
                    let cells = out.unwrap_or_default().iter_mut();
                    for (cell, (sum, square)) in cells.zip(sums.iter().zip(squares)) {
                        *cell = square - 2.0 * sum;
                    }
                }
            }
        }
    }
}

/// The products of all rows of two panels. What it rounds away is within the slack of the bounds,
/// in whatever order it is summed, fused or not.
fn multiply_panels(left: &[[f32; LANES]], right: &[[f32; LANES]]) -> Tile {
    let mut tile = [[0.0; LANES]; LANES];
    for (left, right) in left.chunks(DEPTH).zip(right.chunks(DEPTH)) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the processor has just said that it has both.
            unsafe { multiply_fused(left, right, &mut tile) };
            continue;
        }
        multiply(left, right, &mut tile);
    }
    tile
}

/// Adds the products of some coordinates, on any machine.
fn multiply(left: &[[f32; LANES]], right: &[[f32; LANES]], tile: &mut Tile) {
    for (a, b) in left.iter().zip(right) {
        for (sums, a) in tile.iter_mut().zip(a) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
}

/// The same with wide registers and fused steps.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_fused(left: &[[f32; LANES]], right: &[[f32; LANES]], tile: &mut Tile) {
    use std::arch::x86_64::*;
    const WIDE: usize = COLUMNS / 2;
    for row in (0..LANES).step_by(ROWS) {
        for column in (0..LANES).step_by(COLUMNS) {
            let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
            for (a, b) in left.iter().zip(right) {
                // SAFETY: rows and columns step through the lanes in whole blocks, so what is read
                // lies within `a` and `b`.
                let (a, b) = unsafe {
                    let b = b.as_ptr().add(column);
                    let wide = [_mm256_loadu_ps(b), _mm256_loadu_ps(b.add(WIDE))];
                    (&*a.as_ptr().add(row).cast::<[f32; ROWS]>(), wide)
                };
                for (sums, a) in sums.iter_mut().zip(a) {
                    let a = _mm256_set1_ps(*a);
                    sums[0] = _mm256_fmadd_ps(a, b[0], sums[0]);
                    sums[1] = _mm256_fmadd_ps(a, b[1], sums[1]);
                }
            }
            for (sums, total) in sums.iter().zip(&mut tile[row..]) {
                // SAFETY: as above, within a row of the tile.
                unsafe {
                    let total = total.as_mut_ptr().add(column);
                    let more = total.add(WIDE);
                    _mm256_storeu_ps(total, _mm256_add_ps(_mm256_loadu_ps(total), sums[0]));
                    _mm256_storeu_ps(more, _mm256_add_ps(_mm256_loadu_ps(more), sums[1]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_plain_sums_at_every_size() {
        for (left, right, width) in [
            (1, 1, 1),
            (24, 25, 7),
            (50, 23, 301),
            (3, 240, 32),
            (5, 5, 0),
        ] {
            // Whole numbers, so that no sum is rounded.
            let cell = |at: usize, by: usize| (at * by % 7) as f32 - 3.0;
            let a = Array2::from_shape_fn((left, width), |(i, k)| cell(i * 31 + k, 5));
            let b = Array2::from_shape_fn((right, width), |(j, k)| cell(j * 17 + k, 3));
            let mut out = Array2::zeros((240, 240));
            Packed::new(a.view()).multiply_into(&Packed::new(b.view()), &mut out);
            for i in 0..left {
                for j in 0..right {
                    let (a, b) = (a.row(i), b.row(j));
                    assert_eq!(out[(i, j)], b.dot(&b) - 2.0 * a.dot(&b), "{i} {j} {width}");
                }
            }
        }
    }
}
