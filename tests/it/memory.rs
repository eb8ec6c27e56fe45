//! However long the corpus, only a batch of it is in memory. `/proc` tells the peak of a process, so the
//! test has one for itself.

use std::io::{BufReader, Read};

use arsg::lexcore::Extractor;
use arsg::text::corpus::{Reader, process_in_batches};

use crate::fixtures::{Domain, FINANCE};
use crate::run::is_alone;

/// The same document so many times, made while it is read.
struct Repeated {
    line: Vec<u8>,
    left: usize,
    taken: usize,
}

impl Read for Repeated {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        if self.taken == self.line.len() {
            self.taken = 0;
            self.left -= 1;
        }
        if self.left == 0 {
            return Ok(0);
        }
        let count = (&self.line[self.taken..]).read(target)?;
        self.taken += count;
        Ok(count)
    }
}

/// The most memory this process has ever used, in kilobytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1);
    number.unwrap().parse().unwrap()
}

#[test]
fn fifty_times_the_text_takes_no_more_memory() {
    if !is_alone("memory::fifty_times_the_text_takes_no_more_memory") {
        return;
    }
    const COPIES: usize = 64;
    const ROOM_KB: usize = 16 << 10;
    let text: Vec<&str> = include_str!("../cores/finance.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let document = serde_json::json!({"id": "甲", "date": "2019-09-12", "text": text.join("\n")});
    let line = format!("{document}\n").into_bytes();
    let Domain { schema, analyzer } = &*FINANCE;
    let extractor = Extractor::new(schema);
    let cores_of = |copies: usize| {
        let input = Repeated {
            line: line.clone(),
            left: copies,
            taken: 0,
        };
        let reader = Reader::new(Box::new(BufReader::new(input)), "corpus", None).unwrap();
        let mut cores = 0;
        process_in_batches(
            reader,
            |document| {
                extractor
                    .extract(&document, &analyzer.analyze(&document))
                    .len()
            },
            |found| {
                cores += found.unwrap_or(0);
                Ok(())
            },
        )
        .unwrap();
        cores
    };
    let once = cores_of(COPIES);
    let before = peak();
    assert_eq!(cores_of(COPIES * 50), once * 50);
    let after = peak();
    assert!(after < before + ROOM_KB, "{before} KB grew to {after} KB");
}
