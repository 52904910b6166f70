"""The configuration files and sheets of the repository conform to the schemas."""

import pytest

from schedlab.core.splitting import SPLITS
from schedlab.files.config import read_sheet, read_yaml
from schedlab.files.sheets import read
from schedlab.policies import get
from schedlab.studies.carastan2017 import sheet as carastan2017
from schedlab.studies.kellari2025 import sheet as kellari2025
from schedlab.studies.legrand2018 import sheet as legrand2018
from schedlab.traces.cleaning_rules import RULE_SETS
from schedlab.traces.registry import PoolEntry, read_registry


@pytest.fixture
def schemas(root):
    return root / "workflow/schemas"


@pytest.fixture
def experiments(root, schemas):
    """Every experiment of carastan2017."""
    sheet = root / "config/experiments/carastan2017.tsv"
    return read(carastan2017.ROW, sheet, schemas / "carastan2017.schema.yaml")


@pytest.fixture
def periods(root, schemas):
    """Every experiment of legrand2018."""
    sheet = root / "config/experiments/legrand2018.tsv"
    return read(legrand2018.ROW, sheet, schemas / "legrand2018.schema.yaml")


def test_quick_scale_needs_no_log_and_no_network(root):
    quick = read_yaml(root / "config/quick.yaml")
    assert (quick["source"], quick["download"]["offline"]) == ("models", True)


def test_experiments_run_on_registered_logs_and_models(root, schemas, experiments, periods):
    logs = read_registry(root / "config/traces.tsv", schemas / "traces.schema.yaml")
    models = read_sheet(root / "config/models.tsv", schemas / "models.schema.yaml")
    machines = dict(zip(models["model"], models["processors"], strict=True))
    machines |= {name: log.processors for name, log in logs.items()}
    for row in [*experiments, *periods]:
        assert machines[row.source] == row.processors, row.experiment
        assert machines[row.standin] == row.processors, row.experiment


def test_experiments_name_known_policies_splits_and_cleaning_rules(experiments, periods):
    for row in [*experiments, *periods]:
        assert row.is_model or row.cleaning in RULE_SETS, row.experiment
        assert row.split in SPLITS, row.experiment
        assert all(get(name) for name in row.policies), row.experiment


def test_co_scheduling_runs_on_registered_pools_and_their_machines(root, schemas):
    pools = read_registry(root / "config/pools.tsv", schemas / "pools.schema.yaml", PoolEntry)
    sheet = root / "config/experiments/kellari2025.tsv"
    for row in read(kellari2025.ROW, sheet, schemas / "kellari2025.schema.yaml"):
        pool = pools[row.pool]
        machine = (pool.nodes, pool.sockets, pool.cores)
        assert (row.nodes, row.sockets, row.cores) == machine
        assert row.keep == (row.item in ("example", "beyond_pricing"))
