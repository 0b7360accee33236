// covers: SRV-14, SHELL-09, AUD-05, VER-02
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { connectSocket } from '../../testing/socket';
import { pause } from '../../testing/patience';
import { budget, fault, moment, within } from './fault';
import { expectAll, expectProven, idsOf, underWay, write } from './writing';

let postgres: TestPostgres;
/** The back end of all trials; each trial leaves one running. */
let backend: BackendProcess;
let who: Operator;

const open: BackendProcess[] = [];
const start = async (port = 0): Promise<BackendProcess> => {
  const env = { OUTBOUND_ALLOW: '127.0.0.0/8' };
  const one = await spawnBackend({ databaseUrl: postgres.url, port, env });
  open.push(one);
  return one;
};
/** Another process on the same database, at the same address. */
const again = async (): Promise<void> => {
  backend = await start(Number(new URL(backend.url).port));
};

beforeAll(async () => {
  postgres = await startTestPostgres({ own: true });
  backend = await start();
  who = await signIn(backend.url, backend.signInLink);
});
// An earlier trial may have failed before it started the next process.
beforeEach(async () => {
  if (backend.child.exitCode !== null || backend.child.signalCode !== null) await again();
});
afterAll(async () => {
  for (const one of open) await one.stop();
  await postgres?.stop();
});

fault({
  fault: 'kill -9 of the back end between append and projection',
  must: 'nothing acknowledged is lost, ready again within 5 s, log and read models prove equal',
  trial: async (turn) => {
    const writing = write(who);
    await underWay(writing);
    await pause(moment(turn, 700));
    await backend.kill('SIGKILL');
    await writing.stop();
    await again();
    expect(backend.startedInMs).toBeLessThan(budget(5_000));
    await within(5_000, 'catching up', async () => {
      const there = await idsOf(who);
      return writing.acknowledged.every((id) => there.has(id));
    });
    await expectProven({ databaseUrl: postgres.url });
    return `ready after ${String(backend.startedInMs).padStart(4)} ms`;
  },
});

fault({
  fault: 'kill -9 of the back end while scripts are deleted, and the kept answers lost',
  must: 'each deletion, repeated with its Idempotency-Key, is answered as if nothing had happened',
  trial: async (turn) => {
    const script = () => ({ name: randomUUID(), body: 'df -h', changes: false, timeoutSeconds: 30 });
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { body } = await who.post<{ id: string }>('script/insert', script());
        return { id: body.id, key: randomUUID() };
      }),
    );
    const remove = ({ id, key }: (typeof ids)[number]) =>
      who.post('script/delete', { id }, { 'idempotency-key': key }).catch(() => undefined);
    const first = ids.map(remove);
    await Promise.race(first);
    await pause(moment(turn, 60));
    await backend.kill('SIGKILL');
    const answers = await Promise.all(first);
    await again();
    const db = new Client({ connectionString: postgres.url });
    await db.connect();
    await db.query('delete from app.command_receipts');
    await db.end();
    for (const one of ids) {
      const answer = await remove(one);
      expect([answer?.status, answer?.body]).toEqual([200, { id: one.id, uuid: one.id }]);
    }
    return `${answers.filter((answer) => answer === undefined).length} of ${ids.length} had no answer`;
  },
});

fault({
  fault: 'Postgres restarted at once under load',
  must: 'nothing acknowledged is lost or doubled, refusals are 503, caught up within 5 s',
  share: 0.5,
  trial: async (turn) => {
    const writing = write(who);
    await underWay(writing);
    await pause(moment(turn, 400));
    await postgres.restart('immediate');
    const back = await within(5_000, 'writing again', async () => {
      const before = writing.acknowledged.length;
      await pause(50);
      return writing.acknowledged.length > before;
    });
    await writing.stop();
    expect(writing.refused.filter((status) => status !== 503)).toEqual([]);
    await within(5_000, 'catching up', async () => {
      const there = await idsOf(who);
      return writing.acknowledged.every((id) => there.has(id));
    });
    expect((await fetch(`${backend.url}/api/health/live`)).status).toBe(200);
    await expectProven({ databaseUrl: postgres.url });
    return `written again after ${String(back).padStart(4)} ms`;
  },
});

