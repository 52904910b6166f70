"""Node specifications of Torque."""

import pytest

from schedlab.traces.node_specs import NodeSpec, parse_node_spec

ONE = NodeSpec(nodes=1)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("", NodeSpec()),
        ("1:ppn=12", ONE),
        ("8", NodeSpec(nodes=8)),
        ("10:ppn=8:x86_64:nfs4:brno", NodeSpec(nodes=10)),
        ("1:ppn=4+3:ppn=1", NodeSpec(nodes=4)),
        ("1:ppn=64:x86_64:cl_zewura#excl", NodeSpec(1, True, frozenset({"zewura"}))),
        ("1:ppn=64:x86_64:cl_zewura#shared", NodeSpec(1, False, frozenset({"zewura"}))),
        ("1:ppn=1:cl_a:cl_a+2:cl_b", NodeSpec(3, False, frozenset({"a", "b"}))),
        ("1:ppn=1:^cl_zewura", NodeSpec(1, unwanted=frozenset({"zewura"}))),
        ("1:ppn=1:nodecpus80", NodeSpec(1, cpus=80)),
        ("1:ppn=1:nodecpus", ONE),
        ("1:ppn=1:^nodecpus80", ONE),
        ("1:ppn=1:zegox20.cerit-sc.cz", NodeSpec(1, wanted=frozenset({"zegox"}))),
        ("1:ppn=1:host=zewura10", NodeSpec(1, wanted=frozenset({"zewura"}))),
        ("1:ppn=1:^zewura12.cerit-sc.cz", ONE),
        ("zewura15.cerit-sc.cz:ppn=2:brno", NodeSpec(1, wanted=frozenset({"zewura"}))),
        ("1:ppn=1:nfs4", ONE),
    ],
)
def test_node_specification_is_parsed(text, spec):
    assert parse_node_spec(text, ["zewura", "zegox"]) == spec
