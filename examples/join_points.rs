//! Times one exact epsilon join over raw points, for `benches/peers/radius_neighbors.py`:
//!
//!     join_points POINTS.f32 WIDTH EPSILON
//!
//! POINTS.f32 holds rows of WIDTH little-endian single precision numbers. Prints the best of three
//! times in seconds and the number of pairs.

use std::time::Instant;

use arsg::embed::neighbours::pairs_within;
use ndarray::Array2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, width, epsilon] = arguments.as_slice() else {
        return Err("usage: join_points POINTS.f32 WIDTH EPSILON".into());
    };
    let (width, epsilon): (usize, f64) = (width.parse()?, epsilon.parse()?);
    let bytes = std::fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    let points = Array2::from_shape_vec((numbers.len() / width, width), numbers)?;
    let mut best = f64::INFINITY;
    let mut found = 0;
    for _ in 0..3 {
        let start = Instant::now();
        found = pairs_within(points.view(), epsilon).len();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{best} {found}");
    Ok(())
}
