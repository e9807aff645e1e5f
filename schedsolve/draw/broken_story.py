"""The story of a schedule that breaks a rule: up to the first call that does, which is marked."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.errors import InputError
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.story import Frame, Story, Stroke
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.schedule import AnySchedule, Schedule


def story_up_to_break(problem: Problem, schedule: AnySchedule, violation: str) -> Story:
    """The legal beginning of a schedule of rounds, and in its last frame the call that breaks a rule.

    Raises InputError where no single call does, as in clocked schedules and where the beginning is illegal
    too.
    """
    refused = InputError(f"the schedule breaks a rule: {violation}")
    if not isinstance(schedule, Schedule) or schedule.messages is not None:
        raise refused
    model = model_of(problem)
    calls = sum(map(len, schedule.rounds))

    def is_legal(count: int) -> bool:
        seen = model.replay(problem, _first_calls(schedule, count))
        return not seen.violation or seen.legal

    if not calls or not is_legal(0) or is_legal(calls):
        raise refused
    legal, broken = 0, calls
    while broken - legal > 1:
        middle = (legal + broken) // 2
        legal, broken = (middle, broken) if is_legal(middle) else (legal, middle)
    number = len(_first_calls(schedule, broken).rounds)
    before = sum(map(len, schedule.rounds[: number - 1]))
    call = schedule.rounds[number - 1][broken - before - 1]
    way = call.payload if isinstance(call.payload, Path) else call[:2]
    stroke = Stroke(tuple(way), call.two_way, broken=True)
    story = model.story(problem, _first_calls(schedule, legal))
    frames = list(story.frames)
    if len(frames) < number:
        frames.append(Frame(number, (), frames[-1].known if frames else story.start))
    frames[-1] = replace(frames[-1], strokes=(*frames[-1].strokes, stroke))
    return replace(story, frames=tuple(frames), broken=violation)


def _first_calls(schedule: Schedule, count: int) -> Schedule:
    """The schedule's first calls, round by round, without rounds that have none at the end."""
    rounds = []
    for calls in schedule.rounds:
        if count <= 0:
            break
        rounds.append(calls[:count])
        count -= len(calls)
    return replace(schedule, rounds=tuple(rounds))
