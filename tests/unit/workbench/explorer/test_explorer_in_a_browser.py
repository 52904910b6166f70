"""The page of schedules in a browser: 100,000 jobs, frame times, and a job's details.

What is measured is recorded and never asserted: how long a frame takes is of the machine.
"""

import json

import numpy as np
import pytest

from chromium import Page
from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import bounded_slowdown
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.explorer import write_explorer

pytestmark = pytest.mark.xdist_group("browser")

MANY, PROCESSORS = 100_000, 512
# Lanes: job 4 starts with job 3 under FCFS, ends first and gets processor 0, job 3 the next one;
FEW = Jobs([1, 2, 3, 4], [0, 10, 20, 30], [100, 50, 60, 20], [120, 50, 70, 20], [2, 4, 1, 1])
FCFS = Schedule(np.array([0, 100, 150, 150]), np.array([100, 150, 210, 170]))
SPT = Schedule(np.array([0, 100, 20, 30]), np.array([100, 150, 80, 50]))


@pytest.fixture(scope="module")
def page_of_few_jobs(tmp_path_factory):
    path = tmp_path_factory.mktemp("few") / "few.html"
    write_explorer(path, FEW, {"FCFS": FCFS, "SPT": SPT}, 4, title="Few", users=np.array([7] * 4))
    return path


@pytest.fixture(scope="module")
def page_of_many_jobs(tmp_path_factory):
    """The page of 100,000 jobs, with its jobs and schedules."""
    rng = np.random.default_rng(5)
    submit = np.sort(rng.integers(0, 120 * 86_400, MANY))
    runtime = np.ceil(rng.lognormal(7, 1.8, MANY)).clip(1, 86_400).astype(int)
    procs = np.minimum(2 ** rng.integers(0, 9, MANY), PROCESSORS)
    procs[runtime > 20_000] = 4
    jobs = Jobs(np.arange(MANY) * 2 + 1, submit, runtime, 2 * runtime, procs)
    schedules = {
        get(name).label: simulate(Run(jobs, PROCESSORS, get(name), reservations="head"))
        for name in ("fcfs", "f1")
    }
    path = tmp_path_factory.mktemp("many") / "many.html"
    write_explorer(path, jobs, schedules, PROCESSORS, title="Many")
    return path, jobs, schedules


def panel_values(page):
    """The panel about a job: by field, the values of its schedules."""
    found = {}
    for field, value in page.value(
        "[...document.querySelectorAll('#autopsy td[data-field]')]"
        ".map(cell => [cell.dataset.field, Number(cell.dataset.value)])"
    ):
        found.setdefault(field, []).append(value)
    return found


def expected_values(jobs, schedule, processors, j):
    """The same from the arrays, by the words' definitions."""
    start, end, came = schedule.start, schedule.end, jobs.submit[j]
    places = np.arange(len(jobs))
    waited = (places < j) & (start > came)
    others = places != j
    times = np.unique(np.concatenate([[came], start, end]))
    times = times[(times >= came) & (times < start[j])]
    spans = np.diff(np.append(times, start[j])) if len(times) else []
    free = [
        processors - jobs.procs[(start <= at) & (end > at) & others].sum() for at in times.tolist()
    ]
    room = sum(span for span, each in zip(spans, free, strict=True) if each >= jobs.procs[j])
    return {
        "start": start[j] - jobs.submit[0],
        "end": end[j] - jobs.submit[0],
        "wait": start[j] - came,
        "slowdown": bounded_slowdown(jobs, schedule)[j],
        "free": processors - jobs.procs[(start <= came) & (end > came) & others].sum(),
        "queue": waited.sum(),
        "ahead": (waited & (start <= start[j])).sum(),
        "overtaken": (waited & (start > start[j])).sum(),
        "overtakers": ((places > j) & (start < start[j])).sum(),
        "room": room,
    }


def place_of(page, pane, instant, lane):
    """Point of the window at which an instant and a processor are drawn, all of FEW in sight."""
    frame = page.value(
        f"(({{x, y, width, height}}) => [x, y, width, height])"
        f"(document.querySelectorAll('.pane canvas')[{pane}].getBoundingClientRect())"
    )
    x, y, width, height = frame
    strip = 24 if height > 180 else 12
    margin = 2.1
    across = (instant + margin) / (210 + 2 * margin) * (width - 48)
    top, tall = strip + 3, height - strip - 3 - 19
    return x + 44 + across, y + top + tall * (1 - (lane + 0.5) / 4)


