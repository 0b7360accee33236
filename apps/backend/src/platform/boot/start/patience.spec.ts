import { untilThere, type Obstacle } from './patience';
import { StartProblem, UNAVAILABLE, WRONG_ENVIRONMENT } from '../../start-problem';

const setting = { variable: 'EVENT_STORE_URL', value: 'esdb://a:2113' };
const away: Obstacle = { wrong: 'cannot be reached', remedy: 'start it', exitCode: UNAVAILABLE, waits: true };
const refused: Obstacle = {
  wrong: 'refuses',
  remedy: 'correct it',
  exitCode: WRONG_ENVIRONMENT,
  waits: false,
};

const wait = (answers: (Obstacle | 'there' | 'unforeseen')[], waitMs: number, signal?: AbortSignal) => {
  const told: string[] = [];
  const attempt = async (): Promise<string> => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === 'there') return answer;
    throw Object.assign(new Error('failed'), { obstacle: answer });
  };
  const obstacleOf = (error: unknown): Obstacle | undefined => {
    const { obstacle } = error as { obstacle?: Obstacle | 'unforeseen' };
    return typeof obstacle === 'object' ? obstacle : undefined;
  };
  const what = 'the event log at a:2113';
  const patience = { waitMs, tell: (line: string) => told.push(line), ...(signal ? { signal } : {}) };
  return { told, result: untilThere(attempt, { what, setting, obstacleOf }, patience) };
};

test('one line is printed per attempt until it succeeds', async () => {
  const { told, result } = wait([away, away, 'there'], 60_000);
  expect(await result).toBe('there');
  expect(told).toEqual(Array(2).fill('waiting for the event log at a:2113: it cannot be reached'));
});

test('a service that stays down ends the wait with one line', async () => {
  const { told, result } = wait([away], 1);
  await expect(result).rejects.toMatchObject({
    message: 'EVENT_STORE_URL=esdb://a:2113 cannot be reached; start it',
    exitCode: 69,
  });
  expect(told.length).toBeGreaterThan(0);
});

test('without a wait the first attempt decides', async () => {
  const { told, result } = wait([away], 0);
  await expect(result).rejects.toThrow(StartProblem);
  expect(told).toEqual([]);
});

test('a permanent error ends the wait, even after a temporary one', async () => {
  const { told, result } = wait([away, refused], 60_000);
  await expect(result).rejects.toMatchObject({ exitCode: 78 });
  expect(told).toHaveLength(1);
});

test('an unforeseen error is thrown unchanged', async () => {
  await expect(wait(['unforeseen'], 60_000).result).rejects.toThrow(/^failed$/);
});

test('a process that is asked to end stops waiting', async () => {
  const ending = new AbortController();
  const { result } = wait([away], 60_000, ending.signal);
  ending.abort(new Error('ended'));
  await expect(result).rejects.toThrow('ended');
});
