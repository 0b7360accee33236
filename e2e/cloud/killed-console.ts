/** A console of its own process with an account at the stand-in, which is killed at chosen instants. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Answer, cloud as calls } from '@quarterdeck/contract';
import type { CloudDatabaseView, DropletView, RunView, ServerView } from '@quarterdeck/projections';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startDigitalOcean, type DigitalOceanMood, type DigitalOceanPeer } from '../../testing/digitalocean';
import { until } from '../../testing/patience';
import { startTestPostgres } from '../../testing/postgres';
import { testAuthority } from '../../testing/test-authority';

const LOCK = 34_001;
const ENDED = new Set(['succeeded', 'failed', 'interrupted', 'cancelled']);
export const hasEnded = ({ state }: RunView): boolean => ENDED.has(state);

interface RunRequest {
  path: string;
  input: object;
}

/** A call to the console, and the type of the event that it is killed before. */
interface Cut extends RunRequest {
  type: string;
}

export interface KilledConsole {
  cloud: DigitalOceanPeer;
  ada: Operator;
  droplet(name: string, address: string): Promise<DropletView>;
  /** A cluster as the console knows it, and a product for it. */
  cluster(name: string): Promise<{ cluster: string; product: string }>;
  /** Starts a run. @returns its id */
  start(asked: RunRequest): Promise<string>;
  kill(): Promise<void>;
  ended(run: string): Promise<RunView>;
  /** Starts a run, and returns its id once that call was made, whose answer does not come before `kill`. */
  parked(
    mood: DigitalOceanMood['is'] & ('silent' | 'hanging' | 'waiting'),
    call: string,
    asked: RunRequest,
  ): Promise<string>;
  /** Makes the call, and kills the console once it is about to store its event. */
  killedBefore(cut: Cut): Promise<void>;
  refresh(): Promise<void>;
  orphans(): Promise<Answer<typeof calls.orphans>>;
  serversAt(host: string): Promise<ServerView[]>;
  databasesOf(product: string): Promise<object[]>;
  end(): Promise<void>;
}

export const startKilledConsole = async (): Promise<KilledConsole> => {
  const [cloud, postgres] = await Promise.all([startDigitalOcean(), startTestPostgres()]);
  // Tests make more calls in a minute than a person.
  Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
  cloud.account.authority = (await testAuthority()).root;
  const spawn = (port = 0): Promise<BackendProcess> =>
    spawnBackend({ databaseUrl: postgres.url, port, env: cloud.env });
  let backend = await spawn();
  const ada = await signIn(backend.url, backend.signInLink);
  const good = async <T>(path: string, input: object): Promise<T> => {
    const { status, body } = await ada.post<T>(path, input);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  await good('digitalocean/token/update', { token: cloud.token });
  const refresh = async (): Promise<void> => {
    const { problem } = await good<{ problem?: string }>('digitalocean/refresh', {});
    if (problem !== undefined) throw new Error(problem);
  };
  const kill = async (): Promise<void> => {
    await backend.kill('SIGKILL');
    cloud.go();
    backend = await spawn(Number(new URL(backend.url).port));
  };
  const ended = async (id: string): Promise<RunView> => {
    const detail = () => good<RunView>('run/detail', { id });
    await until(async () => hasEnded(await detail()));
    return detail();
  };
  const start = async ({ path, input }: RunRequest): Promise<string> =>
    (await good<{ runId: string }>(path, { runId: randomUUID(), ...input })).runId;
  const listed = async <T>(path: string, find: (one: T) => boolean): Promise<T> => {
    let found: T | undefined;
    await until(async () => {
      found = (await ada.get<T[]>(path)).body.find(find);
      return found !== undefined;
    });
    return found as T;
  };
  return {
    cloud,
    ada,
    start,
    kill,
    ended,
    refresh,
    async droplet(name, address) {
      const { id } = cloud.account.addDroplet({ name });
      cloud.account.addAddress(id, address);
      await refresh();
      return listed<DropletView>('digitalocean/droplet/list', ({ droplet }) => droplet === id);
    },
    async cluster(name) {
      cloud.account.addCluster({ name });
      await refresh();
      const found = await listed<CloudDatabaseView>(
        'digitalocean/databases/list',
        (one) => one.name === name,
      );
      const { id } = await good<{ id: string }>('product/insert', { data: { name } });
      return { cluster: found.id, product: id };
    },
    async parked(is, call, asked) {
      const before = cloud.calls.length;
      cloud.feel({ is }, call, 1);
      const run = await start(asked);
      await until(() => cloud.calls.slice(before).some((one) => one.startsWith(call)));
      cloud.feel({ is: 'well' });
      return run;
    },
    async killedBefore({ path, input, type }) {
      const db = new Client({ connectionString: postgres.url });
      await db.connect();
      try {
        await db.query(`
          create or replace function app.hold() returns trigger language plpgsql as
            $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
          create trigger hold before insert on log.events for each row when (new.type = '${type}')
            execute function app.hold()`);
        await db.query('select pg_advisory_lock($1)', [LOCK]);
        const cut = ada.post(path, input).catch(() => undefined);
        const waiting = 'select pid from pg_locks where locktype = $1 and objid = $2 and not granted';
        await until(async () => (await db.query(waiting, ['advisory', LOCK])).rowCount === 1);
        await backend.kill('SIGKILL');
        // Its transaction would otherwise go on without it.
        await db.query(`select pg_terminate_backend(pid) from (${waiting}) as held`, ['advisory', LOCK]);
        await until(async () => (await db.query(waiting, ['advisory', LOCK])).rowCount === 0);
        await db.query('drop trigger hold on log.events');
        await cut;
      } finally {
        await db.end();
      }
      backend = await spawn(Number(new URL(backend.url).port));
    },
    orphans: () => good('digitalocean/orphans', {}),
    serversAt: async (host) =>
      (await good<ServerView[]>('server/list', {})).filter((one) => one.host === host),
    databasesOf: (product) => good('database/list', { product: { id: product } }),
    async end() {
      cloud.go();
      await backend.stop();
      await Promise.all([cloud.stop(), postgres.stop()]);
    },
  };
};
