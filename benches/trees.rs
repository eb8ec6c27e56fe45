//! Reading, writing, drawing and scoring trees.

use arsg::diagnostic::Source;
use arsg::tree::{
    Builder, Edu, Format, NodeId, Pairing, ParsevalOptions, Roles, Tree, WriteOptions, parseval,
    read, write,
};

fn main() {
    divan::main();
}

/// About what the documents of a treebank have.
const EDUS: usize = 200;
const DOCUMENTS: usize = 50;

const FORMATS: [Format; 5] = [
    Format::Rs3,
    Format::Dis,
    Format::Rsd,
    Format::Sexp,
    Format::Json,
];

/// A tree whose shape depends on `seed` and on nothing else.
fn tree(edus: usize, seed: usize) -> Tree {
    let texts = (0..edus).map(|at| Edu::new(format!("第{at}句话说的是今天的天气，")));
    let mut builder = Builder::over(texts);
    let mut row: Vec<NodeId> = builder.leaves();
    let mut step = seed;
    while row.len() > 1 {
        step = (step * 31 + 7) % 1009;
        let at = step % (row.len() - 1);
        let (roles, relation) = match step % 3 {
            0 => (Roles::NucleusNucleus, "joint-list"),
            1 => (Roles::NucleusSatellite, "elaboration-additional"),
            _ => (Roles::SatelliteNucleus, "causal-cause"),
        };
        let joined = builder.join(row[at], row[at + 1], roles, Some(relation.into()));
        row.splice(at..at + 2, [certain(joined)]);
    }
    certain(builder.finish(row[0]))
}

/// Neighbours always join.
fn certain<T>(result: Result<T, arsg::tree::JoinError>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1)
    })
}

#[divan::bench(args = FORMATS.map(Format::as_str))]
fn reading(bencher: divan::Bencher, format: &str) {
    let format = Format::from_name(format);
    let text = write(
        &tree(EDUS, 1),
        format.unwrap_or(Format::Rs3),
        &WriteOptions::default(),
    );
    let source = Source::new("bench", text);
    bencher
        .counter(divan::counter::BytesCount::of_str(source.text()))
        .bench(|| read(&source, format));
}

#[divan::bench(args = FORMATS.map(Format::as_str))]
fn writing(bencher: divan::Bencher, format: &str) {
    let tree = tree(EDUS, 1);
    let format = Format::from_name(format).unwrap_or(Format::Rs3);
    bencher.bench(|| write(&tree, format, &WriteOptions::default()));
}

#[divan::bench(args = ["tree", "svg", "html"])]
fn drawing(bencher: divan::Bencher, format: &str) {
    let tree = tree(EDUS, 1);
    let format = Format::from_name(format).unwrap_or(Format::Tree);
    bencher.bench(|| write(&tree, format, &WriteOptions::default()));
}

#[divan::bench]
fn scoring_fifty_documents(bencher: divan::Bencher) {
    let pairs: Vec<Pairing> = (0..DOCUMENTS)
        .map(|at| Pairing {
            id: format!("{at}").into(),
            gold: tree(EDUS, at),
            predicted: tree(EDUS, at + 1),
        })
        .collect();
    bencher.bench(|| parseval(&pairs, &ParsevalOptions::default(), None));
}
