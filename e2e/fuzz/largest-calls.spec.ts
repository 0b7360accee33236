/**
 * No call costs processor time that grows with the square of its input. What the largest inputs cost is a matter of the
 * machine: `npm run bench -- inputs` measures that, with every form of text.
 *
 * covers: VAL-01
 */
import { contract } from '@quarterdeck/contract';
import { spawnBackend, signIn, type BackendProcess } from '../../testing/backend';
import type { Operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { growthOf } from './growth';
import type { Json } from './hostile';
import { shareOf } from './largest';
import { largestCalls, MAX_MS, spentBy, thingsOf, type LargestCall } from './largest-calls';

let postgres: TestPostgres;
let backend: BackendProcess;
let who: Operator;
let all: Map<string, LargestCall>;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { CHECK_ANSWERS: 'off' } });
  who = await signIn(backend.url, backend.signInLink);
  all = new Map(largestCalls(await thingsOf(who), { isSample: true }).map((call) => [call.path, call]));
});
afterAll(async () => {
  await backend.stop();
  await postgres.stop();
});

const paths = largestCalls({}).map(({ path }) => path);

test('the list has every call but those that end the session, and one that is limited by address', () => {
  const listed = new Set(paths);
  const others = contract.map(({ path }) => path).filter((path) => !listed.has(path));
  expect(new Set(others)).toEqual(new Set(['auth/link', 'auth/logout']));
});

test.each(paths)('%s', async (path) => {
  const call = all.get(path) as LargestCall;
  const send = (body: Json) => call.send(who, body);
  for (const body of call.bodies()) {
    const { ms } = await spentBy(backend.pid, () => send(body));
    // Below this, a measurement is mostly other work that the process does while the call waits for a host.
    if (ms < MAX_MS) continue;
    const prepare = (quarters: number) => {
      const part = shareOf(body, call.valid, quarters / 4);
      return () => send(part);
    };
    expect(await growthOf(prepare, 1, backend.pid)).toMatchObject({ grows: false });
  }
});
