"""Configuration and sheets: valid files, and the errors of invalid ones."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from schedlab.files.config import (
    DURATION,
    ConfigError,
    load,
    read_schema,
    read_sheet,
    read_yaml,
    validate,
)
from schedlab.files.config_files import DEEPEST
from schedlab.slurm import workflow_file

ROOT = Path(__file__).parents[3]

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["source"],
    "properties": {
        "source": {"enum": ["logs", "models"]},
        "download": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"retries": {"type": "integer", "minimum": 0}},
        },
        "groups": {"type": "array", "items": {"type": "string"}},
    },
}

ROW = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "procs"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "procs": {"type": "integer", "minimum": 1},
        "jobs": {"type": ["integer", "null"]},
        "tau": {"type": "number"},
        "clean": {"type": "boolean"},
        "skip": {"type": "array", "items": {"type": "integer"}},
    },
}


@pytest.fixture
def config_file(tmp_path):
    """Write a config file and its schema; return both paths."""

    def write(text):
        path, schema = tmp_path / "config.yaml", tmp_path / "config.schema.yaml"
        path.write_text(text)
        schema.write_text(yaml.safe_dump(SCHEMA))
        return path, schema

    return write


@pytest.fixture
def sheet(tmp_path):
    """Write a sheet given as rows of cells, with its schema; return both paths."""

    def write(*rows):
        path, schema = tmp_path / "sheet.tsv", tmp_path / "sheet.schema.yaml"
        path.write_text("".join("\t".join(row.split()) + "\n" for row in rows))
        schema.write_text(yaml.safe_dump(ROW))
        return path, schema

    return write


def test_load_returns_the_data_of_a_valid_file(config_file):
    path, schema = config_file("source: logs\n")
    assert load(path, read_yaml(schema)) == {"source": "logs"}


def test_unknown_key_is_reported_with_the_nearest_one(config_file):
    path, schema = config_file("source: logs\ndownlod: {}\n")
    with pytest.raises(
        ConfigError, match="unknown key 'downlod'; did you mean 'download'"
    ) as error:
        load(path, read_yaml(schema))
    assert str(path) in str(error.value)


def test_unknown_key_unlike_any_other_is_reported_with_all_known_ones():
    with pytest.raises(ConfigError, match=r"unknown key 'zzz'; one of source, download, groups$"):
        validate({"source": "logs", "zzz": 1}, SCHEMA, "here")


def test_error_names_the_path_of_a_nested_key():
    data = {"source": "logs", "download": {"retries": -1}}
    with pytest.raises(ConfigError, match=r"here: key 'download\.retries': -1 is less than"):
        validate(data, SCHEMA, "here")


def test_error_names_the_index_in_a_list():
    with pytest.raises(ConfigError, match=r"key 'groups\[1\]'"):
        validate({"source": "logs", "groups": ["a", 2]}, SCHEMA, "here")


def test_unknown_nested_key_names_its_parent():
    with pytest.raises(ConfigError, match=r"'download': unknown key 'retry'; did you mean 'retri"):
        validate({"source": "logs", "download": {"retry": 1}}, SCHEMA, "here")


def test_value_outside_an_enum_is_reported_with_the_allowed_ones():
    with pytest.raises(ConfigError, match="'log' is not one of logs, models; did you mean 'logs'"):
        validate({"source": "log"}, SCHEMA, "here")


def test_missing_key_is_named():
    with pytest.raises(ConfigError, match="missing key 'source'"):
        validate({}, SCHEMA, "here")


def test_overriding_file_may_leave_required_keys_out(config_file):
    path, schema = config_file("groups: [a]\n")
    assert load(path, read_yaml(schema), partial=True) == {"groups": ["a"]}


def test_every_problem_is_listed():
    with pytest.raises(ConfigError) as error:
        validate({"source": "x", "groups": 3}, SCHEMA, "here")
    assert len(str(error.value).splitlines()) == 2


def test_file_that_is_not_yaml_is_named_with_its_line(config_file):
    path, schema = config_file("source: logs\ngroups: [\n")
    with pytest.raises(ConfigError, match=rf"{path}:2: not valid YAML"):
        load(path, read_yaml(schema))


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"missing\.yaml: no such file"):
        load(tmp_path / "missing.yaml", {})


def test_sheet_cells_take_the_types_of_the_schema(sheet):
    frame = read_sheet(*sheet("name procs jobs tau clean skip", "ctc 338 9 10.5 true 0,7"))
    assert frame.iloc[0].tolist() == ["ctc", 338, 9, 10.5, True, [0, 7]]
    assert frame.dtypes[["procs", "jobs", "tau", "clean"]].map(str).tolist() == [
        "int64",
        "Int64",
        "float64",
        "bool",
    ]


def test_dash_is_null_or_an_empty_list(sheet):
    frame = read_sheet(*sheet("name procs jobs skip", "ctc 338 - -"))
    assert frame["jobs"].isna().all()
    assert frame["skip"][0] == []


def test_comments_in_a_sheet_are_skipped(sheet):
    frame = read_sheet(*sheet("name procs", "# a_comment", "ctc 338"))
    assert frame["name"].tolist() == ["ctc"]


def test_sheet_without_rows_keeps_its_columns(sheet):
    frame = read_sheet(*sheet("name procs"))
    assert (len(frame), list(frame)) == (0, ["name", "procs"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["name prcs", "ctc 338"], "sheet.tsv:1: unknown column 'prcs'; did you mean 'procs'"),
        (["name", "ctc"], "sheet.tsv:1: missing column 'procs'"),
        (["name procs procs", "ctc 1 1"], "sheet.tsv:1: column 'procs' appears twice"),
        (["name procs", "ctc 338", "blue"], "sheet.tsv:3: 1 cells where the header has 2"),
        (["name procs", "ctc many"], "sheet.tsv:2: column 'procs': 'many' is not integer"),
        (["name procs", "# c", "ctc 0"], "sheet.tsv:3: column 'procs': 0 is less than"),
        (["name procs", "CTC 338"], "sheet.tsv:2: column 'name': 'CTC' does not match"),
        (["name procs clean", "ctc 1 yes"], "sheet.tsv:2: column 'clean': 'yes' is not boolean"),
        (["name procs skip", "ctc 1 0,x"], "sheet.tsv:2: column 'skip': '0,x' is not array"),
        (["name procs jobs", "ctc 1 x"], "column 'jobs': 'x' is not integer or null"),
    ],
)
def test_sheet_errors_name_file_line_and_column(sheet, rows, message):
    with pytest.raises(ConfigError) as error:
        read_sheet(*sheet(*rows))
    assert message in str(error.value)


def test_empty_sheet_is_an_error(sheet):
    with pytest.raises(ConfigError, match="the sheet is empty"):
        read_sheet(*sheet())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (86_400, r"here: key 'limit': 86400 is a number without a unit .*; write 90s, 30m, 24h"),
        ("86400", "key 'limit': 86400 is a number without a unit; write 90s"),
        ("soon", "key 'limit': 'soon' is not a duration; write 90s"),
    ],
)
def test_duration_without_a_unit_is_reported_with_the_valid_forms(value, message):
    schema = {"properties": {"limit": {"type": ["string", "null"], "format": DURATION}}}
    for right in ("24h", "24:00:00", None):
        validate({"limit": right}, schema, "here")
    with pytest.raises(ConfigError, match=message):
        validate({"limit": value}, schema, "here")


BINARY = bytes(range(128, 256))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 3000 + b"]" * 3000, "nested too deeply"),
        (b"a: " + b"[" * DEEPEST + b"]" * DEEPEST, "nested too deeply"),
        (BINARY, "not a text file: invalid start byte at byte 0"),
        (
            b"source: models\nsource: logs\n",
            ":2: not valid YAML: key 'source' is on line 1 already",
        ),
        (
            b"download:\n  retries: 1\n  retries: 2\n",
            ":3: not valid YAML: key 'retries' is on line 2 already",
        ),
    ],
    ids=["deep", "one deeper", "binary", "twice", "twice inside"],
)
def test_a_file_that_is_no_configuration_is_named(tmp_path, content, said):
    path = tmp_path / "c.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as error:
        read_yaml(path)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_lists_may_be_nested_to_the_limit(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("a: " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1))
    assert str(read_yaml(path)).count("[") == DEEPEST - 1


def test_merge_keys_may_be_combined_with_the_merged_keys(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n  x: 3\n")
    assert read_yaml(path)["c"] == {"x": 3, "y": 2}


def test_a_folder_is_no_configuration_and_no_sheet(tmp_path, sheet):
    _, schema = sheet("name procs", "a 1")
    for read in (read_yaml, lambda path: read_sheet(path, schema)):
        with pytest.raises(ConfigError, match=f"{tmp_path}: cannot be read: Is a directory"):
            read(tmp_path)


def test_a_binary_file_and_a_field_without_end_are_no_sheets(sheet):
    path, schema = sheet("name procs", "a 1")
    path.write_bytes(BINARY)
    with pytest.raises(ConfigError, match=f"{path}: not a text file"):
        read_sheet(path, schema)
    path.write_text("name\tprocs\na\t" + "1" * 200_000 + "\n")
    with pytest.raises(ConfigError, match=f"{path}:2: not a sheet: field larger"):
        read_sheet(path, schema)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 10**20, -(10**20)])
def test_a_number_that_meets_every_bound_is_refused(number):
    schema = {"properties": {"timeout": {"type": "number"}, "list": {"type": "array"}}}
    for data, key in (({"timeout": number}, "timeout"), ({"list": [1, number]}, r"list\[1\]")):
        with pytest.raises(ConfigError, match=f"key '{key}': .* is not a number below 2"):
            validate(data, schema, "c.yaml")


def test_the_largest_number_of_64_bits_is_taken():
    validate({"timeout": 2**63 - 1}, {"properties": {"timeout": {"type": "integer"}}}, "c.yaml")
    with pytest.raises(ConfigError):
        validate({"timeout": 2**63}, {"properties": {"timeout": {"type": "integer"}}}, "c.yaml")


@pytest.mark.parametrize("cell", ["nan", "inf", "1e400"])
def test_a_cell_that_is_no_number_is_refused_by_line_and_column(sheet, cell):
    path, schema = sheet("name procs tau", f"a 1 {cell}")
    with pytest.raises(ConfigError, match=f"{path}:2: column 'tau': (nan|inf) is not a number"):
        read_sheet(path, schema)


def test_a_cell_of_more_digits_than_python_reads_is_refused(sheet):
    path, schema = sheet("name procs", "a " + "9" * 5000)
    with pytest.raises(ConfigError, match=f"{path}:2: column 'procs': '9+' is not integer"):
        read_sheet(path, schema)


def test_column_of_another_schema_may_add_constraints(tmp_path):
    (tmp_path / "row.schema.yaml").write_text(
        "properties: {label: {type: string, minLength: 1, description: Its name}}"
    )
    own = tmp_path / "own.schema.yaml"
    own.write_text("properties: {label: {$ref: row.schema.yaml#/properties/label, minLength: 2}}")
    label = read_schema(own)["properties"]["label"]
    assert label == {"type": "string", "minLength": 2, "description": "Its name"}


def patterns(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for key, part in schema.items():
            if key != "not":
                yield from patterns(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from patterns(part)


#: a list of parameters, none of which names a file
ANY_TEXT = "^[^=]+(=[0-9.]+)?$"
SCHEMAS = [read_yaml(path) for path in sorted(ROOT.glob("workflow/schemas/*.yaml"))]
PATTERNS = sorted({*patterns([*SCHEMAS, workflow_file._FILE, workflow_file._STAGE])} - {ANY_TEXT})


@pytest.mark.parametrize("pattern", [name for name in PATTERNS if name.endswith("$")])
@given(data=st.data())
def test_no_pattern_of_a_schema_takes_a_text_with_a_line_break_at_its_end(pattern, data):
    text = data.draw(st.from_regex(pattern)).rstrip("\n")
    schema = {"type": "string", "pattern": pattern}
    validate(text, schema, "x")
    with pytest.raises(ConfigError, match="does not match"):
        validate(f"{text}\n", schema, "x")


def test_patterns_of_all_schemas_are_tested():
    assert len(PATTERNS) > 20
    assert [name for name in PATTERNS if "$" in name and not name.endswith("$")] == []
    assert {name[:1] for name in PATTERNS} <= {"^", "\\"}


def test_dollar_that_is_a_sign_stays_one():
    for text, pattern in (("a$", r"^a\$$"), ("$", "^[$]$"), ("b$c", r"^b[]$]c$")):
        validate(text, {"pattern": pattern}, "x")
        with pytest.raises(ConfigError):
            validate(f"{text}\n", {"pattern": pattern}, "x")


@pytest.mark.parametrize("value", [1.0, True, 1e3])
def test_integer_is_written_as_one(value):
    """Others would be written as 1.0 where a number of cores is needed."""
    with pytest.raises(ConfigError, match=rf"{value} is not of type 'integer'"):
        validate({"cores": value}, {"properties": {"cores": {"type": "integer"}}}, "x")
    validate(value, {"type": ["number", "boolean"]}, "x")


def test_a_sign_that_yaml_forbids_is_an_error_in_one_line(tmp_path):
    path = tmp_path / "site.yaml"
    path.write_bytes(b"\0\0")
    with pytest.raises(ConfigError, match=r"^.*site\.yaml: not valid YAML: unacceptable.*$"):
        read_yaml(path)
