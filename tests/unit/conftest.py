"""Check each figure that a test draws on a canvas of the house style."""

from collections.abc import Iterator

import pytest
from matplotlib.figure import Figure

from figure_faults import faults_of
from schedlab.report.figures import style


@pytest.fixture(scope="session", autouse=True)
def drawn_figures() -> Iterator[list[Figure]]:
    """Figures of the house style that were drawn since the last check."""
    figures: list[Figure] = []

    class RecordedFigure(Figure):
        def __init__(self, *arguments: object, **settings: object) -> None:
            super().__init__(*arguments, **settings)
            figures.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(style, "Figure", RecordedFigure)
        yield figures


@pytest.fixture(autouse=True)
def figures_without_faults(
    request: pytest.FixtureRequest, drawn_figures: list[Figure]
) -> Iterator[None]:
    """Fail if a figure of the test has a fault, unless the test is marked `faulty_figures`."""
    yield
    figures = [figure for figure in drawn_figures if figure.axes or figure.texts]
    drawn_figures.clear()
    if request.node.get_closest_marker("faulty_figures") is None:
        faults = [fault for figure in figures for fault in faults_of(figure)]
        assert not faults, "\n".join(faults)
