"""Charges for sharing nodes under each tariff, by hand."""

import pandas as pd
import pytest

from schedlab.cosched.pricing import by_application, by_scheduler


@pytest.fixture
def charged():
    """Twenty-one jobs under one scheduler, charged 0.90 to 1.10 of what they are alone, and one."""
    many = pd.DataFrame({"scheduler": "SJF", "alone": 1000.0, "plain": range(900, 1101, 10)})
    one = pd.DataFrame({"scheduler": ["EASY"], "alone": [10.0], "plain": [7.0]})
    jobs = pd.concat([many, one], ignore_index=True)
    jobs["plain"] = jobs["plain"].replace(1010.0, 1005.0)  # half a percent more: not over it
    return jobs.assign(
        discount=jobs["plain"] / 2, work=jobs["alone"], application=jobs["scheduler"]
    )


@pytest.mark.parametrize(
    ("who_pays", "key"), [(by_scheduler, "scheduler"), (by_application, "application")]
)
def test_charges_by_hand(charged, who_pays, key):
    found = who_pays(charged)
    assert found[key].tolist() == ["SJF"] * 3 + ["EASY"] * 3
    assert found["tariff"].tolist() == ["plain", "discount", "work"] * 2
    plain, discount, work = found.to_dict("records")[:3]
    assert plain["income"] == pytest.approx(100 * 20_995 / 21_000)
    assert plain["more"] == pytest.approx(100 * 9 / 21)  # 1.02 to 1.10
    assert plain["overcharge"] == pytest.approx(6)
    assert plain["middle"] == 1
    assert plain["least"] == pytest.approx(0.91)
    assert plain["most"] == pytest.approx(1.09)
    assert (discount["more"], discount["overcharge"]) == (0, 0)
    assert discount["income"] == pytest.approx(plain["income"] / 2)
    assert (work["income"], work["more"]) == (100, 0)


def test_mean_overcharge_differs_from_the_median():
    """One of six pays double: means and middles differ."""
    jobs = pd.DataFrame(
        {"scheduler": "SJF", "alone": 1.0, "plain": [0.9, 1.0, 1.0, 1.05, 2.0, 1.2]}
    )
    plain = by_scheduler(jobs.assign(discount=1.0, work=1.0)).iloc[0]
    assert plain["overcharge"] == pytest.approx(100 * (0.05 + 1 + 0.2) / 3)
    assert plain["middle"] == pytest.approx(1.025)
    assert plain["more"] == 50
