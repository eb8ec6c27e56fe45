"""What many tests need: parsers, made once."""

import arsg
import pytest


@pytest.fixture(scope="session")
def parser():
    return arsg.Parser("finance")


@pytest.fixture(scope="session")
def oil(parser):
    return parser("因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。", id="oil")
