"""The paper's Algorithm 1 once more: one run, plain loops, slow.

With the engine it shares the random numbers, the policies and consensus methods that learn, and
nothing else: kappa is statsmodels', votes are counted with a Counter, scores are those of sets of
spans, doubts are those of a list of all sentences.
"""

import numpy as np

from spancrew.core import Chance
from spancrew.feedback import Adaptive, AgreementGate, CrowdOnly, ExpectedErrorGate, Prices
from spancrew.policies import Standings
from spancrew.simulate import Scene, Setting
from tests.feedback.plain_steering import PlainSteering, Word
from tests.simulate.diary import Case, Diary, Group, Rewarded
from tests.simulate.plain import Codes, exact_f1, kappa, spans
from tests.simulate.plain_consensus import Given, Opinion, PlainConsensus

DEAL, WARM_UP, ATTENDANCE = 4, 5, 6
"""What the engine draws random numbers for."""

GIVES_UP = 1_000
"""Steps without work after which a run ends."""


def fixed_crew(setting: Setting) -> int:
    """Return the size of a crew that is always the same."""
    assert isinstance(setting.crew, int)
    return setting.crew


def twice(opinion: Opinion) -> float:
    """Return twice the spans that were found."""
    return 2.0 * len(spans(opinion.labels))


class Slow:
    """One run of a setting in a scene."""

    def __init__(self, scene: Scene, setting: Setting, run: int) -> None:
        self.scene, self.setting = scene, setting
        self.workers = range(len(scene.workers))
        self.chance = Chance.of(setting.seed, range(run, run + 1))
        self.queue: list[int] = self.chance.shuffled(len(scene.dataset), DEAL)[0].tolist()
        self.count = [0.0] * len(self.workers)
        self.total = [0.0] * len(self.workers)
        self.pending = [0] * len(self.workers)
        self.answered = [0] * len(self.workers)
        self.time = 0
        self.warm: dict[int, int] = {}
        self.late: list[list[Rewarded]] = []
        self.diary = Diary()
        learning = setting.policy.learning
        self.memory = learning.memory
        start = Standings.start(1, len(self.workers), difficulty=learning.difficulty)
        self.difficulty = start.difficulty
        self.consensus = PlainConsensus(scene, setting.consensus)
        rule = setting.feedback
        if isinstance(rule, ExpectedErrorGate | Adaptive):
            self.steering = PlainSteering(rule, self.prices)

    @property
    def prices(self) -> Prices:
        """Return what an expert costs, and an answer on average."""
        own = self.setting.worker_prices
        answer = sum(own) / len(own) if own else self.setting.prices.answer
        return Prices(answer, self.setting.prices.expert)

    @property
    def mean(self) -> list[float]:
        """Return the mean reward of every worker; 0 before the first and when all have faded."""
        pairs = zip(self.total, self.count, strict=True)
        return [total / max(count, 1e-12) for total, count in pairs]

    def run(self) -> Diary:
        """Go on while there are unlabelled sentences and somebody who can work."""
        self.warm_up()
        step = idle = 0
        while self.queue and idle < GIVES_UP:
            step += 1
            idle = 0 if self.step(step) else idle + 1
        while self.late:
            self.learn(self.late.pop(0))
        if self.setting.revise and self.setting.consensus.learns:
            self.revise()
        return self.diary

    def revise(self) -> None:
        """Judge what the crowd has settled once more, by what can be learned from all of it."""
        self.consensus.model = self.consensus.fit(None)
        for sentence, given, _ in self.consensus.log[len(self.warm) :]:
            if sentence not in self.diary.asked:
                self.diary.final[sentence] = self.consensus.opinion(sentence, given).labels

    def warm_up(self) -> None:
        """Lines 1 to 3, or one sentence for all, or nothing."""
        self.warm = self.first_sentences()
        for worker, sentence in self.warm.items():
            self.pay(sentence, worker)
            self.diary.by_expert.add(sentence)
            self.count[worker] = 1.0
            self.total[worker] = exact_f1(self.answer(sentence, worker), self.gold(sentence))
        self.learn_difficulty([([w], [self.total[w]]) for w in self.warm])
        self.consensus.learn([(s, {w: self.answer(s, w)}, True) for w, s in self.warm.items()])
        self.time = len(self.warm)
        self.diary.experts.append(0)
        self.diary.regret.append(0.0)

    def first_sentences(self) -> dict[int, int]:
        """Return which sentence each worker labels first; a shared one is settled by that."""
        setting = self.setting
        is_crowd_alone = isinstance(setting.feedback, CrowdOnly) and not setting.audit
        if setting.warm_up == "none" or (setting.warm_up == "shared" and is_crowd_alone):
            return {}
        if setting.warm_up == "shared":
            sentence = self.queue.pop()
            self.diary.by_expert.add(sentence)
            self.diary.final[sentence] = self.gold(sentence)
            return {worker: sentence for worker in self.workers if self.can(sentence, worker)}
        draws = self.chance.uniform(len(self.workers), WARM_UP)[0]
        able = {
            worker: [s for s in range(len(self.scene.dataset)) if self.can(s, worker)]
            for worker in self.workers
        }
        return {w: own[int(draws[w] * len(own))] for w, own in able.items() if own}

    def step(self, step: int) -> bool:
        """Lines 5 to 15; tell whether anybody worked."""
        self.time += 1
        self.count = [each * self.memory for each in self.count]
        self.total = [each * self.memory for each in self.total]
        if self.difficulty is not None and self.memory < 1:
            self.difficulty.fade(np.array([[self.memory]]))
        groups = self.by_crew(step) if self.scene.can is None else self.by_sentence(step)
        cases = self.decide(groups)
        self.diary.groups.append([(case.sentence, list(case.given)) for case in cases])
        self.diary.experts.append(0)
        self.diary.regret.append(0.0)
        self.late.append([self.settle(case) for case in cases])
        self.consensus.learn(
            [(case.sentence, case.given, case.sentence in self.diary.by_expert) for case in cases]
        )
        self.show(cases)
        while len(self.late) > self.setting.delay:
            self.learn(self.late.pop(0))
        return bool(groups)

    def by_crew(self, step: int) -> list[Group]:
        """Lines 6 and 7: a crew, cut into groups of K, each of which gets the next sentence."""
        size = fixed_crew(self.setting)
        crew = self.select(step, size, self.available(step))
        order = self.chance.at(step).shuffled(size, DEAL)[0]
        dealt = [crew[place] for place in order if crew[place] >= 0]
        groups = []
        k = self.setting.answers
        while len(dealt) >= k and self.queue:
            groups.append((self.queue.pop(0), dealt[:k]))
            dealt = dealt[k:]
        return groups

    def by_sentence(self, step: int) -> list[Group]:
        """Return the next sentence with workers among those who can answer it."""
        groups = []
        for k in range(min(self.setting.at_once, len(self.queue))):
            sentence = self.queue.pop(0)
            there = [a and self.can(sentence, w) for w, a in enumerate(self.available(step))]
            crew = self.select(step + k * 2**40, self.setting.answers, there)
            groups.append((sentence, [worker for worker in crew if worker >= 0]))
        return groups

    def available(self, step: int) -> list[bool]:
        """Tell who is there and not at the cap."""
        cap = self.setting.cap or len(self.scene.dataset) + 1
        draws = self.chance.at(step).uniform(len(self.workers), ATTENDANCE)[0]
        there = [draw < often for draw, often in zip(draws, self.attendance(), strict=True)]
        return [there[w] and self.answered[w] < cap for w in self.workers]

    def attendance(self) -> list[float]:
        """Return how often every worker is there; as in the pilot, at least two groups are."""
        often, activity = self.setting.attendance, self.scene.activity
        if often != "pilot" or activity is None:
            return [1.0 if often == "pilot" else often] * len(self.workers)
        wanted = min(2 * self.setting.answers, len(self.workers))

        def there(factor: float) -> list[float]:
            return [min(factor * each, 1.0) for each in activity.tolist()]

        low, high = 1 / max(activity.tolist()), 1 / min(activity.tolist())
        if sum(there(low)) >= wanted:
            return there(low)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if sum(there(middle)) >= wanted else (middle, high)
        return there(high)

    def select(self, step: int, size: int, available: list[bool]) -> list[int]:
        """Let the policy choose from standings made up for it."""
        standings = Standings.start(1, len(self.workers), memory=self.memory)
        standings.count[0] = self.count
        standings.total[0] = self.total
        standings.pending[0] = self.pending
        standings.available[0] = available
        standings.time[0] = self.time
        standings.truth = self.scene.truth
        standings.difficulty = self.difficulty
        if self.setting.worker_prices is not None:
            standings.price = np.array(self.setting.worker_prices)
        chosen = self.setting.policy.select(standings, size, self.chance.at(step))
        crew: list[int] = chosen[0].tolist()
        self.diary.crews.append(crew)
        self.diary.means.append(standings.mean[0].tolist())
        return crew

    def decide(self, groups: list[Group]) -> list[Case]:
        """Ask groups, worker by worker if the rule wants it, until all sentences are decided."""
        first = self.setting.feedback.first or self.setting.answers
        if self.setting.feedback.first is not None:
            mean = self.mean
            groups = [(s, sorted(crew, key=lambda w: -mean[w])) for s, crew in groups]
        decided: dict[int, Case] = {}
        open_ = [(place, sentence, crew) for place, (sentence, crew) in enumerate(groups)]
        doubted: dict[int, float] = {}
        while open_:
            given = {
                place: {worker: self.answer(sentence, worker) for worker in crew[:first]}
                for place, sentence, crew in open_
            }
            opinions = {k: self.consensus.opinion(s, given[k]) for k, s, _ in open_}
            self.learn_turns(doubted, opinions)
            words = {k: self.word(given[k], opinions[k], len(c) - first) for k, _, c in open_}
            self.learn_doubts()
            for place, sentence, _ in open_:
                trusted = words[place] == "crowd"
                decided[place] = Case(sentence, given[place], opinions[place], trusted)
            open_ = [each for each in open_ if words[each[0]] == "more"]
            doubted = {place: opinions[place].errors for place, _, _ in open_}
            first += 1
        return [decided[place] for place in range(len(groups))]

    def learn_turns(self, before: dict[int, float], opinions: dict[int, Opinion]) -> None:
        """Remember what one more answer did."""
        for place, errors in before.items():
            self.steering.turns.append((errors, opinions[place].errors))

    def learn_doubts(self) -> None:
        """Remember what was decided."""
        if isinstance(self.setting.feedback, ExpectedErrorGate | Adaptive):
            self.steering.learn()

    def show(self, cases: list[Case]) -> None:
        """Let experts show how well errors were expected."""
        if isinstance(self.setting.feedback, ExpectedErrorGate | Adaptive):
            for sentence, _, opinion, trusted in cases:
                true = spans(self.gold(sentence))
                found = len(spans(opinion.labels) ^ true)
                if not trusted:
                    size = twice(opinion)
                    self.steering.show(opinion.errors, size, found, len(true), audit=False)

    def settle(self, case: Case) -> Rewarded:
        """Lines 9 to 14; return who is to learn what."""
        sentence, given, opinion, trusted = case
        self.diary.final[sentence] = opinion.labels if trusted else self.gold(sentence)
        if not trusted:
            self.diary.by_expert.add(sentence)
            self.diary.asked.add(sentence)
            self.diary.experts[-1] += 1
        self.diary.regret[-1] += self.lost(sentence, list(given.values()))
        new, rewards = [], []
        for worker in given:
            if self.warm.get(worker) == sentence:
                continue
            self.pay(sentence, worker)
            reward = self.reward(case, worker)
            if reward is not None:
                new.append(worker)
                rewards.append(reward)
                self.pending[worker] += 1
        return new, rewards

    def word(self, given: Given, opinion: Opinion, left: int) -> Word:
        """Tell whose word counts."""
        rule = self.setting.feedback
        if isinstance(rule, ExpectedErrorGate | Adaptive):
            answered = len(given) > 0
            return self.steering.judge(opinion.errors, twice(opinion), left, answered=answered)
        if isinstance(rule, CrowdOnly):
            return "crowd"
        if isinstance(rule, AgreementGate) and len(given) > 1:
            return self.by_agreement(rule, list(given.values()), opinion.contested)
        return "expert"

    def by_agreement(self, rule: AgreementGate, answers: list[Codes], contested: bool) -> Word:
        """Trust the crowd where kappa is above the threshold."""
        found = kappa(answers)
        self.diary.agreements.append(found)
        if abs(found - rule.threshold) < 1e-9:
            above = rule.equal == "crowd"
        else:
            above = found > rule.threshold
        return "crowd" if above and not (rule.ties == "expert" and contested) else "expert"

    def reward(self, case: Case, worker: int) -> float | None:
        """Return the F1 of an answer against what counts as the truth."""
        own = case.given[worker]
        if not case.trusted:
            return exact_f1(own, self.gold(case.sentence))
        if not self.setting.feedback.leave_one_out:
            return exact_f1(own, case.opinion.labels)
        others = {who: answer for who, answer in case.given.items() if who != worker}
        if not others:
            return None
        return exact_f1(own, self.consensus.opinion(case.sentence, others).labels)

    def lost(self, sentence: int, answers: list[Codes]) -> float:
        """Return what the best crew would have got on average more."""
        truth = self.scene.truth
        best = [float(truth[w]) for w in self.workers if self.can(sentence, w)]
        setting = self.setting
        size = fixed_crew(setting) if self.scene.can is None else setting.answers
        best = sorted(best, reverse=True)[:size]
        return sum(
            sum(best) / len(best) - exact_f1(answer, self.gold(sentence)) for answer in answers
        )

    def learn(self, groups: list[Rewarded]) -> None:
        """Update T and the mean."""
        for crew, rewards in groups:
            for worker, reward in zip(crew, rewards, strict=True):
                self.count[worker] += 1
                self.total[worker] += reward
                self.pending[worker] -= 1
        self.learn_difficulty(groups)

    def learn_difficulty(self, groups: list[Rewarded]) -> None:
        """Let the difficulty of the sentences be learned, all groups of a step at once."""
        if self.difficulty is None or not groups:
            return
        size = max(len(crew) for crew, _ in groups)
        filled = [crew + [-1] * (size - len(crew)) for crew, _ in groups]
        rewards = [row + [np.nan] * (size - len(row)) for _, row in groups]
        run = np.zeros(len(groups), np.int64)
        self.difficulty.learn(run, np.array(filled, np.int64), np.array(rewards, np.float64))

    def pay(self, sentence: int, worker: int) -> None:
        """Count and pay an answer."""
        prices = self.setting.worker_prices
        self.answered[worker] += 1
        self.diary.paid.append((sentence, worker))
        self.diary.crowd_money += prices[worker] if prices else self.setting.prices.answer

    def can(self, sentence: int, worker: int) -> bool:
        """Tell whether a worker can answer a sentence."""
        return self.scene.can is None or bool(self.scene.can[sentence, worker])

    def answer(self, sentence: int, worker: int) -> Codes:
        """Ask a worker."""
        given = self.scene.source.answers(np.array([sentence]), np.array([worker]))
        return tuple(given[0].tolist())

    def gold(self, sentence: int) -> Codes:
        """Ask the expert."""
        return tuple(self.scene.dataset.gold[sentence].tolist())
