/** Checks of answers in CEL: what compiles, what is refused, and what ends. covers: REQ-02 */
import { threads } from '../platform/threads';
import { evaluateChecks, judgeChecks, type CheckResult } from './checks.jobs';

const facts = {
  status: 200,
  headers: [['Content-Type', 'application/json']] as const,
  ms: 12.5,
  text: '{"total": 3, "items": [{"id": 1}, {"id": 2.5}], "name": null}',
};
const evaluate = async (checks: string, answer = facts): Promise<CheckResult[]> =>
  (await threads.run(evaluateChecks, { checks, answers: [answer] }))[0] ?? [];

afterAll(() => threads.close());

it.each([
  ['status == 200 && status < 300', 'passed'],
  ['headers["content-type"].startsWith("application/")', 'passed'],
  ['json.total == 3 && json.items[1].id > 2.0 && json.name == null', 'passed'],
  ['json.items.all(item, item.id > 0)', 'passed'],
  ['ms < 1.0', 'failed'],
  ['text.contains("nothing")', 'failed'],
  ['json.missing > 1', 'undecided'],
  ['json.total', 'undecided'],
])('%s has %s', async (expression, is) => {
  expect(await evaluate(expression)).toMatchObject([{ expression, is }]);
});

it.each([
  ['', undefined],
  ['status == 200\n\nms < 5.0', undefined],
  ['status == 200\nstatus ==', 2],
  ['nothing == 1', 1],
  ['status', 1],
  [`text.matches('(a+)+$')`, 1],
  ['[1].all(a, [1].all(b, [1].all(c, true)))', 1],
  [Array.from({ length: 150 }, () => 'status').join(' + ') + ' > 1', 1],
])('%j is judged before it is saved', async (checks, line) => {
  expect((await threads.run(judgeChecks, checks))?.line).toBe(line);
});

it('that takes too long is ended, and is neither passed nor failed', async () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at));
  const [result] = await evaluate('json.all(a, json.exists(b, b == -1 || a >= 0 && b < 0 ) == false)', {
    ...facts,
    text,
  });
  expect(result).toMatchObject({ is: 'undecided', reason: expect.stringMatching(/not decided within/) });
});

it('does not reach prototypes', async () => {
  expect(await evaluate('json.constructor == null')).toMatchObject([{ is: 'undecided' }]);
});
