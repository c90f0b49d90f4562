"""Values of one run become parameters, and stand for themselves wherever the recording used them again."""

from __future__ import annotations

import pytest

from skillnb.rules.foundvalues import recorded_value
from skillnb.rules.proposing import Proposal, proposed
from skillnb.rules.recording import Recording, read_recording
from skillnb.terms.workflow import ParameterType

START = 'await page.goto("http://127.0.0.1:8200/admin/")\n'


def of(text: str, given: dict[str, str] | None = None, secrets: frozenset[str] = frozenset()) -> Proposal:
    read = read_recording(START + text)
    assert isinstance(read, Recording), read
    made = proposed(read, given=given, secrets=secrets)
    assert isinstance(made, Proposal), made
    return made


def fill(label: str, value: str) -> str:
    return f"await page.get_by_label({label!r}).fill({value!r})\n"


@pytest.mark.parametrize(
    ("label", "value", "kind"),
    [
        ("Title", "Lamp", ParameterType.STRING),
        ("Quantity", "12", ParameterType.INT),
        ("Quantity", "0", ParameterType.INT),
        ("Phone", "12", ParameterType.STRING),
        ("Order", "0012", ParameterType.STRING),
        ("Order", "12345678901", ParameterType.STRING),
        ("Price", "12.50", ParameterType.STRING),
        ("Due", "2026-02-28", ParameterType.DATE),
        ("Due", "2026-02-30", ParameterType.STRING),
        ("Password", "12", ParameterType.SECRET),
        ("API key", "12", ParameterType.SECRET),
        ("PIN", "12", ParameterType.SECRET),
        ("Spinning", "12", ParameterType.INT),
    ],
)
def test_types(label: str, value: str, kind: ParameterType) -> None:
    [parameter] = of(fill(label, value)).parameters
    assert (parameter.type, parameter.required, parameter.default) == (kind, True, "null")
    assert recorded_value(parameter) == ("" if kind is ParameterType.SECRET else value)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["Title", "Title"], ["title", "title_2"]),
        (["class"], ["class_value"]),
        (["page"], ["page_value"]),
        (["id"], ["id_value"]),
        (["2nd line"], ["value_2nd_line"]),
        (["Straße & Nr."], ["strae_nr"]),
        (["お名前"], ["value"]),
    ],
)
def test_names(labels: list[str], names: list[str]) -> None:
    made = of("".join(fill(label, f"text {at}") for at, label in enumerate(labels)))
    assert [parameter.name for parameter in made.parameters] == names


def test_one_value_in_one_field_is_one_parameter_and_a_secret_typed_again_is_that_secret() -> None:
    made = of(fill("Password", "abcd") + fill("Confirm", "abcd") + fill("Title", "Lamp") + fill("Title", "Lamp"))
    assert [parameter.name for parameter in made.parameters] == ["password", "title"]
    assert 'get_by_label("Confirm").fill(params.password)' in made.steps[0].code


def test_a_value_is_put_into_every_place_where_it_is_used_later() -> None:
    made = of(
        fill("User", "zoë x")
        + 'await page.get_by_role("link", name="All of zoë x").click()\n'
        + 'await expect(page.get_by_role("status")).to_contain_text("{zoë x} saved")\n'
        + 'await page.goto("http://127.0.0.1:8200/by/zo%C3%AB%20x?q=zo%C3%AB+x#zoë x")\n'
        + 'await page.get_by_text(re.compile(r"^zoë x$")).click()\n'
    )
    opened, gone, pressed = made.steps[1:]
    assert opened.intent == "Open All of {user}"
    assert opened.procedure == ('Open the link "All of {user}".',)
    assert opened.code == 'await page.get_by_role("link", name=f"All of {params.user}").click()'
    assert opened.post == 'await gate.text(role="status", contains=f"{{{params.user}}} saved")'
    quoted = "{quote(params.user, safe='')}"
    assert gone.code.endswith(f'urljoin(page.url, f"/by/{quoted}?q={quoted}#{quoted}"))')
    assert gone.post == 'await gate.url(f"**/by/{params.user}?q={params.user}")'
    assert gone.procedure == ('Go to "/by/{user}?q={user}".',)
    assert pressed.code.endswith('page.get_by_text(re.compile(f"^{re.escape(params.user)}$")).click()')


@pytest.mark.parametrize(
    "later", ["Alice", "alice-2", "alice@shop.example", "malice", "alice.b", "Alice's"], ids=lambda text: text
)
def test_only_the_whole_value_is_taken_for_it(later: str) -> None:
    made = of(fill("User", "alice") + f"await page.get_by_role('link', name={later!r}).click()\n")
    assert "params" not in made.steps[1].code


def test_a_word_that_the_site_used_before_it_was_typed_stays_the_sites() -> None:
    made = of(fill("User", "admin") + 'await page.goto("http://127.0.0.1:8200/admin/users/")\n')
    assert made.steps[1].code == 'from urllib.parse import urljoin\nawait page.goto(urljoin(page.url, "/admin/users/"))'


def test_what_was_typed_into_another_field_is_no_word_of_the_site() -> None:
    made = of(fill("User", "alice") + fill("First name", "Alice") + 'await page.get_by_text("For Alice").click()\n')
    assert made.steps[1].code == 'await page.get_by_text(f"For {params.first_name}").click()'


def test_a_chosen_option_stands_only_for_itself() -> None:
    made = of('await page.get_by_label("State").select_option("open")\nawait page.get_by_text("open").click()\n')
    assert made.steps[0].code == 'await page.get_by_label("State").select_option(params.state)'
    assert made.steps[1].code == 'await page.get_by_text("open").click()'


def test_values_that_the_person_names_are_put_in_from_the_first_line_on() -> None:
    text = 'await page.get_by_role("link", name="Order 1001").click()\nawait page.goto("http://127.0.0.1:8200/orders/1001")\n'
    made = of(text, {"order": "1001"})
    assert [(each.name, each.type) for each in made.parameters] == [("order", ParameterType.INT)]
    assert made.steps[0].code == 'await page.get_by_role("link", name=f"Order {params.order}").click()'
    assert made.steps[1].post == 'await gate.url(f"**/orders/{params.order}")'


def test_a_value_in_the_first_address_makes_opening_it_a_step() -> None:
    read = read_recording('await page.goto("http://127.0.0.1:8200/orders/1001")\n' + fill("Note", "soon"))
    assert isinstance(read, Recording)
    made = proposed(read, given={"order": "1001"})
    assert isinstance(made, Proposal)
    assert made.start_url == "http://127.0.0.1:8200/"
    assert made.steps[0].procedure == ('Go to "/orders/{order}".',)


def test_a_field_that_the_person_calls_secret_is_one() -> None:
    made = of(fill("Access", "abcd"), secrets=frozenset({"access"}))
    assert made.parameters[0].secret
    assert "abcd" not in repr(made)
    read = read_recording(START + fill("Access", "abcd"))
    assert isinstance(read, Recording)
    refused = proposed(read, secrets=frozenset({"acess"}))
    assert isinstance(refused, tuple)
    assert refused[0] == (0, "nothing is typed into a field named acess", "found are access")
