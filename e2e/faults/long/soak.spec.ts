/**
 * Random commands on all nouns at two back ends, with a fault every 30 s. `npm run faults -- soak` takes 20 minutes;
 * `npm test` has each fault once. covers: SRV-14, SHELL-09, AUD-05
 */
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { signIn, spawnBackend, type BackendProcess } from '../../../testing/backend';
import { operator } from '../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { startTcpProxy, type TcpProxy } from '../../../testing/tcp-proxy';
import { commandOf } from '../../../apps/backend/src/platform/http/idempotency';
import { Story } from '../../as-of/story';
import { pause } from '../../../testing/patience';
import { fault, within } from '../fault';
import { steadyCaller, type Told } from '../steady-caller';
import { expectProven } from '../writing';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 0);
/** Other numbers make other commands: each found race had a number of its own. */
const SEED = Number(process.env.SOAK_SEED ?? 40_140);
const BETWEEN_MS = MINUTES > 0 ? 30_000 : 700;
const FROZEN_MS = MINUTES > 0 ? 8000 : 1000;
const CALLERS = 4;
/** Time for the last calls and the proof. */
const AFTERWARDS_MS = 15 * 60_000;

let postgres: TestPostgres;
let proxy: TcpProxy;
const backends: BackendProcess[] = [];
const all: BackendProcess[] = [];

/** The second back end reaches its database through the proxy. */
const start = async (at: number, port = 0): Promise<void> => {
  const database = new URL(postgres.url);
  if (at === 1) database.host = `${proxy.host}:${proxy.port}`;
  const backend = await spawnBackend({
    databaseUrl: database.href,
    port,
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'error' },
  });
  backends[at] = backend;
  all.push(backend);
};

const end = async (at: number, signal: NodeJS.Signals): Promise<void> => {
  const backend = backends[at];
  if (!backend) return;
  await backend.kill(signal);
  await start(at, Number(new URL(backend.url).port));
};

const faults: readonly ((at: number) => Promise<void>)[] = [
  (at) => end(at, 'SIGKILL'),
  (at) => end(at, 'SIGTERM'),
  async (at) => {
    const child = backends[at]?.child;
    child?.kill('SIGSTOP');
    await pause(FROZEN_MS);
    child?.kill('SIGCONT');
  },
  () => postgres.restart('immediate'),
  async () => proxy.cut(),
];

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> => {
  const db = new Client({ connectionString: postgres.url });
  await db.connect();
  try {
    return (await db.query<T>(text, values)).rows;
  } finally {
    await db.end();
  }
};

interface Sizes {
  commands: number;
  tables: number;
  wal: number;
}
const sizes = async (): Promise<Sizes> => {
  const [found] = await query<Record<keyof Sizes, string>>(
    `select (select count(distinct meta->>'causationId') from log.events) as commands,
       pg_database_size(current_database()) as tables, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal`,
  );
  return {
    commands: Number(found?.commands),
    tables: Number(found?.tables),
    wal: Number(found?.wal),
  };
};

