import { fixedCommands } from '../../apps/backend/src/servers/commands/fixed-commands';
import { type DemoHost, startDemoHost } from '../../testing/demo-host';
import { processesNaming } from '../../testing/processes';
import { poolThatSees, run } from './targets';

let host: DemoHost;
beforeAll(async () => {
  host = await startDemoHost();
});
afterAll(() => host.stop());

it('gives newcomers a server on which the commands have something to show', async () => {
  const { pool, seen } = poolThatSees();
  const target = { ...host, id: 'demo', keyVersion: '1' };
  const command = async (name: string) => {
    const found = fixedCommands.find((one) => one.name === name);
    if (!found) throw new Error(`no command ${name}`);
    const { script, ...given } = found.script(host);
    return run(pool, { ...target, hostKey: host.hostKey }, script, given);
  };
  expect((await command('listStaticFolders')).out).toContain(`${host.path}: 3 folders, 0 files`);
  expect((await command('nginxTest')).exitCode).toBe(0);
  expect((await command('nginxTestandRestart')).out).toContain('nginx runs.');
  expect((await command('serverInfo')).exitCode).toBe(0);
  expect(seen).toEqual([]);
  await pool.close();
  await host.stop();
  expect(
    processesNaming(`sshd: ${host.username}@`).filter(({ commandLine }) =>
      commandLine.includes(`${host.port}`),
    ),
  ).toEqual([]);
});
