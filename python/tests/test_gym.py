from __future__ import annotations

import warnings

import pytest

import unstuck
from unstuck.dataset import PuzzleDataset

from .test_level import GAME

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("unstuck.gym")


def test_environments_pass_the_check_of_gymnasium() -> None:
    from gymnasium.utils.env_checker import check_env

    snow = next(iter(unstuck.generate("snowman", seed=2))).text
    bond = next(iter(unstuck.generate("sokobond", seed=2))).text
    for text, family in [(None, None), (GAME, "puzzlescript"), (snow, "snowman"), (bond, "sokobond")]:
        levels = None if text is None else unstuck.read(text, family)
        for observation in ("grid", "rgb"):
            env = gymnasium.make("unstuck/Puzzle-v0", levels=levels, observation=observation)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_env(env.unwrapped, skip_render_check=True)


def test_an_agent_that_follows_the_truth_solves() -> None:
    env = gymnasium.make(
        "unstuck/Puzzle-v0",
        info=("distance", "dead", "optimal_actions"),
        reward="distance",
        ends_when_dead=True,
    )
    _, info = env.reset(seed=1)
    optimum, total, ended, steps = info["distance"], 0.0, False, 0
    while not ended:
        _, reward, ended, _, info = env.step(env.action_space.sample(mask=info["optimal_actions"]))
        total, steps = total + float(reward), steps + 1
    assert steps == optimum and abs(total - 1) < 1e-9 and info["dead"] is False


def test_a_dead_level_ends_the_episode() -> None:
    level = unstuck.read("######\n#@   #\n# $. #\n#    #\n######\n")
    env = gymnasium.make("unstuck/Puzzle-v0", levels=level, reward="distance", ends_when_dead=True)
    env.reset(seed=1)
    for action in (3, 1):
        _, reward, ended, _, _ = env.step(action)
    assert not ended or reward == -1
    env.reset(seed=1)
    rewards = [env.step(action) for action in (3, 1, 1)]
    assert any(ended and reward == -1 for _, reward, ended, _, _ in rewards)


def test_levels_of_several_sizes_are_padded() -> None:
    small, large = "#####\n#@$.#\n#####\n", "#######\n#@ $ .#\n#     #\n#######\n"
    env = gymnasium.make("unstuck/Puzzle-v0", levels=[unstuck.read(small), unstuck.read(large)])
    for number in range(2):
        seen, _ = env.reset(options={"level": number})
        assert seen.shape[:2] == (4, 7) and env.observation_space.contains(seen)


def test_a_data_set_knows_its_answers() -> None:
    data = PuzzleDataset("sokoban", size=4, seed=1, boxes=2, grades=[(2, 5), (6, 30)])
    assert [entry["metadata"]["grade"] for entry in data] == [0, 1, 0, 1]
    for entry in data:
        answer = entry["answer"]
        assert data.score_answer(answer, entry) == 1.0
        assert data.score_answer(f"So:\n<answer>{answer}</answer>", entry) == 1.0
        assert data.score_answer("", entry) == 0 == data.score_answer("I do not know", entry)
        assert data.score_answer(answer[:-1], entry) < 1
    again = PuzzleDataset("sokoban", size=4, seed=1, boxes=2, grades=[(2, 5), (6, 30)])
    assert list(again) == list(data)
    flow = PuzzleDataset("flow", size=1, seed=1, width=4, height=4, colours=3)
    assert flow.score_answer(flow[0]["answer"], flow[0]) == 1.0
    assert flow.score_answer(flow[0]["metadata"]["level"], flow[0]) == 0.0
