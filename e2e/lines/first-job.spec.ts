/** From an empty folder to the first job, on the version of Node that runs this. covers: SRV-05 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryView, RunView } from '@quarterdeck/projections';
import { stopPostgres } from '../../apps/backend/src/platform/database/postgres-server';
import { registerAt } from '../backend/world';
import { runCommand, signIn, spawnBackend, type BackendProcess } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';

const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-lines-'));
let backend: BackendProcess;
let sshd: Sshd;

beforeAll(async () => {
  [backend, sshd] = await Promise.all([spawnBackend({ dataDir }), startSshd()]);
});
afterAll(async () => {
  await backend?.stop();
  await sshd?.stop();
  await stopPostgres(dataDir, 'immediate');
  rmSync(dataDir, { recursive: true, force: true });
});

test(`signs in, runs a command on a server and prints no warnings on Node ${process.versions.node}`, async () => {
  const ada = await signIn(backend.url, backend.signInLink);
  const id = await registerAt(ada, sshd, 'web-1');
  const answer = await ada.post<{ out: string; runId: string; state: string }>('server/execCmd', {
    id,
    cmdType: 1,
  });
  expect(answer.body).toMatchObject({ state: 'succeeded', out: expect.stringMatching(/\S/) });
  const run = await ada.post<RunView>('run/detail', { id: answer.body.runId });
  expect(run.body).toMatchObject({ state: 'succeeded', subject: { kind: 'server', name: 'web-1' } });

  const refused = await ada.post('domain/insert', { serverName: 'xn--a.example', server: { id } });
  expect(refused.status).toBe(400);
  const history = await ada.post<{ events: HistoryView[] }>('history/list', {});
  expect(history.body.events.map(({ type }) => type)).toContain('ServerRegistered');

  const checked = await runCommand(['audit', 'verify'], { dataDir });
  expect(checked).toMatchObject({ code: 0 });
  expect(`${backend.stderr()}${checked.stderr}`).not.toMatch(/Warning/);
});
