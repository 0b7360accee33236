/** Checks of answers in CEL: what compiles, what is refused, and what ends. covers: REQ-02 */
import { threads } from '../platform/threads';
import { evaluateChecks, refusedChecks, type CheckResult } from './checks';

const facts = {
  status: 200,
  headers: [['Content-Type', 'application/json']] as const,
  ms: 12.5,
  text: '{"total": 3, "items": [{"id": 1}, {"id": 2.5}], "name": null}',
};
const evaluate = async (checks: string, answer = facts): Promise<CheckResult[]> =>
  (await evaluateChecks(checks, [answer]))[0] ?? [];

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
  ['status == 200\nstatus ==', /^line 2, column 10: /],
  ['\n  nothing == 1', /^line 2, column 3: .*nothing/],
  ['status', /^line 1: this is int, and it has to be true or false$/],
  [`text.matches('(a+)+$')`, /^line 1, column 1: matches is not available/],
])('%j is judged before it is saved', async (checks, reason) => {
  const refusal = await refusedChecks(checks);
  if (reason) expect(refusal).toMatch(reason);
  else expect(refusal).toBeUndefined();
});

it('judges the same answer in the same way, whichever other answers are asked about', async () => {
  const slower = { ...facts, ms: 99, status: 500 };
  const results = await evaluateChecks('status == 200\nms < 50.0', [facts, slower]);
  expect(results.map((checks) => checks.map(({ is }) => is))).toEqual([
    ['passed', 'passed'],
    ['failed', 'failed'],
  ]);
  expect(await evaluateChecks('status == 200', [])).toEqual([]);
});

it('does not reach prototypes', async () => {
  expect(await evaluate('json.constructor == null')).toMatchObject([{ is: 'undecided' }]);
});
