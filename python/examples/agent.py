"""An agent in Gymnasium that is told when its level is dead: `pip install unstuck[gym]`.

    python agent.py
"""

import gymnasium

import unstuck
import unstuck.gym

LEVEL = """
########
#  .   #
# $  $ #
#  @ . #
########
"""


def main() -> None:
    env = gymnasium.make(
        "unstuck/Puzzle-v0",
        levels=unstuck.read(LEVEL),
        info=("distance", "dead", "optimal_actions"),
        reward="distance",
        ends_when_dead=True,
    )
    for episode, follows in enumerate([False, False, True]):
        _, info = env.reset(seed=episode)
        env.action_space.seed(episode)
        total, ended, steps = 0.0, False, 0
        while not ended and steps < 200:
            # The last agent follows the truth, the others choose at random.
            mask = info["optimal_actions"] if follows else info["action_mask"]
            _, reward, ended, _, info = env.step(env.action_space.sample(mask=mask))
            total, steps = total + float(reward), steps + 1
        end = "dead" if info["dead"] else "solved" if info["distance"] == 0 else "open"
        print(f"episode {episode}: {end} after {steps} steps, reward {total:.2f}")


if __name__ == "__main__":
    main()