@pytest.mark.slow
def test_click_shows_why_a_job_waited_under_every_schedule(page_of_few_jobs):
    """By hand: job 3 waits for job 2 under FCFS, where the machine's other half stands free."""
    with Page() as page:
        page.open(page_of_few_jobs)
        page.click(*place_of(page, 0, 180, 1))
        assert page.value("document.getElementById('autopsy').dataset.job") == "3"
        found = panel_values(page)
        text = page.value("document.getElementById('autopsy').innerText")
        assert page.errors == []
    assert {name: found[name] for name in ("submit", "procs", "runtime", "estimate", "user")} == {
        "submit": [20],
        "procs": [1],
        "runtime": [60],
        "estimate": [70],
        "user": [7],
    }
    assert found["start"] == [150, 20]
    assert found["end"] == [210, 80]
    assert found["wait"] == [130, 0]
    assert found["slowdown"] == [pytest.approx(190 / 60), 1]
    assert found["free"] == [2, 2]
    assert found["queue"] == [1, 1]
    assert found["ahead"] == [1, 0]
    assert found["overtaken"] == [0, 1]
    assert found["overtakers"] == [0, 0]
    assert found["room"] == [80, 0]  # from 20 to 100, next to job 1
    assert "Under SPT it starts 2 min 10 s earlier than under FCFS." in text
    assert "2 of 4 processors were free when it came, enough for its 1" in text
    assert "In front of it went 1 job that waited already (0.1 core-hours)." in text
    assert "for 1 min 20 s of its wait enough processors stood free, first at d 0, 00:00:20" in text
    assert "It started as 1 job ended and freed 4 processors." in text


@pytest.mark.slow
def test_the_same_job_is_marked_in_both_panes_and_links_lead_on(page_of_few_jobs):
    with Page() as page:
        page.open(page_of_few_jobs)
        page.click(*place_of(page, 1, 50, 0))
        assert page.value("document.getElementById('autopsy').dataset.job") == "1"
        marked = (
            "[...document.querySelectorAll('.pane canvas')].map(canvas => {"
            "const pixels = canvas.getContext('2d', {willReadFrequently: true})"
            ".getImageData(0, 0, canvas.width, canvas.height).data; let n = 0;"
            "for (let i = 0; i < pixels.length; i += 4)"
            " n += pixels[i] === 179 && pixels[i + 1] === 0 && pixels[i + 2] === 107; return n; })"
        )
        assert all(count > 100 for count in page.value(marked))
        page.key("n")
        assert page.value("document.getElementById('autopsy').dataset.job") == "2"
        page.value("document.querySelector('#autopsy .list a').click()")
        assert page.value("document.getElementById('autopsy').dataset.job") == "3"
        page.key("Escape")
        assert page.value("document.getElementById('autopsy').hidden")
        assert page.value(marked) == [0, 0]


@pytest.mark.slow
def test_address_and_list_show_a_window_and_keys_begin_in_it(tmp_path):
    submit = np.array([0, 10_000, 20_000, 30_000])
    jobs = Jobs([1, 2, 3, 4], submit, [100] * 4, [100] * 4, [1] * 4)
    windows = {"1": (8_000, 18_000), "2": (18_000, 28_000)}
    write_explorer(tmp_path / "far.html", jobs, {"FCFS": Schedule(submit, submit + 100)}, 4,
                   title="Far apart", windows=windows,
                   back=("../explore.html#log=A", "Explore"))  # fmt: skip
    with Page() as page:
        page.open(tmp_path / "far.html", "#window=2&back=log%3DA%26policies%3DF1%252C+2+d")
        link = page.value("document.querySelector('.title a').getAttribute('href')")
        assert link.endswith("explore.html#log=A&policies=F1%2C%202%20d")
        assert page.value("document.getElementById('window').value") == "2"
        assert page.value("document.getElementById('status').textContent").startswith(
            "2 h 46 min in sight from d 0, 05:00:00"
        )
        page.key("n")
        assert page.value("document.getElementById('autopsy').dataset.job") == "3"
        choose = (
            "{ const list = document.getElementById('window'); list.value = '1';"
            " list.dispatchEvent(new Event('change')); }"
        )
        page.value(choose)
        page.settle()
        assert page.value("location.hash") == "#window=1"
        assert "from d 0, 02:13:20" in page.value("document.getElementById('status').textContent")
        page.key("0")
        page.settle()
        # everything is in sight: no window is chosen any more, and it can be chosen again
        assert page.value("location.hash") == ""
        assert page.value("document.getElementById('window').value") == ""
        page.value(choose)
        page.settle()
        assert page.value("document.getElementById('window').value") == "1"
        assert page.errors == []
    with Page() as page:
        page.open(tmp_path / "far.html", "#window=9")
        link = page.value("document.querySelector('.title a').getAttribute('href')")
        assert link == "../explore.html#log=A"
        assert "8 h 31 min in sight" in page.value("document.getElementById('status').textContent")
        assert page.errors == []


