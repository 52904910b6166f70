"""Figures laid out again for phones: the same panels and words, at the width of a column."""

import pytest
from matplotlib.colors import to_hex
from PIL import Image

from schedlab.report.figures import narrow
from schedlab.report.figures.faults import faults_of
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.narrow import narrow_layouts
from schedlab.report.figures.picture import save
from schedlab.report.figures.style import COLORS, NARROW, WIDE, legend_below, save_one, titled
from schedlab.report.pictures import inlined

FINDING = "SAF has the shortest mean wait on both logs, and FCFS the longest one of all"
SETTING = "CTC and SDSC-SP2, fifteen windows of a week each, bounded slowdown"
NAMES = ("FCFS", "SAF", "EASY", "Conservative", "Filler", "LJF", "ASA, falling rates", "real Slurm")


def make_narrow(figure) -> bool:
    """Lay out a figure in all ways, in the last one below each other; return whether it has one."""
    return bool(list(narrow_layouts(figure)))


def first_layout(figure):
    """Lay out a figure in the first way, and return its panels' places by rows, from above."""
    next(narrow_layouts(figure))
    rows = {}
    for axes in figure.axes:
        place = axes.get_position()
        rows.setdefault(round(place.y0, 3), []).append((round(place.x0, 3), axes))
    return [[axes for _, axes in sorted(rows[y], key=lambda one: one[0])]
            for y in sorted(rows, reverse=True)]  # fmt: skip


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
        save_one(drawn, tmp_path / "fig.png")
    return drawn


def test_panels_come_below_each_other_with_their_labels(figure, tmp_path):
    make_narrow(figure)
    save_one(figure, tmp_path / "narrow.png")
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


def test_the_png_records_the_narrow_variant(figure, tmp_path):
    figure.set_layout_engine("constrained")
    save(figure, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["fig.pdf", "fig.png"]
    with Image.open(tmp_path / "fig.png") as wide:
        assert wide.width == 200 * WIDE
        assert wide.info["Title"] == FINDING
    made = inlined(tmp_path / "fig.png")
    assert made["narrow"]["width"] == round(0.65 * 200 * NARROW)
    assert made["narrow"]["height"] > made["height"]


def test_a_variant_with_faults_is_not_kept(tmp_path, caplog):
    """Fifty names have space next to each other on a page, and none in a column."""
    caplog.set_level("INFO", "schedlab")
    with titled(3, FINDING) as drawn:
        names = [f"L{place}" for place in range(50)]
        axes = drawn.subplots()
        axes.set_xticks(range(50), names, rotation=90)
        axes.set_xlim(-1, 50)
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
        drawn.clear()
    assert inlined(tmp_path / "fig.png")["narrow"] is None
    (record,) = caplog.records
    assert record.getMessage().startswith("fig has the same layout on phones: labels of ticks")


@pytest.mark.parametrize(("letters", "rotation"), [(2, 0), (9, 90)])
def test_names_below_a_panel_that_would_touch_stand_upright(tmp_path, letters, rotation):
    with titled(2, FINDING) as drawn:
        named, counted = drawn.subplots(1, 2)
        named.set_xticks(range(6), ["n" * letters] * 6)
        counted.set(xlim=(0, 30), xticks=range(0, 31, 5), xlabel="place")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "fig.png")
    assert {text.get_rotation() for text in named.get_xticklabels()} == {rotation}
    assert {text.get_rotation() for text in counted.get_xticklabels()} == {0}


def test_the_widest_panel_of_a_row_comes_first(tmp_path):
    with titled(3, FINDING) as drawn:
        panels = drawn.subplots(2, 2, width_ratios=(1, 2))
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "narrow.png")
    heights = [axes.get_position().y0 for axes in panels[:, ::-1].ravel()]
    assert heights == sorted(heights, reverse=True)


def test_panels_stay_as_high_as_they_were(figure):
    before = [axes.get_window_extent().height / figure.dpi for axes in figure.axes]
    make_narrow(figure)
    figure.draw_without_rendering()
    after = [axes.get_window_extent().height / figure.dpi for axes in figure.axes]
    assert after == pytest.approx(before, abs=0.05)


