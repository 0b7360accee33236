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
import { initializeServer } from '../../apps/backend/src/servers/initialize-server';
import { installDocker } from '../../apps/backend/src/servers/install-docker';
import { packagesFolder, packagesLack } from '../peers/debian-packages';
import { needs } from '../peers/throwaway-needs';

const scripts = [initializeServer, installDocker].flatMap(({ kind, steps }) =>
  (typeof steps === 'function' ? [] : steps).map((step): [string, string] => {
    if (step.on !== 'server' || typeof step.script !== 'string')
      throw new Error(`${step.name} is no fixed script`);
    return [`${kind}: ${step.name}`, step.script];
  }),
);
const shells = { dash: ['dash'], bash: ['bash', '--posix'], busybox: ['busybox', 'sh'] };

const lacking = packagesLack(['busybox-static']);
needs('there is a busybox to try them with', lacking);

if (lacking.length === 0) {
  let folder: string;
  let tools: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'setup-scripts-'));
    for (const file of readdirSync(packagesFolder).filter((name) => name.startsWith('busybox-static_')))
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
  const busybox = (script: string, args: string[] = [], env: Record<string, string> = {}) => {
    const told = join(folder, 'told');
    writeFileSync(told, '');
    const tell = 'report() { echo "$1=$2" >> "$TOLD"; }\nchanged() { report changed "$1"; }\n';
    const { status, stdout, stderr } = spawnSync(sh ?? '', [...options, '-c', tell + script, 'sh', ...args], {
      env: { PATH: tools, TOLD: told, ...env },
      encoding: 'utf8',
    });
    return { status, stdout, stderr, told: execFileSync('cat', [told], { encoding: 'utf8' }) };
  };
  const scriptOf = (name: string): string =>
    scripts.find(([one]) => one === name)?.[1] ?? `no script ${name}`;

  test.each(Object.entries(shells))('%s can read all of them', (_name, [shell = '', ...flags]) => {
    const env = { PATH: `${tools}:/usr/bin:/bin` };
    const said = scripts.map(([name, script]) => {
      const { status, stderr } = spawnSync(shell, [...flags, '-n'], { input: script, env, encoding: 'utf8' });
      return [name, status, stderr];
    });
    expect(said).toEqual(scripts.map(([name]) => [name, 0, '']));
  });

  test('busybox has its tools before those of this machine', () => {
    for (const tool of ['awk', 'stat', 'sed'])
      expect(busybox(`${tool} --help 2>&1 | head -n 1`).stdout).toMatch(/^BusyBox/);
  });

  test('reaching a server reports its port', () => {
    const { status, stdout, told } = busybox(scriptOf('initializeServer: reach'), [], {
      SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 2222',
    });
    expect([status, stdout, told]).toEqual([
      0,
      expect.stringMatching(/^Connected to .+ as .+\.\n$/),
      'sshPort=2222\n',
    ]);
    expect(busybox(scriptOf('initializeServer: reach')).told).toBe('');
  });

  test('folders are created once, with the permissions that nginx needs', () => {
    const [root, path, nginx] = ['srv', 'srv/static', 'srv/nginx config'].map((name) => join(folder, name));
    const args = [root ?? '', path ?? '', nginx ?? ''];
    const first = busybox(scriptOf('initializeServer: folders'), args);
    expect([first.status, first.stderr]).toEqual([0, '']);
    const made = args.map((one) => `changed=made the folder ${one}\n`).join('');
    // Only the owner may enter the temporary parent folder.
    expect(first.told).toBe(`${made}changed=let nginx's account pass through ${folder}\n`);
    expect(statSync(folder).mode & 0o777).toBe(0o701);
    expect(statSync(nginx ?? '').mode & 0o777).toBe(0o755);
    const second = busybox(scriptOf('initializeServer: folders'), args);
    expect([second.status, second.told]).toEqual([0, '']);
  });

  test('facts and changes are reported', () => {
    const facts = scriptOf('initializeServer: facts');
    const { status, stdout, stderr, told } = busybox(facts, [folder, 'installed nginx\nstarted nginx']);
    expect([status, stderr]).toEqual([0, '']);
    expect(told).toMatch(
      /^os=.+\nkernel=.+\narchitecture=.+\ncores=\d+\nmemoryBytes=\d{8,}\ndiskBytes=\d{8,}\n/,
    );
    expect(stdout).toMatch(/\nChanged:\n- installed nginx\n- started nginx\n$/);
    expect(busybox(facts, [folder, '']).stdout).toMatch(
      /\nEverything was in place\. Nothing was changed\.\n$/,
    );
  });

  test('privileges and the firewall are checked', () => {
    expect(busybox(scriptOf('initializeServer: system')).stdout).toMatch(/^System: .+\nPackages: .+\n/);
    const { status, stdout } = busybox(scriptOf('initializeServer: firewall'), ['22']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/firewall/i)]);
  });
}
