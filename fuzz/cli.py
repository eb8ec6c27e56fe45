#!/usr/bin/env python3
"""Calls every command with odd arguments and says what went wrong, if anything.

    python3 fuzz/cli.py [--seconds 40] [--seed 1] [--lines N]

Commands and options come from `arsg --help`, so new ones are tried without a change here. Values are control characters, huge names, extreme
numbers, paths to odd files, and sometimes what the option really wants. A command may refuse (exit codes 1, 2 and 3) but must not crash,
run longer than TIMEOUT seconds, or print an escape sequence on stderr.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

ARSG = os.path.abspath(os.environ.get("ARSG", "target/debug/arsg"))
TIMEOUT = 60
NUMBERS = ["0", "1", "2", "-1", "-0", "nan", "inf", "-inf", "1e308", "1e-320", "0.5", "4294967296", "9223372036854775807", "18446744073709551615",
           "18446744073709551616", "9" * 400, "0x10", "1_000", "٣", "１", " 1", "1 ", "+1", ""]
NAMES = ["", " ", "\x1b[2J", "\x07", "a\nb", "\t", "..", "/", "/dev/null", "/dev/full", "-", "--", "*", "因为", "\u202e", "\U0010ffff", "a" * 300,
         "长" * 5000, "x" * 100_000, "%s%n", "$(id)", "a/b/c", "finance", "general", "1-2", "3-1", "rule@1-2", "8:1:1", "10%", "beam=3",
         "sample=1", "spans=99999999999", "json", "html", "svg", "dis", "tree", "l2", "day"]
# What takes minutes or waits for a person.
LEFT_OUT = {"demo", "experiment", "serve"}


def help_of(words):
    result = subprocess.run([ARSG, *words, "--help"], capture_output=True, text=True, timeout=TIMEOUT)
    return result.stdout


def commands():
    """All commands with their options: (words, [(option, takes a value)])."""
    found = []
    for name in re.findall(r"^  ([a-z]+) {2,}\S", help_of([]), re.M):
        text = help_of([name])
        below = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.M)
        inner = re.findall(r"^  ([a-z]+) ", below.group(1), re.M) if below else []
        for words in [[name, sub] for sub in inner if sub != "help"] or [[name]]:
            options = re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]*)( ?\[?=?<)?", help_of(words), re.M)
            found.append((words, [(option, bool(value)) for option, value in options if option not in ("--help", "--version")]))
    return found


def make_files(folder):
    """Files of every kind and damage in a folder; their paths."""
    subprocess.run([ARSG, "-q", "init", "p"], cwd=folder, check=True, capture_output=True)
    write = lambda name, data: open(os.path.join(folder, name), "wb").write(data)
    write("empty.txt", b"")
    write("zero.txt", b"\0" * 100)
    write("bad.txt", b"\xff\xfe\xfd\x80 abc")
    write("control.txt", "因为\x1b[2J下雨，\x07比赛\x9b取消了。".encode())
    write("one.txt", "因为下雨，比赛取消了。".encode())
    write("long.txt", ("长" * 20_000).encode())
    write("ids.jsonl", b'{"id":"\\u001b[2J/../x","text":"\\u0007abc"}\n{"id":"\\u001b[2J/../x","text":"a"}\n{bad\n')
    write("half.rs3", b"<rst><body><segment id='1'>a & b")
    write("half.json", b'{"edus":[{"text":"')
    write("a.arsg", b"grammar a\nschema \"finance\"\n\x1b[2J\n")
    write("a.label", b'{"label":1}\n')
    write("a.case", "===\n\x1b\n===\n因为\n---\n(x".encode())
    write("a.safetensors", b"\x08\0\0\0\0\0\0\0{}")
    os.symlink("loop", os.path.join(folder, "loop"))
    names = sorted(name for name in os.listdir(folder))
    below = ["p/texts/today.txt", "p/trees", "p/cases", "p/grammars/finance.arsg", "p/schemas/finance.toml", "p/corpus/news.jsonl", "missing", "p/missing/x"]
    return names + below


def line(draw, words, options, files):
    arguments = list(words)
    for _ in range(draw.choice([0, 1, 1, 2, 3])):
        option, takes = draw.choice(options) if options else ("--json", False)
        if not takes:
            arguments.append(option)
            continue
        kind = draw.random()
        value = draw.choice(NUMBERS if kind < 0.5 else NAMES if kind < 0.8 else files)
        arguments.append(f"{option}={value}")
    for _ in range(draw.choice([0, 1, 1, 1, 2])):
        arguments.append(draw.choice(files) if draw.random() < 0.85 else draw.choice(NAMES))
    return [argument.replace("\0", "") for argument in arguments]


def problem(arguments, folder):
    """What is wrong with how a line went, if anything."""
    try:
        done = subprocess.run([ARSG, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"runs longer than {TIMEOUT} seconds"
    except OSError as error:  # an argument that no program can be given
        return None if "too long" in str(error).lower() else str(error)
    said = done.stderr.decode("utf-8", "replace")
    # `arsg test --quiet` tells `git bisect run` by 125 that a commit cannot be tried.
    refusals = (1, 2, 3, 125) if arguments[:1] == ["test"] else (1, 2, 3)
    if done.returncode not in (0, *refusals) or "panicked" in said:
        return f"exit code {done.returncode}: {said[:2000]}"
    # clap shows arguments as they were given when it refuses them.
    if done.returncode != 2 and "\x1b" in said:
        return f"an escape sequence on stderr: {said[:500]!r}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=1_000_000)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    known = [(words, options) for words, options in commands() if words[0] not in LEFT_OUT]
    assert len(known) > 25, known
    end = time.monotonic() + asked.seconds
    tried, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(folder)
        while time.monotonic() < end and tried < asked.lines:
            words, options = known[tried % len(known)]
            arguments = line(draw, words, options, files)
            tried += 1
            found = problem(arguments, folder)
            if found:
                wrong += 1
                print("arsg", " ".join(repr(argument)[:300] for argument in arguments))
                print("   ", found)
    print(f"{tried} lines over {len(known)} commands, {wrong} went wrong (seed {asked.seed})")
    sys.exit(1 if wrong else 0)


main()
