/**
 * A throw-away Debian server: an overlay of this machine's files with writes in memory, real systemd as its first
 * process, an isolated network, and a real sshd. Tests can install packages and start services; everything is discarded
 * when the server is stopped, or when the process that started it ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { PATIENCE_MS } from './patience';
import { packageIndex, packagesFolder } from './debian-packages';
import { familyOf } from './processes';
import { type KeyKind, makeKey, type UserKey, UserKeys } from './sshd-keys';
import { untilWeDie } from './sshd-root';
import { bootScript, enterScript, SSHD_PID, writeOwnFiles } from './throwaway-boot';
import { makeGroups, removeGroups, sweepForsaken } from './throwaway-leftovers';
import { throwawayHostLacks } from './throwaway-lacks';

export interface ThrowawayOptions {
  /** Whether it can install the fetched packages. Otherwise its package source cannot be reached. */
  packages?: boolean;
  /** Whether it has its own loopback address on this machine, with its ports 22, 80 and 443. */
  address?: boolean;
}

export interface Said {
  code: number | null;
  /** Stdout and stderr, interleaved. */
  out: string;
}

export interface ThrowawayHost {
  name: string;
  /** Address of its sshd on this machine. The port is 22 if it has its own address. */
  host: string;
  port: number;
  username: string;
  keyFor(kind: KeyKind): Promise<UserKey>;
  /** Runs a shell line on the server as root, without sshd. @param stdin output of a process of this machine */
  inside(line: string, stdin?: Readable): Promise<Said>;
  /** @returns a loopback port of this machine that leads to the server's `port` */
  gate(port: number): Promise<number>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Accepts connections on this machine, and hands each one to a process inside the server's network. */
const openGate = async (init: number, to: number, at = { host: HOST, port: 0 }): Promise<Server> => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const reach = ['-t', String(init), '-n', 'socat', '-', `TCP:127.0.0.1:${to}`];
    const carrier = spawn('nsenter', reach, { stdio: [socket, socket, 'ignore'] });
    socket.on('error', () => undefined);
    carrier.once('spawn', () => socket.destroy()).once('error', () => socket.destroy());
    carrier.unref();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ ...at, backlog: 511 }, resolve);
  });
  server.unref();
  return server;
};

const FIXED = [22, 80, 443];
const ADDRESSES = 240;

/** Opens gates on the same port numbers, on a loopback address where they are free. */
const openAddress = async (init: number): Promise<{ host: string; gates: Server[] }> => {
  for (let attempt = 1; ; attempt += 1) {
    const host = `127.${randomInt(64, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`;
    const gates: Server[] = [];
    try {
      for (const port of FIXED) gates.push(await openGate(init, port, { host, port }));
      return { host, gates };
    } catch (error) {
      for (const gate of gates) gate.close();
      if (attempt === ADDRESSES) throw error;
      // Another test's nginx may briefly listen on a port of all addresses.
      await pause(250);
    }
  }
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const enter = (init: number, line: string, stdin?: Readable): Promise<Said> =>
  new Promise((resolve, reject) => {
    const all = ['-t', String(init), '-m', '-u', '-i', '-n', '-p', '-C'];
    const environment = ['env', '-i', 'HOME=/root', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'];
    const child = spawn('nsenter', [...all, ...environment, 'sh', '-c', `exec 2>&1\n${line}`], {
      stdio: [stdin ?? 'ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.once('error', reject).once('close', (code) => resolve({ code, out }));
  });

/** Waits until its sshd listens. @returns the PID of its first process, as seen on this machine */
const booted = async (child: ChildProcess, folder: string, log: string): Promise<number> => {
  const told = join(folder, 'init');
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && child.exitCode === null;) {
    const init = existsSync(told) ? Number(readFileSync(told, 'utf8')) : 0;
    if (init > 0 && existsSync(`/proc/${init}/root${SSHD_PID}`)) return init;
    await pause(20);
  }
  throw new Error(`the throw-away server did not boot: ${readFileSync(log, 'utf8').slice(-1000)}`);
};

export const startThrowawayHost = async ({
  packages = false,
  address = false,
}: ThrowawayOptions = {}): Promise<ThrowawayHost> => {
  const lacking = throwawayHostLacks();
  if (lacking.length > 0) throw new Error(lacking.join('\n'));
  sweepForsaken();
  const name = `throwaway-${process.pid}-${randomBytes(4).toString('hex')}`;
  const folder = join(tmpdir(), name);
  mkdirSync(join(folder, 'layers'), { recursive: true });
  const files = join(folder, 'files');
  writeOwnFiles(files, { name, packages: packages ? packageIndex() : undefined });
  const ssh = join(files, 'etc/ssh');
  const keys = new UserKeys(folder, join(ssh, 'authorized_keys'));
  await Promise.all([keys.of('ed25519'), makeKey(join(ssh, 'host_key'), ['-t', 'ed25519', '-N', ''])]);
  writeFileSync(join(folder, 'enter.sh'), enterScript);
  writeFileSync(join(folder, 'boot.sh'), bootScript);
  writeFileSync(
    join(folder, 'groups'),
    makeGroups(name)
      .map((group) => `${group}\n`)
      .join(''),
  );

  const log = join(folder, 'boot.log');
  const [program = '', ...before] = untilWeDie;
  const shell = ['sh', '-c', 'exec >"$0" 2>&1; exec sh "$@"', log];
  const command = [join(folder, 'enter.sh'), folder, name, packages ? packagesFolder : ''];
  const child = spawn(program, [...before, ...shell, ...command], { stdio: 'ignore' });
  child.unref();
  const gates: Server[] = [];

  const stop = async (): Promise<void> => {
    for (const gate of gates) gate.close();
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      // When its first process ends, all others end.
      for (const { pid } of familyOf(child.pid ?? 0).slice(0, 2)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process has already ended.
        }
      }
      await gone;
    }
    await removeGroups(name);
    rmSync(folder, { recursive: true, force: true });
  };

  const start = async (): Promise<ThrowawayHost> => {
    const init = await booted(child, folder, log);
    const own = address ? await openAddress(init) : { host: HOST, gates: [await openGate(init, 22)] };
    gates.push(...own.gates);
    const [gate] = own.gates;
    const at = { host: own.host, port: gate ? portOf(gate) : 0 };
    return {
      name,
      ...at,
      username: 'root',
      keyFor: (kind) => keys.of(kind),
      inside: (line, stdin) => enter(init, line, stdin),
      async gate(port) {
        const gate = await openGate(init, port);
        gates.push(gate);
        return portOf(gate);
      },
      stop,
    };
  };
  return start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
};
