//! ROUGE of pairs on standard input, for `benches/peers/rouge.py`: a line is a JSON list of two lists of
//! tokens; out comes a list of F1 of ROUGE-1, ROUGE-2 and ROUGE-L.

use std::io::BufRead;

use arsg::rouge::{rouge_l, rouge_n};

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok((candidate, reference)) = serde_json::from_str::<(Vec<String>, Vec<String>)>(&line)
        else {
            eprintln!("not a pair of lists: {line}");
            continue;
        };
        let found = [
            rouge_n(&candidate, &reference, 1),
            rouge_n(&candidate, &reference, 2),
            rouge_l(&candidate, &reference),
        ];
        let figures: Vec<[f64; 3]> = found
            .iter()
            .map(|rouge| [rouge.precision, rouge.recall, rouge.f1])
            .collect();
        println!("{}", serde_json::json!(figures));
    }
}
