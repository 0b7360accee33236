/**
 * The scripts of both set-ups in the shells that servers have; those that change nothing also with only busybox's
 * tools.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import type { ShellCommand } from '../../apps/backend/src/platform/ssh';
import { settingOf } from '../../apps/backend/src/platform/ssh/shell';
import type { RunContext } from '../../apps/backend/src/runs';
import { initializeServer } from '../../apps/backend/src/servers/initialize-server';
import { installDocker } from '../../apps/backend/src/servers/install-docker';
import { fieldsOf } from '../backend/world';
import { packagesFolder, packagesLack } from '../../testing/debian-packages';
import { needs } from '../../testing/throwaway-needs';

const steps = [initializeServer, installDocker].flatMap(({ kind, steps: all }) =>
  (typeof all === 'function' ? [] : all).flatMap((step) =>
    step.on === 'server' ? [{ ...step, name: `${kind}: ${step.name}` }] : [],
  ),
);
const request = { kind: '', subject: { kind: 'server', id: 'a', name: 'web' }, input: {} };
type Context = Partial<Pick<RunContext, 'attempts'>> & { root?: string; path?: string; nginxPath?: string };
const commandOf = async (
  name: string,
  { attempts = [], root = '/srv', path = '/srv/static', nginxPath = '/srv/nginx' }: Context = {},
): Promise<ShellCommand> => {
  const step = steps.find((one) => one.name === name);
  if (!step) throw new Error(`no step ${name}`);
  const server = {
    ...fieldsOf('web', { host: 'web.test', port: 22, username: 'root' }),
    id: 'a',
    root,
    path,
    nginxPath,
  };
  const context = { run: 'a', request, reports: {}, attempts, server };
  const order =
    typeof step.script === 'function' ? await step.script(context, ownMeta('system', 'a')) : step.script;
  return typeof order === 'string' ? { script: order } : order;
};
const shells = { dash: ['dash'], bash: ['bash', '--posix'], busybox: ['busybox', 'sh'] };

const lacking = packagesLack(['busybox-static']);
needs('there is a busybox to try them with', lacking);

if (lacking.length === 0) {
  let folder: string;
  let tools: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'setup-scripts-'));
    for (const file of readdirSync(packagesFolder).filter((name) => /^busybox-static_.*\.deb$/.test(name)))
      execFileSync('dpkg-deb', ['--extract', join(packagesFolder, file), folder]);
    chmodSync(folder, 0o700);
    tools = join(folder, 'tools');
    mkdirSync(tools);
    const busybox = join(folder, 'bin', 'busybox');
    const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n');
    for (const name of new Set(['busybox', ...applets])) symlinkSync(busybox, join(tools, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const [sh, ...options] = shells.busybox;
  const busybox = ({ script, ...given }: ShellCommand, env: Record<string, string> = {}) => {
    const told = join(folder, 'told');
    writeFileSync(told, '');
    const tell = 'report() { echo "$1=$2" >> "$TOLD"; }\nchanged() { report changed "$1"; }\n';
    const { status, stdout, stderr } = spawnSync(
      sh ?? '',
      [...options, '-c', tell + settingOf(given) + script],
      {
        env: { PATH: tools, TOLD: told, ...env },
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr, told: execFileSync('cat', [told], { encoding: 'utf8' }) };
  };
  test.each(Object.entries(shells))('%s can read all of them', async (_name, [shell = '', ...flags]) => {
    const env = { PATH: `${tools}:/usr/bin:/bin` };
    const said = await Promise.all(
      steps.map(async ({ name }) => {
        const { script: input } = await commandOf(name);
        const { status, stderr } = spawnSync(shell, [...flags, '-n'], { input, env, encoding: 'utf8' });
        return [name, status, stderr];
      }),
    );
    expect(said).toEqual(steps.map(({ name }) => [name, 0, '']));
  });

  test('busybox has its tools before those of this machine', () => {
    for (const tool of ['awk', 'stat', 'sed'])
      expect(busybox({ script: `${tool} --help 2>&1 | head -n 1` }).stdout).toMatch(/^BusyBox/);
  });

  test('reaching a server reports its port', async () => {
    const reach = await commandOf('initializeServer: reach');
    const { status, stdout, told } = busybox(reach, {
      SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 2222',
    });
    expect([status, stdout, told]).toEqual([
      0,
      expect.stringMatching(/^Connected to .+ as .+\.\n$/),
      'sshPort=2222\n',
    ]);
    expect(busybox(reach).told).toBe('');
  });

  test('folders are created once, with the permissions that nginx needs', async () => {
    const args = ['srv', 'srv/static', 'srv/nginx config'].map((name) => join(folder, name));
    const [root, path, nginxPath = ''] = args;
    const folders = await commandOf('initializeServer: folders', { root, path, nginxPath });
    const first = busybox(folders);
    expect([first.status, first.stderr]).toEqual([0, '']);
    const made = args.map((one) => `changed=created the folder ${one}\n`).join('');
    // Only the owner may enter the temporary parent folder.
    expect(first.told).toBe(`${made}changed=gave the account of nginx access through ${folder}\n`);
    expect(statSync(folder).mode & 0o777).toBe(0o701);
    expect(statSync(nginxPath).mode & 0o777).toBe(0o755);
    const second = busybox(folders);
    expect([second.status, second.told]).toEqual([0, '']);
  });

  test('facts and changes are reported', async () => {
    const facts = (...changed: string[]) =>
      commandOf('initializeServer: facts', {
        root: folder,
        attempts: [
          { step: 'nginx', attempt: 1, outcome: 'succeeded', report: { changed: changed.join('\n') } },
        ],
      });
    const { status, stdout, stderr, told } = busybox(await facts('installed nginx', 'started nginx'));
    expect([status, stderr]).toEqual([0, '']);
    expect(told).toMatch(
      /^os=.+\nkernel=.+\narchitecture=.+\ncores=\d+\nmemoryBytes=\d{8,}\ndiskBytes=\d{8,}\n/,
    );
    expect(stdout).toMatch(/\nChanged:\n- installed nginx\n- started nginx\n$/);
    expect(busybox(await facts()).stdout).toMatch(/\nEverything was in place\. Nothing was changed\.\n$/);
  });

  test('privileges and the firewall are checked', async () => {
    expect(busybox(await commandOf('initializeServer: system')).stdout).toMatch(
      /^System: .+\nPackages: .+\n/,
    );
    const { status, stdout } = busybox(await commandOf('initializeServer: firewall'));
    expect([status, stdout]).toEqual([0, expect.stringMatching(/firewall/i)]);
  });
}
