//! The engine inside a program of your own: the shipped grammar, a text, its tree.
//!
//!     cargo run --example embed

use arsg::automaton::Engine;
use arsg::grammar::embedded_grammar;
use arsg::tree::{TextDrawing, draw_text};
use arsg::{Document, Result};

fn main() -> Result<()> {
    // Built once; an engine can be shared by threads.
    let engine = Engine::new(embedded_grammar("finance")?);

    // A paragraph a line. `Document::from_edus` takes texts that are divided already.
    let document = Document::from_text(
        "today",
        "国家统计局发布的数据显示，8月份CPI同比上涨2.4%。\n分析师认为，四季度涨幅将收窄。",
    );
    let parse = engine.parse(&document);
    let Some(tree) = parse.tree() else {
        return Ok(()); // a text without words has no tree
    };
    print!("{}", draw_text(tree, &TextDrawing::default()));

    for (_, node) in tree.post_order() {
        if let Some(decision) = &node.decision {
            let (span, rule) = (node.span(), &decision.rule);
            println!(
                "EDUs {span}: `{rule}`, probability {:.2}",
                decision.probability
            );
        }
    }
    Ok(())
}
