"""The small good workflow that ``skillnb new`` writes: logging in to a Django admin site."""

from __future__ import annotations

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.terms.workflow import Parameter, ParameterType, Workflow

__all__ = ["DEFAULT_START_URL", "example"]

DEFAULT_START_URL = "http://127.0.0.1:8000/admin/login/"

_CARD = """\
# Log in to the administration

**Use it when** a task needs the administration pages of a Django site and nobody is logged in yet.

**It changes** nothing but the session: afterwards the browser is logged in as the given person.

**It needs** a user name, and a password in the environment variable `DJANGO_ADMIN_PASSWORD`; the password itself is
never written into a notebook.

Each step below says in words what is to be done, then does it in code between two kinds of checks: what must be seen
before it, and what must be seen after it. Only the checks decide whether the step succeeded."""

_PARAMETERS = (
    Parameter(name="username", type=ParameterType.STRING, default="null", required=True, help="who logs in"),
    Parameter(
        name="password",
        type=ParameterType.SECRET,
        default='"env:DJANGO_ADMIN_PASSWORD"',
        required=False,
        help="read from the environment when the run begins",
    ),
)

_FILL_IN = StepDraft(
    name="fill-in-the-form",
    intent="Fill in the log-in form",
    procedure=('Type {username} into "Username".', 'Type {password} into "Password".'),
    pre='await gate.url("**/login/**")\nawait gate.visible(role="button", name="Log in")',
    code=(
        'await page.get_by_label("Username").fill(params.username)\n'
        'await page.get_by_label("Password").fill(params.password)'
    ),
    post='await gate.value(label="Username", equals=params.username)\n'
    'await gate.value(label="Password", equals=params.password)',
)

_LOG_IN = StepDraft(
    name="log-in",
    intent="Log in",
    procedure=('Press "Log in" and wait for the administration page.',),
    pre='await gate.value(label="Username", equals=params.username)',
    code='await page.get_by_role("button", name="Log in").click()',
    post='await gate.visible(role="button", name="Log out")\n'
    'await gate.absent(text="Please enter the correct username")',
)


def example(name: str, start_url: str | None) -> Workflow:
    """The example under the name ``site/name``, which is the caller's to check."""
    header = Header(name=name, site=name.split("/")[0], task_type="log-in", start_url=start_url or DEFAULT_START_URL)
    return compose(header, _CARD, _PARAMETERS, (_FILL_IN, _LOG_IN))
