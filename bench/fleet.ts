/**
 * One script on a hundred servers, requested over HTTP, until its end is pushed: once over existing connections, and
 * once over new ones. Floor: OpenSSH's own client on the same servers, 25 at once, over ready control masters, and with
 * the same key exchange as ours (its default, sntrup761, takes several times as long). One sshd plays all servers, each
 * at its own address. Both ends share the processors.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectSocket, type Listener } from '../testing/socket';
import { spawnConsole } from './backend';
import { operator, type Operator } from '../testing/operator';
import { startSshd, type Sshd } from '../testing/sshd';
import { Costs } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { compare, finish, state, turnsOf, type Line } from './harness';

const SERVERS = 100;
const AT_ONCE = 25;
const TURNS = turnsOf(5, 2);
const SCRIPT = 'uptime\n';
const addresses = Array.from({ length: SERVERS }, (_, at) => `127.0.1.${at + 1}`);
const execute = promisify(execFile);

/** OpenSSH's client as an operator would use it in a loop. */
class OpenSsh {
  private readonly folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  private readonly options: string[];

  constructor(
    private readonly sshd: Sshd,
    privateKey: string,
  ) {
    const key = join(this.folder, 'key');
    writeFileSync(key, privateKey, { mode: 0o600 });
    this.options = [
      '-F',
      'none',
      '-i',
      key,
      '-p',
      String(sshd.port),
      '-o',
      'BatchMode=yes',
      '-o',
      'LogLevel=ERROR',
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'KexAlgorithms=curve25519-sha256',
      '-o',
      `ControlPath=${this.folder}/%h`,
    ];
  }

  /** Milliseconds for all servers. */
  async onEach(...options: string[]): Promise<number> {
    const began = performance.now();
    // The client takes the first value of each setting.
    const xargs = ['-P', String(AT_ONCE), '-I', 'HOST', 'ssh', ...options, ...this.options];
    const child = spawn('xargs', [...xargs, `${this.sshd.username}@HOST`, SCRIPT.trim()], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.end(`${addresses.join('\n')}\n`);
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`xargs ended with ${String(code)}`);
    return performance.now() - began;
  }

  /** Starts a master connection in the background for each server. */
  async openMasters(): Promise<void> {
    for (const address of addresses)
      await execute('ssh', [...this.options, '-M', '-N', '-f', `${this.sshd.username}@${address}`]);
  }