fault({
  fault: 'two back ends on one database, the leading one killed',
  must: 'the other takes over within 5 s and pushes to its own sockets what both recorded, in order',
  trial: async (turn) => {
    const [first, second] = [backend, await start()];
    const [here, there] = [who, operator(second.url, who.cookie)];
    const from = (await there.post('server/list')).headers.get('x-position') ?? '0';
    const socket = await connectSocket(there);
    await socket.resume(from);
    const writing = [write(here, 4), write(there, 4)];
    await Promise.all(writing.map(underWay));
    await pause(moment(turn, 400));
    await first.kill('SIGKILL');
    [backend, who] = [second, there];
    const killed = Date.now();
    const mark = writing[1]?.acknowledged.length ?? 0;
    const pushed = (id: string | undefined) => socket.changes.some(({ stream }) => stream === `server-${id}`);
    await within(5_000, 'a push of what was written after the kill', () =>
      pushed(writing[1]?.acknowledged[mark + 8]),
    );
    const tookOver = Date.now() - killed;
    for (const one of writing) await one.stop();
    const acknowledged = writing.flatMap((one) => one.acknowledged);
    await within(5_000, 'every push', () => acknowledged.every(pushed));
    const positions = socket.changes.map(({ position }) => Number(position));
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    await expectAll(there, acknowledged);
    socket.close();
    await expectProven({ databaseUrl: postgres.url });
    return `took over after ${String(tookOver).padStart(4)} ms`;
  },
});

/** Makes the target's sixth statement wait until lock 42 is free. */
const stallAfterFive = `
  create function stall() returns event_trigger language plpgsql as $$
  declare done integer := 0;
  begin
    if to_regclass('quarterdeck_journal') is not null then
      select count(*) into done from quarterdeck_journal;
    end if;
    if done = 5 then perform pg_advisory_xact_lock(42); end if;
  end $$;
  create event trigger stall on ddl_command_end execute function stall();
  select pg_advisory_lock(42)`;

fault({
  fault: 'kill -9 of the back end while a statement of an apply runs',
  must: 'its successor waits for the end of that statement, goes on by itself, and carries out each once',
  trial: async () => {
    const targetUrl = new URL(await postgres.newDatabase());
    const target = new Client({ connectionString: targetUrl.href });
    await target.connect();
    try {
      const added = async (path: string, body: object): Promise<string> => {
        const answer = await who.post<{ id: string }>(path, body);
        expect(answer).toMatchObject({ status: 200 });
        return answer.body.id;
      };
      const product = { id: await added('product/insert', { data: { name: `Shop ${randomUUID()}` } }) };
      for (let number = 1; number <= 8; number++)
        await added('data-model/entity/insert', {
          data: { name: `Entity ${number}`, table: '', isUuid: false },
          product,
        });
      const { hostname: host, port, username, password, pathname } = targetUrl;
      await added('database/insert', {
        data: {
          name: pathname.slice(1),
          host,
          port: Number(port),
          username,
          password: decodeURIComponent(password),
          certificate: '',
          server: null,
          env: { id: 1 },
          dbType: 2,
        },
        product,
      });
      const uuid = await added('data-model/version/create', product);
      await target.query(stallAfterFive);
      const runId = randomUUID();
      expect(await who.post('data-model/version/apply', { uuid, runId })).toMatchObject({ status: 200 });
      const stalled = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'create table%' and datname = current_database()`;
      await within(20_000, 'the sixth statement', async () => (await target.query(stalled)).rowCount === 1);
      await backend.kill('SIGKILL');
      await again();
      // The statement's answer has no receiver, so PostgreSQL rolls it back.
      await target.query('select pg_advisory_unlock(42)');
      await within(40_000, 'the end of the run', async () => {
        const { body } = await who.post<{ state: string }>('run/detail', { id: runId });
        return body.state === 'succeeded';
      });
      const { rows } = await target.query(
        'select sequence, state from quarterdeck_journal where run = $1 order by sequence',
        [runId],
      );
      expect(rows).toEqual(Array.from({ length: 9 }, (_, sequence) => ({ sequence, state: 'done' })));
    } finally {
      await target.end();
    }
  },
});