def test_panels_of_a_subfigure_stay_together(tmp_path):
    with titled(3, FINDING) as drawn:
        left, right = drawn.subfigures(1, 2, width_ratios=(3, 1))
        panels = [*left.subplots(2, 1), right.subplots()]
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "narrow.png")
    heights = [axes.get_position().y0 for axes in panels]
    assert heights == sorted(heights, reverse=True)


def test_empty_places_of_the_grid_take_no_space(tmp_path):
    with titled(3, FINDING) as drawn:
        panels = drawn.subplots(2, 2)
        panels[1, 1].set_axis_off()
        panels[1, 0].set_axis_off()
        panels[1, 0].text(0.5, 0.5, "a note")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "narrow.png")
    assert drawn.axes == [*panels[0], panels[1, 0]]


def test_long_words_of_a_panel_stay_inside(tmp_path):
    """Names along y leave little space for the title, the label of x and the legend."""
    words = "number with the choice changed over the number as it was configured"
    with titled(2, FINDING) as drawn:
        axes = drawn.subplots()
        axes.plot([1, 2], [0, 1], label=words)
        axes.set_yticks([0, 1], ["equal priorities by submission", "the whole queue"])
        axes.set(title=words, xlabel=words)
        legend_below(drawn, axes)
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "narrow.png")
    assert faults_of(drawn, is_drawn=True) == []
    assert " ".join(axes.get_xlabel().split()) == words


def test_a_note_on_a_missing_log_gets_narrow():
    figure = log_not_available("the published score distribution or its workload")
    assert make_narrow(figure)
    assert figure.get_size_inches().tolist() == [NARROW, 1.2]
    assert not figure.get_suptitle()
    assert len(figure.texts[0].get_text().splitlines()) == 2


def test_a_figure_with_a_color_scale_keeps_its_layout(tmp_path):
    with titled(2, FINDING) as drawn:
        for axes in drawn.subplots(1, 2):
            axes.imshow([[1, 2], [3, 4]])
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
    assert drawn.get_figwidth() == WIDE
    assert inlined(tmp_path / "fig.png")["narrow"] is None


def test_panels_of_a_row_with_other_labels_keep_them(tmp_path):
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 3)
        panels[0].set_ylabel("mean wait [h]")
        panels[1].set_ylabel("utilization [%]")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "fig.png")
    assert [axes.get_ylabel() for axes in panels] == ["mean wait [h]", "utilization [%]", ""]


def test_a_panel_with_names_or_a_label_of_its_own_keeps_them(tmp_path):
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 4)
        panels[0].set_ylabel("mean wait [h]", rotation=0, ha="right")
        panels[1].set_yticks([0, 1], ["FCFS", "SAF"])
        panels[2].xaxis.tick_top()
        make_narrow(drawn)
        save_one(drawn, tmp_path / "fig.png")
    assert [axes.get_ylabel() for axes in panels] == ["mean wait [h]", "", *["mean wait [h]"] * 2]
    assert panels[0].yaxis.label.get_ha() == "right"
    below = [axes.xaxis.get_tick_params()["labelbottom"] for axes in panels]
    assert below == [True, True, False, True]


def drawn_panels(tmp_path, rows, columns, **shared):
    """A figure of panels whose labels of y are at the left, and its panels."""
    with titled(1.5 * rows, FINDING) as drawn:
        panels = drawn.subplots(rows, columns, squeeze=False, **shared)
        for number, axes in enumerate(panels.ravel()):
            axes.plot([0, 1], [0, 1 if "sharey" in shared else 10**number])
        for axes in panels[:, 0]:
            axes.set_ylabel("mean wait [h]")
        save_one(drawn, tmp_path / "fig.png")
    return drawn, panels


def test_panels_that_share_y_come_in_pairs_with_one_label_a_row(tmp_path):
    drawn, panels = drawn_panels(tmp_path, 1, 3, sharey=True)
    before = [axes.get_window_extent().height for axes in panels.ravel()]
    first, second, third = panels.ravel()
    assert first_layout(drawn) == [[first, second], [third]]
    assert [axes.yaxis.label.get_visible() for axes in panels.ravel()] == [True, False, True]
    named = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels.ravel()]
    assert named == [True, False, True]
    assert third.get_position().width > 2 * first.get_position().width
    save_one(drawn, tmp_path / "narrow.png")
    after = [axes.get_window_extent().height for axes in panels.ravel()]
    assert after == pytest.approx([0.8 * height for height in before], rel=0.05)
    assert faults_of(drawn, is_drawn=True) == []