beforeAll(async () => {
  postgres = await startTestPostgres({ own: true });
  const { hostname, port } = new URL(postgres.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  await start(0);
  await start(1);
});
afterAll(async () => {
  for (const backend of all) {
    backend.child.kill('SIGCONT');
    await backend.stop();
  }
  await proxy?.stop();
  await postgres?.stop();
});

/** @returns the changes that are not in the log exactly once */
const notOnce = async (
  { acknowledged, refusedAgain }: Told,
  by: { actor: string; workspace: string },
): Promise<unknown[]> => {
  const calls = acknowledged.map(({ path, key, position }) => {
    const isInsert = path.endsWith('/insert');
    return { path, position, isInsert, cause: commandOf({ ...by, key }) };
  });
  return query(
    `with calls as (
       select * from jsonb_to_recordset($1::jsonb) as c(path text, position bigint, "isInsert" boolean, cause text)),
     told as (select meta->>'causationId' as cause, stream, type, data::text as data from log.events)
     -- An acknowledged position that the log does not have.
     select 'lost' as how, c.path from calls c
     where not exists (select from log.events e where e.position = c.position)
     union all
     select 'not inserted', c.path from calls c
     where c."isInsert" and c.cause not in (select cause from told)
     union all
     -- A second thing, with another id, would also be an event of the same type.
     select 'inserted twice', c.path from calls c join told t on t.cause = c.cause
     where c."isInsert" group by c.path, c.cause, t.type having count(*) > 1
     union all
     select 'refused although done: ' || says, r.path
     from jsonb_to_recordset($2::jsonb) as r(path text, says text, cause text) where r.cause in (select cause from told)
     union all
     -- An undo is caused by the event that it undoes, which may be undone again after a redo.
     select 'twice', type from told where cause not in (select meta->>'id' from log.events)
     group by cause, stream, type, data having count(*) > 1`,
    [
      JSON.stringify(calls),
      JSON.stringify(refusedAgain.map(({ key, ...said }) => ({ ...said, cause: commandOf({ ...by, key }) }))),
    ],
  );
};

fault({
  fault: 'a soak: random commands on all nouns at two back ends, one of five faults again and again',
  must: 'each acknowledged change is in the log exactly once, log and read models prove equal',
  share: 0,
  trialMs: MINUTES * 60_000 + AFTERWARDS_MS,
  trial: async () => {
    const [one, two] = [backends[0], backends[1]] as [BackendProcess, BackendProcess];
    const here = await signIn(one.url, one.signInLink);
    const operators = [here, operator(two.url, here.cookie)];
    const told: Told = { acknowledged: [], repeated: 0, refusedAgain: [] };
    const began = { at: Date.now(), ...(await sizes()) };
    let going = true;
    const callers = Promise.all(
      Array.from({ length: CALLERS }, async (_, at) => {
        const ways = at % 2 ? operators : operators.toReversed();
        const story = new Story(steadyCaller(ways, told), '', SEED + at);
        while (going) await story.goOn();
      }),
    );
    const memory: { commands: number; megabytes: number }[] = [];
    let count = 0;
    do {
      const acknowledged = told.acknowledged.length;
      await pause(BETWEEN_MS);
      await within(60_000, 'the next acknowledgement', () => told.acknowledged.length > acknowledged);
      const pids = backends.map(({ pid }) => pid);
      memory.push({
        commands: told.acknowledged.length,
        megabytes: Math.max(...pids.map(memoryOf)),
      });
      await faults[count % faults.length]?.(Math.floor(count / faults.length) % 2);
      count += 1;
    } while (count < faults.length || Date.now() - began.at < MINUTES * 60_000);
    going = false;
    await callers;
    const [by] = await query<{ actor: string; workspace: string }>(
      `select meta->>'actor' as actor, meta->>'workspace' as workspace from log.events where position = $1`,
      [told.acknowledged.find(({ path }) => path === 'server/insert')?.position],
    );
    expect(await notOnce(told, by ?? { actor: '', workspace: '' })).toEqual([]);
    const ended = await sizes();
    await expectProven({ databaseUrl: postgres.url });
    const commands = ended.commands - began.commands;
    const perCommand = (of: 'tables' | 'wal') => ((ended[of] - began[of]) / commands / 1000).toFixed(2);
    const [most, first] = [Math.max(...memory.map(({ megabytes }) => megabytes)), memory[0]?.megabytes ?? 0];
    const growth = ((memory.at(-1)?.megabytes ?? 0) - first) / (commands / 1000);
    return [
      `${commands} commands, ${count} faults, ${told.repeated} calls repeated (${told.refusedAgain.length} then refused)`,
      `each 1,000 commands: ${perCommand('tables')} MB of tables, ${perCommand('wal')} MB of write-ahead log`,
      `memory ${growth.toFixed(1)} MB for each 1,000 commands, at most ${most.toFixed(0)} MB`,
    ].join('; ');
  },
});
