/** The defining property of the past: an answer about the present stays the answer about that instant forever. */
import type { Operator, RunningBackend } from '../../testing/backend';
import { answerTo, questionsOf, type Question } from './questions';
import { Story } from './story';
import { PATIENCE_MS } from '../../testing/patience';

interface Moment {
  position: string;
  asked: (Question & { answer: { status: number; text: string } })[];
}

const workspaceOf = async (who: Operator) =>
  (await who.get<{ instance: { uuid: string } }>('session')).body.instance.uuid;

/** One story per operator, in their workspace. */
export const storiesOf = (backend: RunningBackend, operators: Operator[]): Promise<Story[]> =>
  Promise.all(
    operators.map(
      async (who, at) => new Story(who, await workspaceOf(who), 20_261_122 + at, backend.resources.store),
    ),
  );

const showOutput = ['/api/run/output', '/api/fleet/detail'];
/** Output is not an event: output since the last event belongs to no position yet. */
const isSettled = async ({ operator }: Story, { path, body }: Question): Promise<boolean> =>
  !showOutput.includes(path) ||
  (await operator.post<{ endedAt?: string }>('run/detail', body ?? {})).body.endedAt !== undefined;

/** As many as the back end answers about the past at once; it would refuse more with 503, which costs time. */
const AT_ONCE = 6;
const inTurn = async <T, U>(all: readonly T[], each: (one: T) => Promise<U>): Promise<U[]> => {
  const found: U[] = [];
  const rest = all.entries();
  const asker = async (): Promise<void> => {
    for (const [at, one] of rest) found[at] = await each(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return found;
};

const isQuiet = async ({ db }: RunningBackend): Promise<boolean> =>
  (await db.query(`select 1 from read.runs where not view ? 'endedAt' limit 1`)).rowCount === 0;

/** Every answer of the present, if nothing happened meanwhile. */
export const recorded = async (backend: RunningBackend, story: Story): Promise<Moment> => {
  const { store, projections } = backend.resources;
  for (;;) {
    const position = await store.head();
    await projections.waitFor(position, PATIENCE_MS);
    // Otherwise work in progress would record events in between.
    if (!(await isQuiet(backend))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    const questions = questionsOf(story);
    const settled = await inTurn(questions, (question) => isSettled(story, question));
    const asked = await inTurn(
      questions.filter((_, at) => settled[at]),
      async (question) => ({ ...question, answer: await answerTo(story.operator, question) }),
    );
    if ((await store.head()) === position) return { position, asked };
  }
};

/** Calls whose answer about the moment differs from the answer at that moment. */
const differing = async (who: Operator, { position, asked }: Moment): Promise<unknown[]> => {
  const all = await inTurn(asked, async ({ answer, ...question }) => {
    const now = await answerTo(who, question, position);
    return now.status === answer.status && now.text === answer.text
      ? []
      : [{ position, ...question, then: answer, now }];
  });
  return all.flat();
};

/**
 * Performs that many actions in each story, records answers from time to time, and asks for all of them again at the
 * end.
 */
export const expectPastAsItWas = async (
  backend: RunningBackend,
  stories: readonly Story[],
  rounds: number,
): Promise<void> => {
  const moments: [Story, Moment][] = [];
  for (const story of stories) for (let n = 0; n < 3; n += 1) await story.addServer();
  for (const story of stories) for (let n = 0; n < 3; n += 1) await story.addDomain();
  for (let round = 0; round < rounds; round += 1)
    for (const story of stories) {
      await story.goOn();
      if (round % 4 === 3) moments.push([story, await recorded(backend, story)]);
    }
  const differences: unknown[] = [];
  // In random order, so that cached data of one moment does not help the next.
  for (const [story, moment] of moments.toSorted((a, b) =>
    (a[1].position.at(-1) ?? '') < (b[1].position.at(-1) ?? '') ? -1 : 1,
  ))
    differences.push(...(await differing(story.operator, moment)));
  expect(differences).toEqual([]);
  const [first, last] = [moments[0]?.[1], moments.at(-2)?.[1]];
  expect(first?.asked.length).toBeGreaterThan(40);
  // The story has progressed: the same calls answer differently at its two ends.
  const texts = (moment?: Moment) => moment?.asked.map(({ answer }) => answer.text);
  expect(texts(first)).not.toEqual(texts(last));
};
