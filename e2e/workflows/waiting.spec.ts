/** Many instances that wait, and answers at the instant at which their time is over. covers: WF-02 */
import { Client } from 'pg';
import { CAN_GO_ON } from '../../apps/backend/src/workflows/workflow-pump';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
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
const A_STATEMENT = 10_000;

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
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', table_schema, table_name) as table from information_schema.view_table_usage
       where view_schema = 'read' and view_name = 'workflow_instances' and table_schema <> 'read'`,
    );
    const table = rows.map((row) => row.table).find((name) => name.includes('workflow_instances')) ?? '';
    for (let from = 1; from <= ROWS; from += A_STATEMENT)
      await client.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
           'id', gen_random_uuid()::text,
           'wakeAt', case when n % 2 = 0 then '2099-01-01T00:00:00Z' end))).*
         from ${table} t, generate_series(1, ${A_STATEMENT}) n where t.id = $1`,
        [waiting],
      );
    await client.query(`analyze ${table}`);
  });
  afterAll(() => client?.end());

  it('are found by index, and none is read that cannot go on', async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off, summary off) ${CAN_GO_ON}`,
      [new Date().toISOString()],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on \S*workflow_instances/);
    expect(plan).toMatch(/actual rows=0/);
    const buffers = /Buffers: shared hit=(\d+)/.exec(plan)?.[1];
    expect(Number(buffers)).toBeLessThan(1000);
  });

  it('cost one query a round', async () => {
    const asked = jest.spyOn(Client.prototype, 'query');
    // Once a minute, alerts look for the instances that wait for somebody: `row_number()`.
    const statements = (): string[] =>
      asked.mock.calls
        .map(([query]) => (typeof query === 'string' ? query : (query as { text: string }).text))
        .filter((query) => query.includes('read.workflow_instances') && !query.includes('row_number()'));
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
