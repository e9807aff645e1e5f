"""A CP-SAT search gets on although each of its slices starts again, and a signal ends it."""

from schedsolve.backends.cpsat import CpModel, CpSearch, Reader
from schedsolve.limits.timeout import timeout


def _pigeons(holes: int) -> CpSearch:
    """One pigeon more than holes; CP-SAT takes some 0.01 units of work for 6 holes, and long for 30."""

    def declare(model: CpModel) -> Reader:
        inside = [[model.boolean() for _ in range(holes)] for _ in range(holes + 1)]
        for pigeon in inside:
            model.clause(pigeon)
        for hole in zip(*inside, strict=True):
            for i, one in enumerate(hole):
                for other in hole[:i]:
                    model.clause([-one, -other])
        return lambda value: (_ for _ in ()).throw(AssertionError)

    return CpSearch(declare)


def test_slices_grow_until_the_question_is_decided() -> None:
    search = _pigeons(7)
    answers: list[bool | None] = []
    while len(answers) < 30 and (not answers or answers[-1] is None):
        answers.append(search.advance(1e-6))
    assert answers[-1] is False
    assert len(answers) > 2


def test_a_signal_ends_a_slice() -> None:
    search = _pigeons(40)
    with timeout(0.2) as limit:
        search.advance(1000.0)
    assert limit.passed
