"""The page to explore in a browser: choices change all views, and selections are linked."""

import json

import pytest

from axe_case import DESKTOP, PHONE, show, violations, width
from chromium import Page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
READY = "document.documentElement.dataset.ready === 'yes'"


def rows_of(page, column):
    """Texts of a column of the table, from top to bottom."""
    cells = f"[...document.querySelectorAll('#policies tr')].map(row => row.children[{column}]"
    return page.value(f"{cells}.textContent)")


def points_of(page, chart):
    """Rows of the data that a chart draws, by policy."""
    rows = json.loads(page.value(f"JSON.stringify(views['{chart}'].data('rows'))"))
    return {row["scheduler"]: row for row in rows}


def choose(page, name, value):
    page.value("delete document.documentElement.dataset.ready")
    page.value(f"choice['{name}'].value = {json.dumps(value)}; choice['{name}'].dispatchEvent("
               "new Event('change', {bubbles: true}))")  # fmt: skip
    page.wait_for(READY)


@pytest.fixture
def page(explore_page):
    """The page, opened on a desktop."""
    with Page(DESKTOP, 900) as page:
        page.open(explore_page())
        yield page
        assert page.errors == []
        assert {url.partition(":")[0] for url in page.requests} <= {"file", "data", "blob"}


def shown(small_arena, log, metric):
    cells = small_arena.cells
    rows = cells[(cells["log"] == log) & (cells["metric"] == metric)]
    return rows.set_index("scheduler")


def test_choices_of_log_and_metric_change_the_charts_and_the_table(page, small_arena):
    before = rows_of(page, 1)
    for log, metric in (("Log A", "bsld"), ("Log <B>", "utilisation"), ("all logs", "wait")):
        choose(page, "log", log)
        choose(page, "metric", metric)
        cells = shown(small_arena, log, metric)
        assert rows_of(page, 0) == [
            f"{name} (yours)" if name == "mine" else name for name in cells.index
        ]
        hidden = page.value("document.getElementById('value').hidden")
        assert hidden == (log == "all logs")
        columns = "document.querySelector('#policies tr').children.length"
        assert page.value(columns) == 7 - hidden
        drawn = points_of(page, "ratios")
        for name, cell in cells.iterrows():
            assert drawn[name]["ratio"] == pytest.approx(cell["ratio"], abs=1e-6)
            assert drawn[name]["low"] == pytest.approx(cell["low"], abs=1e-6)
        count = f"{(cells['verdict'] == 'better').sum()} of {len(cells)} policies are better"
        assert count in page.value("document.getElementById('summary').textContent")
    assert rows_of(page, 1) == before


def test_ticked_policy_is_marked_in_every_chart_and_kept_in_the_address(page):
    box = "document.querySelector('[data-policy=SAF]')"
    page.value(f"{box}.focus(); {box}.click()")
    page.settle()
    for chart in ("ratios", "ranks", "pairs", "metrics", "logs"):
        drawn = points_of(page, chart)
        assert not drawn["SAF"]["dim"]
        assert drawn["SPF"]["dim"]
    assert "policies=SAF" in page.value("location.hash")
    assert page.value("document.activeElement.dataset.policy") == "SAF"
    page.value("document.getElementById('clear').click()")
    page.wait_for("!location.hash.includes('policies')")
    assert not points_of(page, "ranks")["SPF"]["dim"]


