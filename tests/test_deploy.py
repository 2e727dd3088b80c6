"""What stands in deploy/ is valid: Kubernetes' schemas, Prometheus' own tool, our own commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from satlife.cli.group import cli
from satlife.cluster.queue.streams import TASKS, WORKERS
from tests.campaign.nats import PASSWORDS, server_program
from tests.metrics import all_metrics

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
VERSIONS = ("1.30", "1.34")
"""Of Kubernetes: one that is still in use, and one that is recent."""

Manifest = dict[str, Any]

SCALED_OBJECT = {
    # What KEDA's documentation says of a ScaledObject, as far as we use it; no more may be there.
    "type": "object",
    "additionalProperties": False,
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "keda.sh/v1alpha1"},
        "kind": {"const": "ScaledObject"},
        "metadata": {"type": "object", "required": ["name"]},
        "spec": {
            "type": "object",
            "additionalProperties": False,
            "required": ["scaleTargetRef", "triggers"],
            "properties": {
                "scaleTargetRef": {"type": "object", "required": ["name"]},
                "pollingInterval": {"type": "integer", "minimum": 1},
                "cooldownPeriod": {"type": "integer", "minimum": 0},
                "minReplicaCount": {"type": "integer", "minimum": 0},
                "maxReplicaCount": {"type": "integer", "minimum": 1},
                "advanced": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"horizontalPodAutoscalerConfig": {"type": "object"}},
                },
                "triggers": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["type", "metadata"],
                        "properties": {
                            "type": {"const": "nats-jetstream"},
                            "metadata": {
                                "type": "object",
                                "additionalProperties": {"type": "string"},
                                "required": [
                                    *("natsServerMonitoringEndpoint", "account", "stream"),
                                    *("consumer", "lagThreshold"),
                                ],
                            },
                        },
                    },
                },
            },
        },
    },
}


def manifests() -> list[Manifest]:
    found: list[Manifest] = []
    for path in sorted(KUBERNETES.glob("*.yaml")):
        found += yaml.safe_load_all(path.read_text(encoding="utf-8"))
    return found


def named(kind: str, name: str) -> Manifest:
    (one,) = [m for m in manifests() if (m["kind"], m["metadata"]["name"]) == (kind, name)]
    return one


def pods() -> Iterator[tuple[str, Manifest]]:
    """The pods that run for long, by name."""
    for manifest in manifests():
        template = manifest["spec"].get("template")
        if template and manifest["metadata"]["name"] != "restore":
            yield manifest["metadata"]["name"], template


@pytest.mark.parametrize("version", VERSIONS)
def test_every_manifest_is_valid(version: str) -> None:
    for manifest in manifests():
        if manifest["kind"] == "ScaledObject":
            jsonschema.validate(manifest, SCALED_OBJECT)
            kubernetes_validate.validate(as_autoscaler(manifest["spec"]), version, strict=True)
        else:
            kubernetes_validate.validate(manifest, version, strict=True)


def as_autoscaler(spec: Manifest) -> Manifest:
    """What KEDA makes of a ScaledObject."""
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "worker"},
        "spec": {
            "scaleTargetRef": {"kind": "Deployment", **spec["scaleTargetRef"]},
            "maxReplicas": spec["maxReplicaCount"],
            **spec["advanced"]["horizontalPodAutoscalerConfig"],
        },
    }


def test_the_validator_sees_a_mistake() -> None:
    job = named("Job", "recorder")
    job["spec"]["template"]["spec"]["containers"][0]["livenessProbe"]["httpGet"]["prot"] = 1
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(job, VERSIONS[0], strict=True)


def test_every_pod_is_pinned_watched_bounded_and_without_rights() -> None:
    assert sorted(name for name, _ in pods()) == [
        *("checker", "dispatcher", "nats", "recorder", "worker")
    ]
    for name, template in pods():
        spec = template["spec"]
        assert spec["automountServiceAccountToken"] is False, name
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        for container in spec["containers"]:
            assert re.fullmatch(r"[\w./-]+:\d+\.\d+\.\d+[\w.-]*", container["image"]), name
            assert {"livenessProbe", "readinessProbe", "resources"} <= container.keys(), name
            assert "memory" in container["resources"]["limits"], name
            rights = container["securityContext"]
            assert rights["allowPrivilegeEscalation"] is False, name
            assert rights["capabilities"] == {"drop": ["ALL"]}, name
            ports = {port["name"] for port in container["ports"]}
            probes = [value for key, value in container.items() if key.endswith("Probe")]
            assert {probe["httpGet"]["port"] for probe in probes} <= ports, name
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            claims = [c["metadata"]["name"] for c in _claims(name)]
            assert mounted == {*(volume["name"] for volume in spec["volumes"]), *claims}, name


def _claims(name: str) -> list[Manifest]:
    owners = [m for m in manifests() if m["metadata"]["name"] == name and "template" in m["spec"]]
    claims: list[Manifest] = owners[0]["spec"].get("volumeClaimTemplates", [])
    return claims


def scripts() -> dict[str, Manifest]:
    """The pods that run a shell once and end, by name."""
    backup = named("CronJob", "backup")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    return {"backup": backup, "restore": named("Job", "restore")["spec"]["template"]["spec"]}


@pytest.mark.parametrize("name", ["backup", "restore"])
def test_backups_are_bounded_without_rights_and_on_their_disk(name: str) -> None:
    spec = scripts()[name]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    (container,) = spec["containers"]
    assert container["image"] == dict(pods())["recorder"]["spec"]["containers"][0]["image"]
    assert "memory" in container["resources"]["limits"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes.keys()
    claim = volumes["copies"]["persistentVolumeClaim"]["claimName"]
    assert named("PersistentVolumeClaim", claim)
    egress = named("NetworkPolicy", "backup")["spec"]["egress"]
    assert egress == [{"ports": [{"protocol": "TCP", "port": 5432}]}]


def test_the_image_has_what_its_commands_need_and_no_more() -> None:
    text = (KUBERNETES / "Dockerfile").read_text(encoding="utf-8")
    extras = re.search(r"/source\[([\w,]+)\]", text)
    assert extras is not None
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    project = project["project"]
    assert {"cluster", "fast"} <= {*extras[1].split(",")} <= project["optional-dependencies"].keys()
    for package in ("drat-trim", "postgresql-client"):
        assert re.search(rf"apt-get install .*\b{package}\b", text)
    lines = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    sent = {line[1:] for line in rules if line.startswith("!")}
    assert sent == {
        *("src", "pyproject.toml", "hatch_build.py", "README.md"),
        *project["license-files"],
    }


def test_base_images_have_a_version_and_the_second_checker() -> None:
    text = (KUBERNETES / "Dockerfile").read_text(encoding="utf-8")
    images = re.findall(r"^FROM (\S+)", text, re.M)
    assert images
    assert all(re.fullmatch(r"[\w/]+:\d+\.\d+\.\d+-[\w-]+", image) for image in images)
    assert "drat-trim" in text


def parse(words: list[str]) -> Any:
    """The context of a command of ours."""
    context = cli.make_context("satlife", list(words), resilient_parsing=True)
    command: Any = cli
    while hasattr(command, "get_command"):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    return command.make_context("satlife", words, parent=context, resilient_parsing=True)


@pytest.mark.parametrize("name", ["checker", "dispatcher", "recorder", "worker"])
def test_the_commands_of_the_pods_are_ours(name: str) -> None:
    (container,) = dict(pods())[name]["spec"]["containers"]
    program, *words = container["args"]
    assert program == "satlife"
    parsed = parse(words).params
    port = container["ports"][0]["containerPort"]
    assert parsed["metrics"] == f"0.0.0.0:{port}"
    assert parsed["log_format"] == "json"
    admitted = named("NetworkPolicy", "nats")["spec"]["ingress"][0]["from"][0]["podSelector"]
    assert name in admitted["matchExpressions"][0]["values"]
    policy = named("NetworkPolicy", name)["spec"]
    assert policy["ingress"][0]["ports"] == [{"protocol": "TCP", "port": port}]
    (template,) = [template for owner, template in pods() if owner == name]
    assert template["metadata"]["annotations"]["prometheus.io/port"] == str(port)


def test_workers_scale_with_the_queue_that_they_pull_from() -> None:
    spec = named("ScaledObject", "worker")["spec"]
    (trigger,) = spec["triggers"]
    assert trigger["metadata"]["stream"] == TASKS
    assert trigger["metadata"]["consumer"] == WORKERS
    accounts = (DEPLOY / "nats" / "accounts.conf").read_text(encoding="utf-8")
    assert re.search(rf"^  {trigger['metadata']['account']} {{$", accounts, re.M)
    assert spec["minReplicaCount"] == 0
    assert "replicas" not in named("Deployment", "worker")["spec"], "KEDA sets it"
    assert named("Service", "nats")["spec"]["ports"][-1]["port"] == 8222


def test_all_but_the_recorder_have_a_budget_for_disruptions() -> None:
    for name, most in (("nats", 1), ("worker", "25%"), ("checker", 1), ("dispatcher", 1)):
        assert named("PodDisruptionBudget", name)["spec"]["maxUnavailable"] == most


# Prometheus and Grafana

PROMETHEUS = DEPLOY / "prometheus"
_NAME = re.compile(r"\b(?:satlife|process)_\w+")


def dashboard() -> dict[str, Any]:
    text = (DEPLOY / "grafana" / "satlife.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def expressions() -> list[str]:
    targets = [target for panel in dashboard()["panels"] for target in panel.get("targets", ())]
    return [target["expr"] for target in targets]


def base(name: str) -> str:
    """The name of a metric, without the endings of a histogram."""
    return re.sub(r"_(bucket|sum|count)$", "", name)


def test_dashboard_and_alerts_use_metrics_that_are_there() -> None:
    known = {base(name) for name in all_metrics()}
    text = (PROMETHEUS / "alerts.yaml").read_text(encoding="utf-8")
    used = {base(name) for name in _NAME.findall(text + "\n".join(expressions()))}
    assert used <= known
    assert len(used) > 20


def test_the_dashboard_has_its_panels_side_by_side() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    for one, other in combinations(places, 2):
        apart = (
            one["x"] + one["w"] <= other["x"]
            or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"]
            or other["y"] + other["h"] <= one["y"]
        )
        assert apart, (one, other)
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for panel in panels:
        if panel["type"] != "row":
            assert panel["datasource"] == {"type": "prometheus", "uid": "${source}"}
            assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])


def test_every_alert_says_how_bad_it_is_and_is_in_the_runbook() -> None:
    (group,) = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    runbook = (DEPLOY.parent / "docs" / "how-to" / "runbook.md").read_text(encoding="utf-8")
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]
        assert f"`{rule['alert']}`" in runbook


def objectives() -> list[tuple[str, str]]:
    """The queries of the runbook's objectives, and their alerts."""
    runbook = (DEPLOY.parent / "docs" / "how-to" / "runbook.md").read_text(encoding="utf-8")
    section = runbook.partition("\n## What to promise\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| [^|`]+ \| `(.*)` \| `(\w+)` \|$", section, re.M)


