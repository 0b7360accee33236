// covers: DOM-04
import { isFault } from './domain-pointing';
import { Rounds } from './rounds';
import type { DnsAnswer } from './domain-answers';

const here: DnsAnswer = { outcome: 'found', addresses: [], pointsHere: true };
const failed: DnsAnswer = { outcome: 'failed', addresses: [], pointsHere: false, code: 'ETIMEOUT' };

const roundsOf = (answers: Record<string, DnsAnswer[]>) => {
  const recorded: [string, string][] = [];
  const faults: unknown[] = [];
  let due = Object.keys(answers);
  const rounds = new Rounds<{ id: string }, { answer: DnsAnswer }>({
    due: async () => due.map((id) => ({ id })),
    isFault: ({ answer }) => isFault(answer),
    ask: async ({ id }) => {
      const answer = answers[id]?.shift();
      if (!answer) throw new Error(`${id} is gone`);
      return { answer };
    },
    record: async ({ id }, { answer }) => void recorded.push([id, answer.outcome]),
    onFault: (error) => void faults.push(error),
  });
  return { rounds, recorded, faults, only: (ids: string[]) => void (due = ids) };
};

test('one failure is ignored, two in a row are reported, and an answer in between resets the count', async () => {
  const { rounds, recorded } = roundsOf({ a: [failed, here, failed, failed, failed] });
  const seen: number[] = [];
  for (let round = 0; round < 5; round++) {
    await rounds.round();
    seen.push(recorded.length);
  }
  expect(seen).toEqual([0, 1, 1, 2, 3]);
  expect(recorded.map(([, outcome]) => outcome)).toEqual(['found', 'failed', 'failed']);
});

test('does not count failures of a domain that was absent in between', async () => {
  const { rounds, recorded, only } = roundsOf({ a: [failed, failed] });
  await rounds.round();
  only([]);
  await rounds.round();
  only(['a']);
  await rounds.round();
  expect(recorded).toEqual([]);
});

test('an error for one domain delays no other, and is reported', async () => {
  const { rounds, recorded, faults } = roundsOf({ a: [here], b: [], c: [here] });
  await rounds.round();
  expect(recorded.map(([id]) => id).toSorted()).toEqual(['a', 'c']);
  expect(faults).toEqual([new Error('b is gone')]);
});

test('asks for a few at a time, each once', async () => {
  let [atWork, most] = [0, 0];
  const asked = new Set<string>();
  const rounds = new Rounds<{ id: string }, { answer: DnsAnswer }>({
    due: async () => Array.from({ length: 50 }, (_, index) => ({ id: String(index) })),
    isFault: ({ answer }) => isFault(answer),
    ask: async ({ id }) => {
      most = Math.max(most, ++atWork);
      await new Promise((done) => setImmediate(done));
      atWork -= 1;
      asked.add(id);
      return { answer: here };
    },
    record: async () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  await rounds.round();
  expect([most, asked.size]).toEqual([8, 50]);
});

test('spreads a round over its time, and starts the next one after it', async () => {
  const began: number[] = [];
  const answers = { a: [here, here, here], b: [here, here, here], c: [here, here, here] };
  const started = performance.now();
  const third = new Promise<void>((resolve) => {
    const watch = new Rounds<{ id: string }, { answer: DnsAnswer }>(
      {
        due: async () => Object.keys(answers).map((id) => ({ id })),
        isFault: ({ answer }) => isFault(answer),
        ask: async () => {
          began.push(performance.now());
          if (began.length === 7) void watch.stop().then(resolve);
          return { answer: here };
        },
        record: async () => undefined,
        onFault: (error) => {
          throw error;
        },
      },
      90,
    );
    watch.start();
  });
  await third;
  // Two whole rounds came before the seventh. A busy machine makes them longer, never shorter.
  expect((began[6] ?? 0) - started).toBeGreaterThan(170);
  expect((began[2] ?? 0) - started).toBeGreaterThan(55);
});

test('records nothing any more after being stopped in the middle of a question', async () => {
  const recorded: string[] = [];
  let answer: (asked: { answer: DnsAnswer }) => void = () => undefined;
  const rounds = new Rounds<{ id: string }, { answer: DnsAnswer }>({
    due: async () => [{ id: 'a' }],
    isFault: ({ answer }) => isFault(answer),
    ask: () => new Promise((resolve) => void (answer = resolve)),
    record: async ({ id }) => void recorded.push(id),
    onFault: (error) => {
      throw error;
    },
  });
  rounds.start();
  await new Promise((done) => setImmediate(done));
  const stopped = rounds.stop();
  answer({ answer: here });
  await stopped;
  expect(recorded).toEqual([]);
});
