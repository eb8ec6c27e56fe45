#!/usr/bin/env python3
"""Sends random documents through the whole pipeline and says what went wrong, if anything.

    python3 fuzz/soak.py [COUNT] [SEED]        100,000 documents by default

Documents are mixtures of clauses, words, numbers, marks, brackets that do not close, emoji, control characters, other scripts and damaged
JSON. They are cut into batches; every batch is segmented, read for cores, parsed and summarized. A command may refuse a document
(counted) but must not crash, and a tree has as many EDUs as the text was cut into.
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
BATCH = 5_000
ARSG = os.environ.get("ARSG", "target/release/arsg")

CLAUSES = [
    "由于需求疲软", "国际油价下跌", "央行宣布降息", "公司营业收入同比增长12.5%", "分析师表示", "但是出口仍在下降", "如果美联储加息",
    "人民币对美元汇率走低", "去年同期为3.2亿元", "他说", "尽管如此", "因此股价大涨", "其中制造业投资增长8.1%", "2019年9月1日", "据统计局数据",
    "市场预计", "该公司将在上半年完成收购", "与此同时", "第一季度GDP增速放缓", "一方面成本上升", "另一方面利润下滑",
]
MARKS = ["，", "。", "；", "：", "、", "？", "！", "……", "——", ",", ".", ";", "!", "?"]
ODD = ["（", "）", "“", "”", "《", "》", "【", "(", ")", "[1]", "-LSB-", "1.", "一、", "（二）", "😀", "\u200b", "\ufeff", "\x00", "\x07", "\u3000", " ",
       "\t", "\n", "\r\n", "\n\n", "ａｂｃ１２３", "مرحبا", "नमस्ते", "가격", "價格上漲", "𠮷", "e\u0301", "\ue40c", "# ", "- ", "\u202e", "\U0010ffff"]


def text(draw: random.Random) -> str:
    parts = []
    for _ in range(draw.choice([0, 1, 2, 5, 10, 20, 40])):
        kind = draw.random()
        if kind < 0.6:
            parts.append(draw.choice(CLAUSES) + draw.choice(MARKS))
        elif kind < 0.75:
            parts.append(draw.choice(ODD))
        elif kind < 0.85:
            parts.append("".join(chr(draw.randrange(0x4E00, 0x9FA5)) for _ in range(draw.randrange(1, 12))))
        elif kind < 0.9:
            parts.append(str(draw.randrange(10 ** draw.randrange(1, 14))) + draw.choice(["年", "月", "%", "亿元", "", "个百分点"]))
        elif kind < 0.95:
            parts.append("".join(chr(draw.choice([draw.randrange(1, 0xD7FF), draw.randrange(0xE000, 0x10FFFF)])) for _ in range(draw.randrange(1, 6))))
        else:
            parts.append(draw.choice(MARKS) * draw.randrange(1, 30))
    return "".join(parts)


def line(number: int, draw: random.Random) -> str:
    document = {"id": f"soak-{number}", "text": text(draw)}
    if draw.random() < 0.5:
        document["date"] = f"20{draw.randrange(100):02}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    if draw.random() < 0.5:
        document["title"] = text(draw)[:20]
    written = json.dumps(document, ensure_ascii=draw.random() < 0.5)
    if draw.random() < 0.01:
        at = draw.randrange(len(written))
        written = written[:at] + draw.choice(["", "\x01", "}", '"', "\\"]) + written[at + 1:]
    return written.replace("\n", " ")


def run(problems: collections.Counter, path: str, *arguments: str) -> str:
    done = subprocess.run([ARSG, *arguments], capture_output=True)
    if done.returncode not in (0, 1, 3):
        problems[f"{arguments[0]}: exit {done.returncode}"] += 1
        kept = f"soak-{arguments[0]}.jsonl"
        os.system(f"cp {path} {kept}")
        print(f"{' '.join(arguments)}: exit {done.returncode}, input kept as {kept}\n{done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout.decode(errors="replace")


def main() -> None:
    draw = random.Random(SEED)
    problems: collections.Counter = collections.Counter()
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, COUNT, BATCH):
            path = os.path.join(folder, "batch.jsonl")
            numbers = range(first, min(first + BATCH, COUNT))
            with open(path, "w", encoding="utf-8", errors="surrogatepass") as batch:
                batch.writelines(line(number, draw) + "\n" for number in numbers)
            segmented = os.path.join(folder, "segmented.jsonl")
            run(problems, path, "segment", path, "--out", segmented, "-q")
            kept = {}
            for written in open(segmented, encoding="utf-8"):
                document = json.loads(written)
                kept[document["id"]] = sum(len(block["edus"]) for block in document["blocks"])
            parsed = run(problems, path, "parse", path, "--json", "-q").rstrip("\n").split("\n")
            for written in parsed:
                tree = json.loads(written)
                if kept.get(tree["id"]) != len(tree["edus"]):
                    problems["parse: other EDUs than segment"] += 1
            if len(parsed) > len(kept):
                problems["parse: more trees than texts"] += 1
            cores = run(problems, path, "cores", path, "--json", "-q").rstrip("\n").split("\n")
            run(problems, path, "summarize", path, "--method", "arsg", "-n", "5", "-q")
            seen.update(documents=len(numbers), kept=len(kept), trees=len(parsed), cores=len(cores))
            print(f"{first + len(numbers)} documents: {dict(seen)}", flush=True)
    for problem, count in problems.items():
        print(f"{count} times {problem}")
    sys.exit(1 if problems else 0)


main()