@pytest.mark.parametrize("upright", [True, False])
def test_rectangle_in_the_chart_of_two_metrics_selects_the_policies_inside(page, upright):
    """The rectangle is narrow around SAF in one direction, and holds all marks in the other."""
    page.value(
        "document.getElementById('pairs').scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    page.settle()
    places = marks_of(page, "pairs")
    names = list(points_of(page, "pairs"))
    own = places[names.index("SAF")]
    narrow, far = (0, 1) if upright else (1, 0)
    first, last = [0.0, 0.0], [0.0, 0.0]
    first[narrow], last[narrow] = own[narrow] - 12, own[narrow] + 12
    first[far] = min(place[far] for place in places) - 6
    last[far] = max(place[far] for place in places) + 6
    middle = [(a + b) / 2 for a, b in zip(first, last, strict=True)]
    page.mouse("mousePressed", *first, button="left", clickCount=1)
    for x, y in (middle, last):
        page.mouse("mouseMoved", x, y, button="left", buttons=1)
    page.mouse("mouseReleased", *last, button="left", clickCount=1)
    page.settle()
    inside = [
        name
        for name, place in zip(names, places, strict=True)
        if abs(place[narrow] - own[narrow]) < 12
    ]
    assert len(inside) < len(names)
    chosen = page.value("[...chosen]")
    assert set(chosen) == set(inside)
    assert page.value("document.querySelector('[data-policy=SAF]').checked")
    assert not points_of(page, "ratios")["SAF"]["dim"]


LINK = "document.querySelector('#schedules a')?.getAttribute('href').split('&')[0]"


def marks_of(page, chart):
    """Middles of the marks of a chart, in the order of its data."""
    marks = f"[...document.querySelectorAll('#{chart} .mark-symbol.role-mark path')]"
    middle = "({x, y, width, height}) => [x + width / 2, y + height / 2]"
    return page.value(f"{marks}.map(mark => ({middle})(mark.getBoundingClientRect()))")


def click_on(page, chart, number):
    place = f"document.getElementById('{chart}')"
    page.value(f"{place}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    page.settle()
    x, y = marks_of(page, chart)[number]
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseReleased", x, y, button="left", clickCount=1)
    page.settle()


IS_SHOWN = "document.getElementById('windows').getBoundingClientRect().height > 0"


def test_lines_of_a_log_go_when_all_logs_are_chosen_again(page):
    assert not page.value(IS_SHOWN)
    choose(page, "log", "Log A")
    assert page.value(IS_SHOWN)
    choose(page, "log", "all logs")
    assert not page.value(IS_SHOWN)
    words = "document.getElementById('schedules').textContent"
    assert page.value(words).startswith("Choose one log")


def test_windows_are_of_one_log_and_lead_to_its_schedules(page, small_arena):
    assert page.value("document.getElementById('windows').closest('.charts').hidden")
    assert page.value(LINK) is None
    choose(page, "log", "Log <B>")
    assert page.value(LINK) == "schedules/b.html#window=1"
    listed = page.value("[...document.getElementById('window').options].map(one => one.value)")
    assert listed == [str(number) for number in range(1, 9)]
    rows = json.loads(page.value("JSON.stringify(views.windows.data('rows'))"))
    windows = small_arena.windows
    wait = windows[(windows["log"] == "Log <B>") & (windows["metric"] == "wait")]
    expected = wait.set_index(["scheduler", "window"])["ratio"]
    # the first three policies of the table, without EASY
    names = [name.removesuffix(" (yours)") for name in rows_of(page, 0)]
    assert list(dict.fromkeys(row["scheduler"] for row in rows)) == names[:3]
    for row in rows:
        ratio = expected[row["scheduler"], row["window"]]
        assert row["ratio"] == pytest.approx(ratio, rel=1e-3)


def test_click_on_a_mark_chooses_its_window(page):
    choose(page, "log", "Log A")
    rows = json.loads(page.value("JSON.stringify(views.windows.data('rows'))"))
    click_on(page, "windows", 5)
    assert page.value("document.getElementById('window').value") == str(rows[5]["window"])
    assert page.value(LINK) == f"schedules/a.html#window={rows[5]['window']}"
    assert f"window={rows[5]['window']}" in page.value("location.hash")
    words = page.value("document.getElementById('schedules').textContent")
    for row in rows:
        if row["window"] == rows[5]["window"]:
            assert row["scheduler"] in words


def test_selected_policies_are_the_lines_of_windows_and_stay_with_the_window(explore_page):
    with Page(DESKTOP, 900) as page:
        page.open(explore_page(), "#log=Log+A&policies=SPF&policies=F1,+2+d&policies=none&window=4")
        assert windows_drawn(page) == {"SPF", "F1, 2 d"}
        assert page.value(LINK) == "schedules/a.html#window=4"
        rows = json.loads(page.value("JSON.stringify(views.windows.data('rows'))"))
        assert {row["window"] for row in rows if row["is_open"]} == {4}
        choose(page, "metric", "bsld")
        assert page.value(LINK) == "schedules/a.html#window=4"
        # the address opens the same again
        address = page.value("location.hash")
        assert "policies=SPF&policies=F1%2C+2+d&window=4" in address
        # a metric without windows, and back
        choose(page, "metric", "max_wait")
        assert page.value(LINK) is None
        choose(page, "metric", "wait")
        assert page.value(LINK) == "schedules/a.html#window=4"


def windows_drawn(page):
    """Policies with a line in the chart of windows."""
    return set(page.value("[...new Set(views.windows.data('rows').map(row => row.scheduler))]"))


def test_link_to_schedules_leads_back_and_names_what_is_there(explore_page):
    with Page(DESKTOP, 900) as page:
        page.open(explore_page(), "#log=Log+A&policies=SPF&policies=F1,+2+d&window=4")
        link = page.value("document.querySelector('#schedules a').hash.slice(1)")
        back = page.value(f"new URLSearchParams({json.dumps(link)}).get('back')")
        assert f"#{back}" == page.value("location.hash")
        words = page.value("document.getElementById('schedules').textContent")
        assert words.endswith("job by job (EASY; SAF; not SPF; F1, 2 d).")
        page.value("chosen.clear(); toggle('SAF')")
        words = page.value("document.getElementById('schedules').textContent")
        assert words.endswith("job by job (EASY; SAF).")


def test_window_that_the_log_lacks_becomes_the_first(explore_page):
    with Page(DESKTOP, 900) as page:
        page.open(explore_page(), "#log=Log+A&window=99")
        assert page.value("document.getElementById('window').value") == "1"
        assert page.value(LINK) == "schedules/a.html#window=1"


def test_chosen_window_stays_when_the_log_was_left(explore_page):
    with Page(DESKTOP, 900) as page:
        page.open(explore_page(), "#log=Log+A&window=4")
        page.value("openThe('6')")
        choose(page, "log", "all logs")
        choose(page, "log", "Log A")
        assert page.value(LINK) == "schedules/a.html#window=6"


def test_table_of_windows_has_the_ratios_and_a_dash_without_one(page, small_arena):
    def cells():
        rows = "[...document.querySelectorAll('#rows-of-windows tr')]"
        return page.value(f"{rows}.map(row => [...row.children].map(cell => cell.textContent))")

    # by this metric EASY's value is 0 in window 2, and SAF's in window 3
    page.value("{ const {ratios} = facts.windows['Log A'].wait; ratios.SAF[1] = null;"
               " ratios.SAF[2] = 0; chosen.add('SAF'); }")  # fmt: skip
    choose(page, "log", "Log A")
    wait = small_arena.windows.query("log == 'Log A' and metric == 'wait' and scheduler == 'SAF'")
    first = wait.set_index("window")["ratio"][1]
    assert cells()[0][0] == "1"
    assert float(cells()[0][1]) == pytest.approx(first, rel=0.01)
    assert cells()[1:3] == [["2", "–"], ["3", "0.00"]]
    page.value("openThe('2')")
    assert "Ratio to EASY: SAF –." in page.value("document.getElementById('schedules').textContent")
    page.value("openThe('3')")
    assert "SAF 0.00." in page.value("document.getElementById('schedules').textContent")
    # neither can be drawn on a logarithmic axis
    rows = json.loads(page.value("JSON.stringify(views.windows.data('rows'))"))
    assert {row["window"] for row in rows} == {1, 4, 5, 6, 7, 8}


def test_policy_that_did_not_run_on_the_log_has_no_line(explore_page):
    with Page(DESKTOP, 900) as page:
        page.open(explore_page(), "#log=Log+%3CB%3E&policies=EASY%2B%2B")
        assert page.value("document.getElementById('windows').closest('.charts').hidden")
        words = page.value("document.getElementById('schedules').textContent")
        assert "no selected policy ran on this log" in words
        # another selection brings the chart back
        page.value("delete document.documentElement.dataset.ready; toggle('EASY++')")
        page.wait_for(READY)
        assert not page.value("document.getElementById('windows').closest('.charts').hidden")
        assert len(windows_drawn(page)) == 3
        assert page.errors == []


def test_click_on_a_line_between_marks_keeps_the_window(page):
    choose(page, "log", "Log A")
    page.value("openThe('7')")
    scroll = "document.getElementById('windows').scrollIntoView"
    page.value(f"{scroll}({{block: 'center', behavior: 'instant'}})")
    page.settle()
    marks = marks_of(page, "windows")
    x, y = ((one + other) / 2 for one, other in zip(*marks[:2], strict=True))
    page.click(x, y)
    assert page.value(LINK) == "schedules/a.html#window=7"
    assert page.value("[...chosen]") == []


def test_published_numbers_are_those_of_the_chosen_table(page, board):
    def cells():
        rows = "[...document.querySelectorAll('#rows-of-numbers tr')]"
        return page.value(f"{rows}.map(row => [...row.children].map(cell => cell.textContent))")

    def scales():
        types = "['x', 'y'].map(axis => views.numbers.scale(axis).type)"
        return json.loads(page.value(f"JSON.stringify({types})"))

    assert cells() == [["FCFS", "200", "100", "explained"], ["SAF", "50.0", "50.04", "match"]]
    assert scales() == ["log", "log"]
    # the line of equal numbers ends at the largest one
    ends = "views.numbers.scenegraph().root.items[0].items.find(one => one.marktype === 'rule')"
    line = page.value(f"(({{x, y, x2, y2}}) => [x2 - x, y - y2])({ends}.items[0])")
    assert min(map(abs, line)) > 100
    # verdicts have the colors of all pages
    legend = "views.numbers.scale('color')"
    for grade, name in (("match", "--full-match"), ("explained", "--full-explained")):
        color = f"getComputedStyle(document.documentElement).getPropertyValue('{name}').trim()"
        made = "Object.assign(document.createElement('i').style, {color: COLOR}).color"
        assert page.value(made.replace("COLOR", color)) == page.value(f"{legend}('{grade}')")
    page.value("delete document.documentElement.dataset.ready")
    page.value("{ const list = document.getElementById('board'); list.value = 'one2020, Text';"
               " list.dispatchEvent(new Event('change')); }")  # fmt: skip
    page.wait_for(READY)
    assert cells() == [["gain", "-3", "-3.2", "match"]]
    assert scales() == ["linear", "linear"]
    # the axis does not reach zero
    assert page.value("views.numbers.scale('x').domain()[1]") < -2
    link = "document.querySelector('#rows-of-numbers a').getAttribute('href')"
    assert page.value(link) == "one2020/numbers-text.html#n-text-gain"


def test_numbers_named_after_a_selected_policy_are_highlighted(page):
    def dims():
        rows = json.loads(page.value("JSON.stringify(views.numbers.data('rows'))"))
        return {row["cell"]: row["dim"] for row in rows}

    assert dims() == {"FCFS": False, "SAF": False}
    page.value("document.querySelector('[data-policy=SAF]').click()")
    page.settle()
    assert dims() == {"FCFS": True, "SAF": False}
    page.value("document.querySelector('[data-policy=SAF]').click()")
    # no number is named after this one: none is faded
    page.value("document.querySelector('[data-policy=LPF]').click()")
    page.settle()
    assert dims() == {"FCFS": False, "SAF": False}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_page_is_accessible_and_as_wide_as_its_window(explore_page, size, scheme):
    with Page(size, 900) as page:
        show(page, explore_page(), scheme)
        page.wait_for(READY)
        page.settle()
        assert violations(page) == []
        assert width(page) <= size
        assert page.errors == []
