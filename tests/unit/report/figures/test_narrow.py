"""Figures laid out again for phones: the same panels and words, at the width of a column."""

import pytest
from matplotlib.colors import to_hex
from PIL import Image

from schedlab.report.figures.faults import faults_of
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.narrow import make_narrow
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, NARROW, WIDE, legend_below, save, titled
from schedlab.report.items import Group, Item, with_narrow

FINDING = "SAF has the shortest mean wait on both logs, and FCFS the longest one of all"
SETTING = "CTC and SDSC-SP2, fifteen windows of a week each, bounded slowdown"
NAMES = ("FCFS", "SAF", "EASY", "Conservative", "Filler", "LJF", "ASA, falling rates", "real Slurm")


@pytest.fixture
def figure(tmp_path):
    """A saved figure of two panels that share an axis, with a legend too wide for a column."""
    with titled(2.4, FINDING, SETTING) as drawn:
        panels = drawn.subplots(1, 2, sharey=True)
        for axes, log in zip(panels, ("CTC", "SDSC-SP2"), strict=True):
            for place, name in enumerate(NAMES):
                axes.bar(place, place + 1, color=COLORS[name], label=name)
            axes.set_title(log)
            axes.set_xticks([])
        panels[0].set_ylabel("mean wait [h]")
        legend_below(drawn, panels[0])
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
    return drawn


def test_panels_come_below_each_other_with_their_labels(figure, tmp_path):
    make_narrow(figure)
    save(figure, tmp_path / "narrow.pdf", tmp_path / "narrow.png")
    assert figure.get_figwidth() == NARROW
    upper, lower = (axes.get_position() for axes in figure.axes)
    assert upper.y0 > lower.y1
    assert upper.x0 == pytest.approx(lower.x0)
    assert [axes.get_ylabel() for axes in figure.axes] == ["mean wait [h]"] * 2
    assert [axes.get_title("left") for axes in figure.axes] == ["CTC", "SDSC-SP2"]
    assert not faults_of(figure, is_drawn=True)


def test_words_and_colors_stay(figure):
    make_narrow(figure)
    title = figure.get_suptitle()
    assert " ".join(title.split()) == FINDING
    assert len(title.splitlines()) > 3
    (setting,) = (text for text in figure.artists if " ".join(text.get_text().split()) == SETTING)
    assert len(setting.get_text().splitlines()) > 1
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(NAMES)
    width = legend.get_window_extent().width
    assert figure.bbox.width / 2 < width <= figure.bbox.width, "in several columns, and inside"
    shown = [to_hex(patch.get_facecolor()).lower() for patch in legend.get_patches()]
    assert shown == [to_hex(COLORS[name]).lower() for name in NAMES]


@pytest.mark.parametrize("is_narrow", [False, True])
def test_an_item_has_a_narrow_file_only_if_its_rule_names_one(figure, tmp_path, is_narrow):
    outputs = {f"fig_{suffix}": str(tmp_path / f"fig.{suffix}") for suffix in ("png", "pdf")}
    if is_narrow:
        outputs["fig_narrow.png"] = str(tmp_path / "fig.narrow.png")
    figure.set_layout_engine("constrained")
    Picture(figure).write("fig", outputs)
    widths = {path.name: Image.open(path).width for path in tmp_path.glob("*.png")}
    expected = {"fig.png": round(200 * WIDE)} | (
        {"fig.narrow.png": round(200 * NARROW)} if is_narrow else {}
    )
    assert widths == expected


@pytest.mark.parametrize(("names", "rotation"), [(9, 0), (10, 90)])
def test_many_names_below_a_panel_stand_upright(tmp_path, names, rotation):
    with titled(2, FINDING) as drawn:
        named, counted = drawn.subplots(1, 2)
        named.set_xticks(range(names), [f"L{place}" for place in range(names)])
        counted.set(xlim=(0, 30), xticks=range(0, 31, 2), xlabel="place")
        make_narrow(drawn)
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert {text.get_rotation() for text in named.get_xticklabels()} == {rotation}
    assert {text.get_rotation() for text in counted.get_xticklabels()} == {0}


def test_the_widest_panel_of_a_row_comes_first(tmp_path):
    with titled(3, FINDING) as drawn:
        panels = drawn.subplots(2, 2, width_ratios=(1, 2))
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
        make_narrow(drawn)
        save(drawn, tmp_path / "narrow.pdf", tmp_path / "narrow.png")
    heights = [axes.get_position().y0 for axes in panels[:, ::-1].ravel()]
    assert heights == sorted(heights, reverse=True)


def test_a_note_on_a_missing_log_only_gets_narrow():
    figure = log_not_available("CTC")
    make_narrow(figure)
    assert figure.get_size_inches().tolist() == [NARROW, 1.2]
    assert not figure.get_suptitle()


def test_a_figure_with_a_color_scale_keeps_its_layout(tmp_path):
    with titled(2, FINDING) as drawn:
        for axes in drawn.subplots(1, 2):
            axes.imshow([[1, 2], [3, 4]])
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
        make_narrow(drawn)
        save(drawn, tmp_path / "narrow.pdf", tmp_path / "narrow.png")
    assert (tmp_path / "narrow.png").read_bytes() == (tmp_path / "fig.png").read_bytes()


def test_panels_of_a_row_with_other_labels_keep_them(tmp_path):
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 3)
        panels[0].set_ylabel("mean wait [h]")
        panels[1].set_ylabel("utilization [%]")
        make_narrow(drawn)
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert [axes.get_ylabel() for axes in panels] == ["mean wait [h]", "utilization [%]", ""]


def test_a_figure_for_phones_is_one_of_the_study():
    group = Group("draw_waits", "Waits", [Item("fig1", "figure"), Item("waits")])
    assert [with_narrow([group], "")[0].items[0].kind] == ["figure"]
    with pytest.raises(ValueError, match="'waits', to be drawn for phones, is no figure"):
        with_narrow([group], "waits")