def test_panels_that_share_only_x_are_paired_within_their_row(tmp_path):
    drawn, panels = drawn_panels(tmp_path, 2, 3, sharex=True)
    pairs = first_layout(drawn)
    assert pairs == [list(row[part]) for row in panels for part in (slice(2), slice(2, 3))]
    named = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels.ravel()]
    assert named == [True] * 6, "each has a scale of its own"


def test_panels_that_share_nothing_and_notes_have_one_layout(tmp_path):
    drawn, panels = drawn_panels(tmp_path, 1, 2)
    assert len(list(narrow_layouts(drawn))) == 1
    drawn, panels = drawn_panels(tmp_path, 1, 2, sharey=True)
    panels[0, 1].set_axis_off()
    panels[0, 1].text(0.5, 0.5, "a note")
    assert len(list(narrow_layouts(drawn))) == 1


@pytest.mark.parametrize(("letters", "in_pairs"), [(1, True), (8, False)])
def test_pairs_with_faults_are_laid_out_below_each_other(tmp_path, letters, in_pairs):
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 2, sharey=True)
        for axes in panels:
            axes.set_xticks(range(4), ["n" * letters] * 4)
        save(drawn, tmp_path / "fig.pdf", tmp_path / "fig.png")
    one, other = (axes.get_position() for axes in panels)
    assert (one.y0 == pytest.approx(other.y0)) == in_pairs
    assert inlined(tmp_path / "fig.png")["narrow"]


def layouts_within(drawn, tallest):
    """Height of the figure, and of each panel, in each layout."""
    panels, layouts = drawn.axes, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrow, "TALLEST", tallest)
        for _ in narrow_layouts(drawn):
            drawn.draw_without_rendering()
            height = drawn.get_figheight()
            layouts.append((height, [axes.get_position().height * height for axes in panels]))
    return layouts


def own_height(tmp_path, rows, columns):
    """Inches of the only layout of panels if it may be as tall as it is."""
    drawn, _ = drawn_panels(tmp_path, rows, columns)
    return layouts_within(drawn, 99)[-1]


@pytest.mark.parametrize(("spare", "count"), [(0.01, 1), (-0.1, 2)])
def test_panels_are_lower_only_in_a_layout_that_would_be_too_tall(tmp_path, spare, count):
    """The last layout has panels as high as they were, for one whose lower panels have faults."""
    height, before = own_height(tmp_path, 3, 1)
    drawn, _ = drawn_panels(tmp_path, 3, 1)
    layouts = layouts_within(drawn, height + spare)
    assert len(layouts) == count
    first, lower = layouts[0]
    assert first == pytest.approx(height + min(spare, 0), abs=0.03)
    assert sum(lower) == pytest.approx(sum(before) + min(spare, 0), abs=0.03)
    assert layouts[-1][1] == pytest.approx(before, abs=0.03)


@pytest.mark.parametrize(("loss", "in_pairs"), [(0.28, False), (0.32, True)])
def test_panels_of_a_row_are_in_pairs_if_lower_ones_are_too_tall(
    tmp_path, monkeypatch, loss, in_pairs
):
    height, before = own_height(tmp_path, 2, 2)
    monkeypatch.setattr(narrow, "TALLEST", height - loss * sum(before))
    drawn, panels = drawn_panels(tmp_path, 2, 2)
    pairs = [list(row) for row in panels]
    assert first_layout(drawn) == (pairs if in_pairs else [[axes] for axes in panels.ravel()])
    named = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels.ravel()]
    assert named == [True] * 4, "each has a scale of its own"
    save_one(drawn, tmp_path / "narrow.png")
    assert faults_of(drawn, is_drawn=True) == []


