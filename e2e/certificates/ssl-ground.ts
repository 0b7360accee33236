/**
 * Any number of domains on two loopback addresses, behind a real bind9 and port 443 of a real TLS server, and the built
 * back end as a process that can be killed.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputChunk, RunView, SslCheck, SslMonitorStatus } from '@quarterdeck/projections';
import { Pool } from 'pg';
import { fieldsOf, idleKey } from '../backend/world';
import { runHere, signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startBind, type Bind } from '../../testing/bind';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startTlsEndpoints, type EndpointKind, type TlsEndpoints } from '../../testing/tls-endpoints';
import { until } from '../../testing/patience';

export interface SslGround {
  bind: Bind;
  endpoints: TlsEndpoints;
  db: Pool;
  readonly backend: BackendProcess;
  /** The administrator of workspace `main`, at the running back end. */
  readonly alice: Operator;
  /** Signs in another person; default: of workspace `main`. */
  person(email: string, workspace?: string): Promise<Operator>;
  /** Kills the back end and starts it again. */
  restart(): Promise<void>;
  /** Registers a server that nobody connects to. @returns its id */
  server(host: string, who?: Operator): Promise<string>;
  /** Addresses with a TLS server, and without any listener. */
  up: string;
  down: string;
  domain(serverName: string, server: string, who?: Operator): Promise<string>;
  /** Serves the name with a certificate that all names of its kind share. */
  serve(name: string, kind: EndpointKind): void;
  status(who?: Operator): Promise<SslMonitorStatus>;
  run(id: string): Promise<RunView>;
  checks(run: string): Promise<SslCheck[]>;
  /** All output lines of a run. */
  lines(run: string): Promise<string[]>;
  /** Number of checked domains of a run, from its rows. */
  checkedOf(run: string): Promise<number>;
  /** Waits until the run has ended. */
  ended(run: string): Promise<RunView>;
  /** Memory of the back end in kB: now, and at its peak. */
  memory(): { now: number; most: number };
  end(): Promise<void>;
}

/** @param opening the database to use; default: one for tests */
export const openSslGround = async (
  more: Record<string, string> = {},
  opening: Promise<Pick<TestPostgres, 'url' | 'stop'>> = startTestPostgres(),
): Promise<SslGround> => {
  const folder = mkdtempSync(join(tmpdir(), 'ssl-'));
  // Port 443 exists once per address, and there are many addresses.
  const net = `127.${randomInt(90, 250)}.${randomInt(1, 250)}`;
  const [up, down] = [`${net}.1`, `${net}.2`];
  const [postgres, bind, endpoints] = await Promise.all([
    opening,
    startBind(),
    startTlsEndpoints({ address: up, port: 443 }),
  ]);
  bind.change(`add *.up.${bind.zone} 60 A ${up}`, `add *.down.${bind.zone} 60 A ${down}`);
  writeFileSync(join(folder, 'ca.pem'), endpoints.ca);
  const db = new Pool({ connectionString: postgres.url });
  const env = {
    DNS_SERVERS: bind.server,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    LOG_LEVEL: 'error',
    ...more,
  };
  const start = () => spawnBackend({ databaseUrl: postgres.url, dataDir: folder, env });
  let backend = await start();
  let alice = await signIn(backend.url, backend.signInLink);

  const memory: SslGround['memory'] = () => {
    const status = readFileSync(`/proc/${backend.pid}/status`, 'utf8');
    const of = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]);
    return { now: of('VmRSS'), most: of('VmHWM') };
  };
  const run: SslGround['run'] = async (id) => (await alice.post<RunView>('run/detail', { id })).body;
  return {
    bind,
    endpoints,
    db,
    up,
    down,
    memory,
    run,
    get backend() {
      return backend;
    },
    get alice() {
      return alice;
    },
    person: async (email, workspace = 'main') => {
      const said = await runHere(['sign-in-link', '--workspace', workspace, '--email', email], {
        databaseUrl: postgres.url,
        dataDir: folder,
        env: { ...env, PUBLIC_URL: backend.url },
      });
      const link = /https?:\S+/.exec(said.stdout)?.[0];
      if (link === undefined) throw new Error(`no link: ${said.stdout}${said.stderr}`);
      return signIn(backend.url, link);
    },
    async restart() {
      await backend.kill('SIGKILL');
      backend = await start();
      alice = operator(backend.url, alice.cookie);
    },
    async server(host, who = alice) {
      const fields = fieldsOf(`at ${host}`, { host, port: 9, username: 'root' });
      const { status, body } = await who.post('server/insert', { ...fields, privateKey: idleKey() });
      if (status !== 200) throw new Error(`not registered: ${JSON.stringify(body)}`);
      return String(body['id']);
    },
    async domain(serverName, server, who = alice) {
      const { status, body } = await who.post('domain/insert', { serverName, server: { id: server } });
      if (status !== 200) throw new Error(`not added: ${JSON.stringify(body)}`);
      return String(body['id']);
    },
    serve: (name, kind) => void endpoints.serve(name, { kind, covering: `*.up.${bind.zone}` }),
    status: async (who = alice) => (await who.post<SslMonitorStatus>('ssl/status')).body,
    checks: async (id) => (await alice.post<SslCheck[]>('ssl/checks', { id })).body,
    async lines(id) {
      let text = '';
      for (let after = 0, more = true; more;) {
        const { body } = await alice.post<{ chunks: OutputChunk[]; more: boolean }>('run/output', {
          id,
          after,
        });
        text += body.chunks.map((chunk) => chunk.text).join('');
        after = body.chunks.at(-1)?.seq ?? after;
        more = body.more;
      }
      return text.split('\n').filter((line) => line !== '');
    },
    async checkedOf(id) {
      const { rows } = await db.query<{ count: number }>(
        'select count(found)::int as count from app.ssl_checks where run = $1',
        [id],
      );
      return rows[0]?.count ?? 0;
    },
    async ended(id) {
      const isOver = async (): Promise<boolean> => {
        const ends = ['succeeded', 'failed', 'cancelled', 'interrupted'];
        const { rows } = await db.query('select from read.runs where id = $1 and state = any($2)', [
          id,
          ends,
        ]);
        return rows.length > 0;
      };
      await until(isOver);
      return run(id);
    },
    async end() {
      await backend.kill('SIGKILL');
      await endpoints.stop();
      await bind.stop();
      await db.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