def test_every_objective_has_a_query_of_our_metrics_and_an_alert() -> None:
    (group,) = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    alerts = {rule["alert"] for rule in group["rules"]}
    assert 3 <= len(objectives()) <= 5
    for query, alert in objectives():
        assert alert in alerts
        assert {base(name) for name in _NAME.findall(query)} <= {*map(base, all_metrics())}


@pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool; .ci/promtool fetches it")
def test_promtool_agrees(tmp_path: Path) -> None:
    rules = [
        {"record": f"r{number}", "expr": re.sub(r"\$\w+", "x", expression)}
        for number, expression in enumerate([*expressions(), *(one for one, _ in objectives())])
    ]
    shown = tmp_path / "dashboard.yaml"
    shown.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    for words in (
        ["check", "rules", "alerts.yaml", str(shown)],
        ["check", "config", "prometheus.yaml"],
        ["test", "rules", "alerts.test.yaml"],
    ):
        done = subprocess.run(
            ["promtool", *words], cwd=PROMETHEUS, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


# systemd

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def read_unit(path: Path) -> dict[str, list[str]]:
    lines = (line.partition("=") for line in path.read_text(encoding="utf-8").splitlines())
    found: dict[str, list[str]] = {}
    for name, _, value in lines:
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_starts_a_command_of_ours_and_may_write_little(path: Path) -> None:
    unit = read_unit(path)
    (line,) = unit["ExecStart"]
    program, *words = line.replace("%i", "widths").split()
    if path.stem == "satlife-broker":
        assert program == "/etc/satlife/nats/start"
        assert (DEPLOY / "nats" / Path(words[1]).name).is_file()
    else:
        assert program == "/usr/local/bin/satlife"
        assert parse(words).params["log_format"] == "json"
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["NoNewPrivileges"] == ["yes"]
    assert "PASSWORD" not in "".join(unit.get("Environment", []))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_agrees(tmp_path: Path) -> None:
    """With a program that is there in the place of ours."""
    for path in UNITS:
        text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text)
    words = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# compose

