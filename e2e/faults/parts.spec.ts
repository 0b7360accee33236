/** Runs of many parts whose process dies: everything that they started has ended before they end. covers: SRV-15 */
import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FleetDetail } from '@quarterdeck/projections';
import { saveScript } from '../backend/fleet-world';
import { registerAt } from '../backend/world';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { pause } from '../../testing/patience';
import { fault, moment, within } from './fault';

const SERVERS = 3;

let postgres: TestPostgres;
let machines: Sshd[] = [];
/** Trials use the newest process and leave it running. */
const open: BackendProcess[] = [];
let cookie: string;

const spawn = async (): Promise<BackendProcess> => {
  const backend = await spawnBackend({ databaseUrl: postgres.url });
  open.push(backend);
  return backend;
};
/** The same session in every process. */
const through = ({ url }: BackendProcess): Operator => operator(url, cookie);
const living = async (): Promise<BackendProcess> => {
  const last = open.at(-1)!;
  return last.child.exitCode === null && last.child.signalCode === null ? last : spawn();
};

beforeAll(async () => {
  // Each server is a machine of its own: runs on one machine exclude each other.
  [postgres, machines] = await Promise.all([
    startTestPostgres(),
    Promise.all(Array.from({ length: SERVERS }, () => startSshd())),
  ]);
  const first = await spawn();
  ({ cookie } = await signIn(first.url, first.signInLink));
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  for (const machine of machines) await machine.stop();
  await postgres?.stop();
});

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** A run whose script sleeps on every server for longer than any test, and its processes on the servers. */
const sleeping = async (who: Operator) => {
  const seconds = randomInt(1e8, 1e9);
  const servers: string[] = [];
  for (const machine of machines) servers.push(await registerAt(who, machine));
  const script = await saveScript(who, `sleep ${seconds}\n`, { changes: true, timeoutSeconds: 3600 });
  const id = randomUUID();
  expect((await who.post('fleet/start', { servers, script, runId: id })).status).toBe(200);
  const processes = (): string[] =>
    readdirSync('/proc').filter((pid) => commandOf(pid) === `sleep\0${seconds}\0`);
  await within(20_000, 'the work on every server', () => processes().length === SERVERS);
  return { id, processes };
};

/** Cancels the run, and expects it to end only after all its parts. @returns how long that took */
const expectAllEnded = async (
  who: Operator,
  { id, processes }: { id: string; processes: () => string[] },
): Promise<string> => {
  const detail = async () => (await who.post<FleetDetail>('fleet/detail', { id })).body;
  const took = await within(
    20_000,
    'the end of the run',
    async () => (await detail()).run.endedAt !== undefined,
  );
  expect(processes()).toEqual([]);
  const { run, hosts } = await detail();
  expect(run.state).toBe('cancelled');
  expect(hosts.map((host) => host.run?.state)).toEqual(Array.from({ length: SERVERS }, () => 'cancelled'));
  return `ended after ${String(took).padStart(5)} ms`;
};

fault({
  fault: 'a fleet run cancelled through another back end after the one that drove it was killed',
  must: 'it is cancelled when the work on every server has ended, and not before',
  share: 0.3,
  trial: async (turn) => {
    const [first, second] = [await living(), await spawn()];
    const fleet = await sleeping(through(first));
    await first.kill('SIGKILL');
    await pause(moment(turn, 4000));
    expect((await through(second).post('run/cancel', { id: fleet.id })).status).toBe(200);
    return expectAllEnded(through(second), fleet);
  },
});

fault({
  fault: 'a fleet run cancelled before the restarted back end has taken it up',
  must: 'it is cancelled when the work on every server has ended, and not before',
  share: 0.3,
  trial: async () => {
    const first = await living();
    const fleet = await sleeping(through(first));
    await first.kill('SIGKILL');
    const who = through(await spawn());
    expect((await who.post('run/cancel', { id: fleet.id })).status).toBe(200);
    return expectAllEnded(who, fleet);
  },
});