@pytest.mark.slow
def test_many_jobs_are_panned_and_zoomed_and_frames_are_measured(
    page_of_many_jobs, record_property
):
    path, jobs, schedules = page_of_many_jobs
    with Page() as page:
        page.open(path, "#bench=1")
        found = json.loads(page.value("document.documentElement.dataset.bench"))
        assert page.errors == []
        assert [url.split(":")[0] for url in page.requests] == ["file"]
        for j in (0, 20_000, 54_321, int(np.argmax(schedules["FCFS"].start - jobs.submit))):
            page.value(f"document.getElementById('number').value = '{jobs.number[j]}'")
            page.value("document.querySelector('#find button').click()")
            values = panel_values(page)
            for place, schedule in enumerate(schedules.values()):
                for field, value in expected_values(jobs, schedule, PROCESSORS, j).items():
                    assert values[field][place] == pytest.approx(value), (j, place, field)
        before = page.value("document.getElementById('status').textContent")
        for _ in range(3):
            page.mouse("mouseWheel", 600, 250, deltaX=0, deltaY=-200)
        page.settle()
        after = page.value("document.getElementById('status').textContent")
        assert after != before
        page.mouse("mousePressed", 600, 250, button="left", clickCount=1)
        page.mouse("mouseMoved", 400, 250, button="left", buttons=1)
        page.mouse("mouseReleased", 400, 250, button="left", clickCount=1)
        page.settle()
        assert page.value("document.getElementById('status').textContent") != after
        page.value("document.getElementById('number').value = '2'")
        page.value("document.querySelector('#find button').click()")
        assert "There is no job 2" in page.value("document.getElementById('status').textContent")
        assert page.errors == []
    record_property("frames", found)
    print(found)
    for kind in ("apart", "boxes", "columns"):
        assert found[kind]["frames"] > 30
        assert found[kind]["most"] >= found[kind]["median"] > 0


@pytest.mark.slow
def test_the_page_is_whole_on_a_phone_and_fingers_zoom(page_of_many_jobs):
    with Page(390, 844, touch=True) as page:
        page.open(page_of_many_jobs[0])
        assert page.value("document.documentElement.scrollWidth") == 390
        whole = page.value("document.getElementById('status').textContent")
        page.touch("touchStart", (150, 350), (200, 350))
        for step in range(1, 6):
            page.touch("touchMove", (150 - 20 * step, 350), (200 + 20 * step, 350))
        page.touch("touchEnd")
        page.settle()
        assert page.value("document.getElementById('status').textContent") != whole
        for button in ("closer", "farther", "everything"):
            page.value(f"document.getElementById('{button}').click()")
        page.settle()
        assert page.value("document.getElementById('status').textContent") == whole
        page.value("document.getElementById('number').value = '40001'")
        page.value("document.querySelector('#find button').click()")
        panel = page.value("document.getElementById('autopsy').getBoundingClientRect().toJSON()")
        assert (panel["left"], panel["right"], panel["bottom"]) == (0, 390, 844)
        assert page.value("document.getElementById('autopsy').scrollWidth") <= 390
        panes = page.value("document.getElementById('panes').getBoundingClientRect().bottom")
        assert panes <= panel["top"]
        assert page.errors == []


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "paper"), [("dark", "rgb(20, 24, 27)"), ("light", None)])
def test_the_page_is_as_dark_as_the_reader_has_it(page_of_few_jobs, scheme, paper):
    with Page() as page:
        page.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        page.open(page_of_few_jobs)
        shown = page.value("getComputedStyle(document.body).backgroundColor")
        assert shown == (paper or "rgb(255, 255, 255)")
        page.value("document.getElementById('theme').click()")
        assert page.value("getComputedStyle(document.body).backgroundColor") != shown
        assert page.errors == []
