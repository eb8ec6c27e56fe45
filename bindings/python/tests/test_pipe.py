"""Many texts: lazily, in order, with threads, and stopped by Ctrl-C."""

import itertools
import multiprocessing
import os
import pickle
import signal
import threading
import time

import arsg
import pytest

TEXTS = [f"由于第{n}季度需求疲软，国际油价下跌{n}%。受此影响，航空股普遍上涨。" for n in range(1, 200)]


def test_order_is_kept_whatever_the_threads(parser):
    alone = [parser(text) for text in TEXTS]
    for threads in (1, 2, 5):
        assert list(parser.pipe(TEXTS, threads=threads)) == alone


def test_texts_are_asked_for_when_they_are_needed(parser):
    taken = []

    def endless():
        for number in itertools.count(1):
            taken.append(number)
            yield f"油价下跌{number}%，股价上涨。"

    pipe = parser.pipe(endless(), threads=2)
    assert taken == []
    first = next(pipe)
    assert first.edus[0].text.startswith("油价下跌1%") and len(taken) <= 2
    for _ in range(20):
        next(pipe)
    assert len(taken) < 200


def test_ids_come_with_texts(parser):
    trees = parser.pipe([("a", "油价下跌，股价上涨。"), "油价下跌。"])
    assert [tree.id or None for tree in trees] == ["a", None]


def test_errors_are_those_of_one_text(parser):
    texts = ["油价下跌，股价上涨。", "", 7, "下\ud800跌", "沪指收涨，深成指收跌。"]
    found = list(parser.pipe(texts, threads=2, errors="return"))
    kinds = [type(one) for one in found]
    assert kinds == [arsg.Tree, arsg.ParseError, TypeError, UnicodeEncodeError, arsg.Tree]
    pipe = parser.pipe(texts, threads=2)
    assert len(next(pipe).edus) == 2
    for error in kinds[1:4]:
        with pytest.raises(error):
            next(pipe)
    assert len(next(pipe).edus) == 2
    with pytest.raises(StopIteration):
        next(pipe)


def test_an_iterator_that_breaks_gives_what_it_had(parser):
    def broken():
        yield "油价下跌，股价上涨。"
        raise OSError("the disk is gone")

    pipe = parser.pipe(broken(), threads=4, errors="return")
    assert len(next(pipe).edus) == 2
    with pytest.raises(OSError, match="the disk is gone"):
        next(pipe)
    assert list(pipe) == []


def test_wrong_calls(parser):
    with pytest.raises(TypeError, match="is a string"):
        parser.pipe("油价下跌。")
    with pytest.raises(ValueError):
        parser.pipe(TEXTS, threads=0)
    with pytest.raises(ValueError, match="none of"):
        parser.pipe(TEXTS, errors="ignore")


def test_other_threads_run_meanwhile(parser):
    """The interpreter is free while texts are parsed."""
    counted, done = 0, threading.Event()
    text = "".join(TEXTS)

    def work():
        list(parser.pipe([text] * 4, threads=1))
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    worker.join()
    assert counted > 10


def interrupted_after(seconds, work):
    """How long work goes on behind a Ctrl-C."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            begun = time.monotonic()
            work()
    finally:
        timer.cancel()
    return time.monotonic() - begun - seconds


def endless(make):
    for number in itertools.count():
        yield make(number)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_pipe(parser, threads):
    def work():
        for _ in parser.pipe(endless(lambda n: f"{n}月" + TEXTS[n % 100]), threads=threads):
            pass

    assert interrupted_after(0.3, work) < 2


def test_ctrl_c_stops_one_long_text(parser):
    text = "".join(TEXTS) * 400
    assert interrupted_after(0.2, lambda: parser(text)) < 2


def test_ctrl_c_stops_learning(parser):
    trees = list(parser.pipe([(str(at), text * 3) for at, text in enumerate(TEXTS * 6)]))
    assert interrupted_after(0.3, lambda: arsg.induce(trees, schema="finance")) < 2


def test_ctrl_c_stops_embedding():
    texts = [text * 4 for text in TEXTS] * 4
    assert interrupted_after(0.5, lambda: arsg.embed(texts, epochs=100_000, patience=0)) < 2


def parsed(pair):
    parser, text = pair
    return parser(text)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes_parse_the_same(parser, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    list(parser.pipe(TEXTS[:10], threads=2))
    with multiprocessing.get_context(method).Pool(2) as pool:
        trees = pool.map(parsed, [(parser, text) for text in TEXTS[:6]])
    assert trees == [parser(text) for text in TEXTS[:6]]


def test_everything_pickles(parser, oil, tmp_path):
    again = pickle.loads(pickle.dumps(oil))
    assert again == oil and again.text == oil.text and again.edus == oil.edus
    assert pickle.loads(pickle.dumps(oil.root)) == oil.root
    assert pickle.loads(pickle.dumps(parser.grammar)) == parser.grammar
    beam = pickle.loads(pickle.dumps(arsg.Parser("finance", search="beam=4", structure="keep")))
    assert "beam=4" in repr(beam)
    with pytest.raises(arsg.UsageError, match="parse the text again"):
        again.explain()
    error = None
    try:
        arsg.Grammar.from_text("grammar")
    except arsg.GrammarError as raised:
        error = raised
    back = pickle.loads(pickle.dumps(error))
    assert back.diagnostics == error.diagnostics and str(back) == str(error)


def test_grammars_from_files_pickle_with_all_their_files(tmp_path):
    write = lambda name, text: (tmp_path / name).write_text(text, encoding="utf-8")
    write("own.toml", '[domain]\nname = "own"\nlanguage = "zh"\nstart = "Text"\nbase = "general"\n')
    write("more.arsg", 'schema "own.toml"\nprefer shift _ _ . _  x 3\n')
    write("mine.arsg", 'grammar mine 1.0\nschema "own.toml"\nstart Text\nuse "more.arsg"\n_[joint-list] <- _:N _:N  x 2\n')
    grammar = arsg.Grammar.load(tmp_path / "mine.arsg")
    frozen = pickle.dumps(grammar)
    for file in list(tmp_path.iterdir()):
        file.unlink()
    again = pickle.loads(frozen)
    assert again == grammar and again.schema == "own" and again.rules == grammar.rules