@pytest.mark.parametrize(
    ("second", "shown"),
    [(["FCFS", "SAF"], [True, False]), (["FCFS", "F1"], None), ([], [True, True])],
)
def test_tight_pairs_have_the_same_names_once(tmp_path, monkeypatch, second, shown):
    """Two panels with other names along y have no space next to each other."""
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 2)
        panels[0].set_yticks([0, 1], ["FCFS", "SAF"])
        if second:
            panels[1].set_yticks([0, 1], second)
        save_one(drawn, tmp_path / "fig.png")
    monkeypatch.setattr(narrow, "TALLEST", 1.0)
    rows = first_layout(drawn)
    assert rows == ([list(panels)] if shown else [[axes] for axes in panels])
    if shown:
        assert [axes.yaxis.get_tick_params()["labelleft"] for axes in panels] == shown


def test_layouts_that_are_too_tall_end_with_panels_as_high_as_they_were(tmp_path):
    _, before = own_height(tmp_path, 2, 2)
    drawn, _ = drawn_panels(tmp_path, 2, 2)
    layouts = [panels for _, panels in layouts_within(drawn, 1.0)]
    shares = [[own / full for own, full in zip(panels, before, strict=True)] for panels in layouts]
    assert shares == [pytest.approx([share] * 4, abs=0.03) for share in (0.7, 0.7, 1)]


def test_names_stand_upright_in_tight_pairs(tmp_path, monkeypatch):
    with titled(2, FINDING) as drawn:
        panels = drawn.subplots(1, 2)
        for axes in panels:
            axes.set_xticks(range(5), ["n" * 5] * 5)
        save_one(drawn, tmp_path / "fig.png")
    monkeypatch.setattr(narrow, "TALLEST", 1.0)
    assert first_layout(drawn) == [list(panels)]
    assert {text.get_rotation() for axes in panels for text in axes.get_xticklabels()} == {90}


@pytest.mark.parametrize(("letters", "lines"), [(44, 1), (50, 2)])
def test_a_word_is_broken_only_if_it_is_much_too_long(tmp_path, letters, lines):
    with titled(2, FINDING) as drawn:
        axes = drawn.subplots()
        axes.set_title("i" * letters)
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
    assert len(axes.get_title("left").splitlines()) == lines


@pytest.mark.parametrize(("count", "lines"), [(30, {1}), (44, {2})])
def test_names_are_wrapped_only_next_to_a_panel_that_is_not_wide(tmp_path, count, lines):
    """Names of 30 letters leave 1.2 inches, names of 44 would leave half of one."""
    name = " ".join(["nnnn"] * (count // 5)) + "nnnn"
    with titled(3, FINDING) as drawn:
        axes = drawn.subplots()
        axes.set_yticks(range(4), [name] * 4)
        axes.plot([0, 1], [0, 3])
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
        save_one(drawn, tmp_path / "narrow.png")
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert {len(label.splitlines()) for label in labels} == lines
    assert {" ".join(label.split()) for label in labels} == {name}
    drawn.draw_without_rendering()
    assert axes.get_position().width * NARROW > 1.0
    assert faults_of(drawn, is_drawn=True) == []


def test_names_next_to_a_pair_are_not_wrapped(tmp_path):
    """Its panels are less wide than an inch, and share their names."""
    with titled(3, FINDING) as drawn:
        panels = drawn.subplots(1, 2, sharey=True)
        panels[0].set_yticks(range(2), ["nnnnn nnnnn nnnnn nnnnn"] * 2)
        save_one(drawn, tmp_path / "fig.png")
    assert first_layout(drawn) == [list(panels)]
    assert panels[0].get_position().width * NARROW < 1.0
    assert {text.get_text() for text in panels[0].get_yticklabels()} == {"nnnnn nnnnn nnnnn nnnnn"}


def test_a_legend_keeps_its_title(tmp_path):
    title = "against first fit; lines: 95 % intervals of paired changes"
    with titled(2, FINDING) as drawn:
        lines = [drawn.subplots().plot([0, 1], label="a")[0]]
        drawn.legend(handles=lines, loc="outside lower center", title=title)
        save_one(drawn, tmp_path / "fig.png")
        make_narrow(drawn)
    (legend,) = drawn.legends
    shown = legend.get_title().get_text()
    assert " ".join(shown.split()) == title
    assert len(shown.splitlines()) == 2
