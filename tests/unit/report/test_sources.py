"""Places of functions in the sources."""

from pathlib import Path

from schedlab.report.sources import places_of

MAKER = "schedlab.studies.legrand2018.evidence:make_evidence"


def test_places_are_the_function_and_those_of_its_study_that_it_calls(root):
    places = {place.function: place for place in places_of(MAKER)}
    assert list(places) == ["make_evidence", "evidence", "threshold_label"]
    assert places["make_evidence"].file == "src/schedlab/studies/legrand2018/evidence.py"
    for place in places.values():
        lines = Path(root, place.file).read_text(encoding="utf-8").splitlines()
        assert lines[place.first - 1].startswith((f"def {place.function}(", "@item("))
        assert lines[place.last - 1].startswith("    ")


def test_functions_of_modules_are_found_by_their_attribute():
    made = places_of("schedlab.studies.kellari2025.means:compare_table6")
    assert {"compare_table6", "compare_correlations"} <= {one.function for one in made}


def test_what_is_not_there_has_no_places():
    assert places_of("") == []
    assert places_of("schedlab.studies.legrand2018.tables:unknown") == []
    assert places_of("schedlab.studies.legrand2018.unknown:table1") == []