COMPOSE = DEPLOY / "compose" / "compose.yaml"


def test_the_services_of_compose_start_commands_of_ours() -> None:
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    assert services.keys() == {"broker", "recorder", "dispatcher", "worker"}
    for name, service in services.items():
        for source in (volume.split(":")[0] for volume in service.get("volumes", ())):
            is_ours = source.startswith(".") and Path(source).stem not in ("plan", "volunteers")
            assert not is_ours or (COMPOSE.parent / source).is_file(), source
        if name != "broker":
            program, *words = service["command"]
            assert program == "satlife"
            assert parse(words).params["log_format"] == "json"
        else:
            assert "ports" not in service
        assert all("PASSWORD" not in word for word in service.get("command", ()))


def test_the_broker_of_compose_reads_its_configuration(tmp_path: Path) -> None:
    for path in (COMPOSE.parent / "nats.conf", DEPLOY / "nats" / "accounts.conf"):
        shutil.copy(path, tmp_path)
    words = [server_program(), "-t", "-c", "nats.conf"]
    environment = os.environ | PASSWORDS
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("docker"), reason="needs Docker's client")
def test_docker_agrees_with_compose() -> None:
    """By its client alone, which needs no engine for it."""
    words = ["docker", "stack", "config", "--compose-file", str(COMPOSE)]
    done = subprocess.run(words, env=os.environ | PASSWORDS, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"password" not in done.stderr
    without = {name: word for name, word in os.environ.items() if name not in PASSWORDS}
    done = subprocess.run(words, env=without, capture_output=True, check=False)
    assert b"_PASSWORD is missing" in done.stderr
