"""The notebook runs, and stands in the tree without outputs."""

import json
import os
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TOUR = Path(os.environ.get("TOUR") or HERE.parents[2] / "examples" / "notebook" / "tour.ipynb")


def test_the_tour_is_kept_without_outputs():
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_the_tour_runs():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(TOUR, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not any(output.output_type == "error" for output in shown)
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "image/svg+xml" in kinds and "text/html" in kinds
