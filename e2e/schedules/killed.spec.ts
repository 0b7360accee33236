/** The back end is killed after it has started a run, before it records that. covers: OPS-05 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduleFiring } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { registerAt } from '../backend/world';

let postgres: TestPostgres;
let sshd: Sshd;
let backend: BackendProcess;
let alice: Operator;
let folder = '';

const begin = async (killedBefore?: string): Promise<void> => {
  const kills = killedBefore !== undefined && {
    NODE_OPTIONS: '--import ./testing/killed-before-sending.mjs',
    KILLED_BEFORE_SENDING: killedBefore,
  };
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { ...kills } });
  alice = await signIn(backend.url, backend.signInLink);
};
const ask = async <T = { id: string }>(path: string, body: object): Promise<T> => {
  const answer = await alice.post<T>(path, body);
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
  return answer.body;
};

beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres({ own: true }), startSshd()]);
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-schedule-'));
  chmodSync(folder, 0o777);
});
afterAll(async () => {
  await backend?.stop();
  await Promise.all([sshd?.stop(), postgres?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

it('what is started again under the same id has one run', async () => {
  await begin('insert into app.schedule_firings');
  const killed = once(backend.child, 'exit');
  const file = join(folder, 'runs');
  const { id: script } = await ask('script/insert', {
    name: `S ${randomUUID()}`,
    body: `echo ran >> ${file}\n`,
    changes: true,
    timeoutSeconds: 60,
  });
  const server = { id: await registerAt(alice, sshd) };
  const data = {
    name: 'By hand',
    isOn: false,
    does: 'script',
    server,
    script: { id: script },
    times: '0 6 * * *',
  };
  const { id } = await ask('schedule/insert', { data });
  const runId = randomUUID();
  await expect(alice.post('schedule/start', { id, runId })).rejects.toThrow();
  await killed;
  await begin();
  expect(await ask('schedule/firings', { id })).toEqual([]);
  expect(await ask('schedule/start', { id, runId })).toMatchObject({ runId });
  expect(await ask<ScheduleFiring[]>('schedule/firings', { id })).toMatchObject([
    { id: runId, is: 'started' },
  ]);
  await until(async () => (await ask<RunView>('run/detail', { id: runId })).endedAt !== undefined);
  expect(readFileSync(file, 'utf8')).toBe('ran\n');
});