  async close(): Promise<void> {
    for (const address of addresses)
      await execute('ssh', [...this.options, '-O', 'exit', address]).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What people use instead, if it is installed. It keeps its connections between two runs, as it does by default. */
class Ansible {
  private readonly folder = mkdtempSync(join(tmpdir(), 'bench-ansible-'));
  private readonly inventory = join(this.folder, 'hosts');
  private readonly configuration = join(this.folder, 'ansible.cfg');

  static isInstalled(): boolean {
    return spawnSync('ansible', ['--version'], { stdio: 'ignore' }).status === 0;
  }

  constructor({ port, username }: Sshd, privateKey: string) {
    const key = join(this.folder, 'key');
    writeFileSync(key, privateKey, { mode: 0o600 });
    writeFileSync(this.configuration, '[defaults]\nhost_key_checking = False\n');
    const names = addresses.map((address, at) => `server-${at} ansible_host=${address}`);
    const all = {
      ansible_port: port,
      ansible_user: username,
      ansible_ssh_private_key_file: key,
      ansible_python_interpreter: '/usr/bin/python3',
      ansible_remote_tmp: this.folder,
    };
    const settings = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    writeFileSync(this.inventory, [...names, '[all:vars]', ...settings, ''].join('\n'));
  }

  /** @returns milliseconds */
  async onEach(): Promise<number> {
    const began = performance.now();
    const args = [
      '-i',
      this.inventory,
      '-f',
      String(AT_ONCE),
      '-m',
      'command',
      '-a',
      SCRIPT.trim(),
      '-o',
      'all',
    ];
    await execute('ansible', args, {
      env: { ...process.env, ANSIBLE_CONFIG: this.configuration, ANSIBLE_LOCAL_TEMP: this.folder },
      maxBuffer: 64 * 1024 * 1024,
    });
    return performance.now() - began;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Fleet {
  servers: string[];
  /** One turn on all servers. @returns milliseconds */
  run(): Promise<number>;
  /** Makes existing connections unusable. */
  forgetConnections(): Promise<void>;
  lost: number;
  turns: number;
}

const asked = async <T>(who: Operator, path: string, body: object): Promise<T> => {
  const answer = await who.post<T>(path, body);
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const fleetOn = async (who: Operator, socket: Listener, sshd: Sshd, privateKey: string): Promise<Fleet> => {
  const servers: string[] = [];
  for (const host of addresses) {
    const { port, username, folder } = sshd;
    const paths = { root: folder, path: folder, nginxPath: folder };
    const input = { alias: `${sshd.port} ${host}`, host, port, username, ...paths, privateKey };
    servers.push((await asked<{ id: string }>(who, 'server/insert', input)).id);
  }
  const { id: script } = await asked<{ id: string }>(who, 'script/insert', {
    name: `uptime ${sshd.port}`,
    body: SCRIPT,
    changes: false,
    timeoutSeconds: 60,
  });
  const fleet: Fleet = {
    servers,
    lost: 0,
    turns: 0,
    run: async () => {
      const began = performance.now();
      const input = { servers, script, concurrency: AT_ONCE };
      const { runId } = await asked<{ runId: string }>(who, 'fleet/start', input);
      const isEnd = ({ stream, type }: { stream: string; type: string }) =>
        stream === `run-${runId}` && (type === 'RunSucceeded' || type === 'RunFailed');
      await socket.until(() => socket.changes.some(isEnd));
      const took = performance.now() - began;
      const { hosts } = await asked<{ hosts: { run?: { state: string } }[] }>(who, 'fleet/detail', {
        id: runId,
      });
      fleet.lost += hosts.filter(({ run }) => run?.state !== 'succeeded').length;
      fleet.turns += 1;
      socket.changes.length = 0;
      return took;
    },
    forgetConnections: async () => {
      // The same key, entered again, is a new key to the pool.
      for (const id of servers) await asked(who, 'server/update/private-key', { id, privateKey });
    },
  };
  return fleet;
};

const lines: Line[] = [];
await withDurablePostgres(async (url) => {
  const config = ['AllowUsers *@127.0.0.0/8'];
  const sshd = await startSshd({ host: '0.0.0.0', config });
  // sshd's default: with ten pending connections it starts to reject some.
  const crowded = await startSshd({ host: '0.0.0.0', config, maxStartups: '10:30:100' });
  const { privateKey } = await sshd.keyFor('ed25519');
  const backend = await spawnConsole(url);
  const who = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
  const socket = await connectSocket(who);
  await socket.resume((await who.get('session')).headers.get('x-position') ?? '0');
  const openSsh = new OpenSsh(sshd, privateKey);
  try {
    const fleet = await fleetOn(who, socket, sshd, privateKey);
    await openSsh.openMasters();
    const costs = await Costs.of(url, [backend.pid]);
    lines.push(
      await compare({
        what: `one script over ${SERVERS} servers, connections reused`,
        unit: 'ms',
        target: { atMost: 1 },
        turns: TURNS,
        floor: { name: `ssh over ready ControlMasters, ${AT_ONCE} at once`, turn: () => openSsh.onEach() },
        ours: costs.metered({ name: 'fleet', turn: () => fleet.run() }, () => fleet.turns * SERVERS),
      }),
    );
    await costs.say();
    lines.push(
      await compare({
        what: 'the same, connections new',
        unit: 'ms',
        target: { atMost: 1.5 },
        turns: TURNS,
        floor: {
          name: `ssh with curve25519, ${AT_ONCE} at once`,
          turn: () => openSsh.onEach('-o', 'ControlPath=none'),
        },
        ours: {
          name: 'fleet',
          turn: async () => {
            await fleet.forgetConnections();
            return fleet.run();
          },
        },
      }),
    );
    if (Ansible.isInstalled()) {
      const ansible = new Ansible(sshd, privateKey);
      lines.push(
        await compare({
          what: 'the same by Ansible, connections reused',
          unit: 'ms',
          target: { atMost: 0.5 },
          turns: Math.min(TURNS, 2),
          floor: { name: `ansible -m command -f ${AT_ONCE}`, turn: () => ansible.onEach() },
          ours: { name: 'fleet', turn: () => fleet.run() },
        }),
      );
      ansible.close();
    }
    const key = await crowded.keyFor('ed25519');
    const crowd = await fleetOn(who, socket, crowded, key.privateKey);
    for (let turn = 0; turn < TURNS; turn += 1) {
      await crowd.forgetConnections();
      await crowd.run();
    }
    const [asks, lost] = [(fleet.turns + crowd.turns) * SERVERS, fleet.lost + crowd.lost];
    lines.push(
      state('servers lost, sshd with MaxStartups 10:30:100 too', lost, { atMost: 0 }, `${lost} of ${asks}`),
    );
  } finally {
    await openSsh.close();
    socket.close();
    await backend.stop();
    await Promise.all([sshd.stop(), crowded.stop()]);
  }
});
finish(lines);
