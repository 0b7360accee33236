/** The script itself, in this machine's shell. covers: SRV-16 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthFigures } from '@quarterdeck/projections';
import { settingOf } from '../platform/ssh/shell';
import { parseFigures } from './probe-figures';
import { probeScript } from './probe-script';

let tools: string;
beforeEach(() => {
  tools = mkdtempSync(join(tmpdir(), 'probe-tools-'));
});
afterEach(() => rmSync(tools, { recursive: true, force: true }));

/** Installs a fake tool of that name, found before any other. */
const tool = (name: string, does: string): void =>
  writeFileSync(join(tools, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });

const probe = (root = '/', sites = '', paths = ''): Promise<HealthFigures> =>
  new Promise((resolve, reject) => {
    const { script, ...given } = probeScript({ root, nginx_folder: sites, paths });
    const args = ['-c', settingOf(given) + script];
    execFile('/bin/sh', args, { env: { PATH: `${tools}:/usr/bin:/bin` } }, (error, stdout, stderr) => {
      if (error ?? stderr) reject(error ?? new Error(stderr));
      else resolve(parseFigures(stdout));
    });
  });

describe('the probe script', () => {
  it('reports what /proc says', async () => {
    const memory = readFileSync('/proc/meminfo', 'utf8');
    const figures = await probe();
    expect(figures.memoryTotal).toBe(Number(/^MemTotal: +(\d+)/m.exec(memory)?.[1]) * 1024);
    expect(figures.memoryAvailable).toBeLessThanOrEqual(figures.memoryTotal ?? 0);
    expect(figures.cores).toBeLessThanOrEqual(cpus().length);
    expect(figures.load1).toBeGreaterThanOrEqual(0);
    expect(figures.diskTotal).toBeGreaterThan(figures.diskAvailable ?? Infinity);
    expect(figures.uptimeSeconds).toBeGreaterThan(0);
  });

  it('reports each deployed service: its container, and what answers at its port', async () => {
    const ids = [1, 2, 3, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
    for (const [at, id] of ids.entries())
      writeFileSync(
        join(tools, `quarterdeck-service-${id}.conf`),
        `    listen 127.0.0.1:300${at};\n${at === 3 ? '' : 'proxy_pass http://127.0.0.1:2;'}`,
      );
    tool('nginx', 'exit 0');
    tool('curl', 'case $* in *:3001/) echo 502;; *:3003/) echo 404;; *) echo 200;; esac');
    tool(
      'docker',
      `case $* in
        *--filter\\ name=*) ;;
        *label=*) echo '${ids[0]}|running|Up 2 minutes (unhealthy)'; echo '${ids[1]}|running|Up 2 minutes'; echo '${ids[1]}|exited|Exited (0)';;
      esac`,
    );
    expect((await probe('/', tools)).services).toEqual({
      [ids[0] ?? '']: 'unhealthy',
      [ids[1] ?? '']: '502',
      [ids[2] ?? '']: 'stopped',
      [ids[3] ?? '']: 'serving',
    });
    // The paths of health checks are asked, with the rule of a deploy.
    tool(
      'curl',
      'case $* in *:3003/*) printf 000; exit 28;; */health?a) echo 302;; */) echo 500;; *) echo 404;; esac',
    );
    const paths = [`${ids[0]} /health?a`, `${ids[1]} /h`].join('\n');
    expect((await probe('/', tools, paths)).services).toEqual({
      [ids[0] ?? '']: 'unhealthy',
      [ids[1] ?? '']: 'answers 404',
      [ids[2] ?? '']: 'stopped',
      [ids[3] ?? '']: 'silent',
    });
    expect(await probe('/', join(tools, 'none'))).not.toHaveProperty('services');
  });

  it('reports the file system of a folder that does not exist yet', async () => {
    const { diskTotal } = await probe(tools);
    expect(diskTotal).toBeGreaterThan(0);
    expect((await probe(join(tools, 'not', 'yet', 'there'))).diskTotal).toBe(diskTotal);
    expect((await probe('nowhere at all')).diskTotal).toBe((await probe('/')).diskTotal);
  });

  it('reports used and available space as df does, without reserved space', async () => {
    tool(
      'df',
      "printf 'Filesystem 1024-blocks Used Available Capacity on\\n/dev/sda1 1000 195 555 26%% /\\n'",
    );
    expect(await probe()).toMatchObject({
      diskTotal: 1000 * 1024,
      diskUsed: 195 * 1024,
      diskAvailable: 555 * 1024,
    });
    rmSync(join(tools, 'df'));
    const [, , used] =
      execFileSync('df', ['-P', '-k', '/'], { encoding: 'utf8' }).split('\n')[1]?.split(/ +/) ?? [];
    const { diskUsed = NaN } = await probe();
    // Other processes may write meanwhile.
    expect(Math.abs(diskUsed / 1024 - Number(used))).toBeLessThan(Number(used) / 10);
  });

  it('counts running containers', async () => {
    tool('docker', `[ "$*" = 'ps --quiet' ] && printf 'aa1\\nbb2\\ncc3\\n'`);
    expect(await probe()).toMatchObject({ docker: 'running', containers: 3 });
    tool('docker', 'exit 0');
    expect(await probe()).toMatchObject({ docker: 'running', containers: 0 });
  });

  /** Other tests run a dockerd and an nginx of their own on this machine. */
  const running = (daemon: string, runs: boolean): void =>
    tool(
      'grep',
      `case "$*" in *'-x ${daemon} '*) ${runs ? 'echo /proc/self/comm' : 'exit 1'} ;; *) exec /bin/grep "$@" ;; esac`,
    );

  it('reports docker as stopped if the daemon does not answer', async () => {
    tool('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
    running('dockerd', false);
    const figures = await probe();
    expect(figures.docker).toBe('stopped');
    expect(figures).not.toHaveProperty('containers');
  });

  it.each(['with timeout(1)', 'without'])('ends even if docker and the disk hang, %s', async (how) => {
    tool('docker', 'exec sleep 1000');
    running('dockerd', false);
    tool('df', 'exec sleep 1000');
    if (how === 'without') tool('timeout', 'exit 125');
    const figures = await probe();
    expect(figures.docker).toBe('stopped');
    expect(figures).not.toHaveProperty('diskTotal');
    expect(figures.cores).toBeGreaterThan(0);
  });

  it('distinguishes installed from running nginx', async () => {
    tool('nginx', 'exit 0');
    running('nginx', false);
    expect((await probe()).nginx).toBe('stopped');
    running('nginx', true);
    expect((await probe()).nginx).toBe('running');
  });

  it.each([
    ['running', 'running'],
    ['exited', 'stopped'],
    ['restarting', 'stopped'],
  ])('reports an nginx in a container that is %s as %s, whatever else runs', async (state, nginx) => {
    tool('docker', `case "$*" in *quarterdeck-nginx*) echo ${state} ;; esac`);
    running('nginx', true);
    expect((await probe()).nginx).toBe(nginx);
  });

  it('does not take the nginx of an app in a container for the one of the server', async () => {
    tool('nginx', 'exit 0');
    const contained = '0::/system.slice/docker-0123.scope';
    tool(
      'grep',
      `case "$*" in
        *'-x nginx '*) echo /proc/4242/comm ;;
        *'/proc/self/cgroup') exit 1 ;;
        *'/proc/4242/cgroup') echo '${contained}' | /bin/grep -q -E "$4" ;;
        *) exec /bin/grep "$@" ;;
      esac`,
    );
    expect((await probe()).nginx).toBe('stopped');
  });
});
