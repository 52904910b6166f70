"""Places of functions in the sources."""

from pathlib import Path

from schedlab.report.sources import places_of

MODULE = "schedlab.studies.carastan2017.items.table4_comparison"


def test_places_are_the_maker_and_the_functions_of_its_study(root):
    places = {place.function: place for place in places_of(MODULE)}
    assert list(places) == ["make", "read_table4", "compare_table4", "rank_table4"]
    assert places["make"].file == f"src/{MODULE.replace('.', '/')}.py"
    for place in places.values():
        lines = Path(root, place.file).read_text(encoding="utf-8").splitlines()
        assert lines[place.first - 1].startswith(f"def {place.function}(")
        assert lines[place.last - 1].startswith("    ")


def test_functions_of_modules_are_found_by_their_attribute():
    names = [place.function for place in places_of("schedlab.studies.kellari2025.items.comparison")]
    assert {"make", "compare_table6", "compare_correlations"} <= set(names)


def test_module_without_a_maker_has_no_places():
    assert places_of("schedlab.studies.carastan2017.items.index") == []
    assert places_of("schedlab.studies.carastan2017.items.unknown") == []
