/** Many instances that wait, and answers at the instant at which their time is over. covers: WF-02 */
import { Client } from 'pg';
import { ASKING } from '../../apps/backend/src/alerts/asking-watch';
import { CAN_GO_ON } from '../../apps/backend/src/workflows/workflow-pump';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { copyWaiting } from '../../testing/waiting-instances';
import { openWorld, type World } from '../backend/world';
import { detail, instanceThat, published, started, type Ask } from './workflows-ground';

let world: World;
let alice: Operator;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
});
afterAll(() => world?.end());

const ask: Ask = async <T>(path: string, body: object) => {
  const answer = await alice.post<T>(path, body);
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
};

const RACES = 100;

it(`of an answer and a time-out at the same instant one wins, and the other is told, ${RACES} times`, async () => {
  const workflow = await published(
    ask,
    { Ask: { does: { is: 'person', role: 'admin', choices: ['Yes'], dueSeconds: 1 } }, Good: {}, Late: {} },
    ['Ask -> Good', 'Ask -> Late on late'],
  );
  const race = async (): Promise<string> => {
    const id = await started(ask, workflow);
    let [asked] = (await detail(ask, id)).states;
    // On a busy machine its time may be over before anybody has seen it ask.
    await until(async () => ([asked] = (await detail(ask, id)).states).length > 0);
    const { due = '', visit } = asked ?? { visit: 0 };
    // Exactly then the pump looks, too.
    await until(() => Date.now() >= Date.parse(due), 1);
    const answer = { id, visit, choice: 'Yes' };
    const { status, body } = await alice.post<{ msg: string }>('workflow/instance/answer', answer);
    const { states } = await instanceThat(ask, id, 'completed');
    expect(states).toHaveLength(2);
    const was = status === 200 ? ['done', 'Good'] : ['late', 'Late'];
    expect([states[0]?.end, states[1]?.node.name]).toEqual(was);
    if (status !== 200)
      expect([status, body.msg]).toEqual([409, 'your answer was not taken: the time to answer it was over']);
    return states[0]?.end ?? '';
  };
  const ends: string[] = [];
  for (let at = 0; at < RACES; at += 10) ends.push(...(await Promise.all(Array.from({ length: 10 }, race))));
  expect(ends).toHaveLength(RACES);
});

const ROWS = 100_000;

describe(`${ROWS} instances that wait`, () => {
  // Without the time limit of the back end's queries.
  let client: Client;

  beforeAll(async () => {
    client = new Client({ connectionString: world.postgres.url });
    await client.connect();
    const workflow = await published(ask, {
      Pause: { does: { is: 'wait', until: '2099-01-01T00:00:00Z' } },
    });
    const waiting = await started(ask, workflow);
    await instanceThat(ask, waiting, 'waiting');
    await copyWaiting(client, waiting, ROWS);
  });
  afterAll(() => client?.end());

  const planOf = async (query: string, values: unknown[] = []) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off, summary off) ${query}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
    return { plan, pages: Number(hit) + Number(read) };
  };

  it('are found by index, and none is read that cannot go on', async () => {
    const { plan, pages } = await planOf(CAN_GO_ON, [new Date().toISOString()]);
    expect(plan).not.toMatch(/Seq Scan on \S*workflow_instances/);
    expect(plan).toMatch(/actual rows=0/);
    expect(pages).toBeLessThan(1000);
  });

  it('and ask somebody are found by index for alerts, and only the oldest are read', async () => {
    const { plan, pages } = await planOf(ASKING);
    expect(plan).not.toMatch(/Seq Scan on \S*workflow_instances/);
    expect(plan).toMatch(/^Nested Loop \(actual rows=100/);
    expect(pages).toBeLessThan(1000);
  });

  it('cost one query a round', async () => {
    const asked = jest.spyOn(Client.prototype, 'query');
    // Once a minute, alerts look for the instances that wait for somebody.
    const statements = (): string[] =>
      asked.mock.calls
        .map(([query]) => (typeof query === 'string' ? query : (query as { text: string }).text))
        .filter((query) => query.includes('read.workflow_instances') && query !== ASKING);
    await until(() => statements().length >= 3);
    expect(new Set(statements())).toEqual(new Set([CAN_GO_ON]));
    asked.mockRestore();
  });

  it('leave one that is started its turn', async () => {
    const id = await started(ask, await published(ask, { Begin: {} }));
    await instanceThat(ask, id, 'completed');
    expect((await detail(ask, id)).states).toHaveLength(1);
  });
});
