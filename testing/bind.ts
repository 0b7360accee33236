import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from './patience';
import { freePort } from './free-port';
import { untilWeDie } from './sshd-root';

export interface BindKey {
  name: string;
  algorithm: 'hmac-sha256' | 'hmac-sha512';
  /** Base64. */
  secret: string;
}

export interface Bind {
  host: string;
  port: number;
  /** Value for DNS_SERVERS. */
  server: string;
  /** Zone that can be changed with either key. */
  zone: string;
  /** Zone that is served, but cannot be changed. */
  fixedZone: string;
  /** Zone with a broken file, so queries get SERVFAIL. */
  brokenZone: string;
  key: BindKey;
  /** Another valid key, with HMAC-SHA512. */
  longKey: BindKey;
  /** Runs lines of nsupdate, such as `add shop.example.test 60 A 127.0.0.1`, without `server`, `zone` and `send`. */
  change(...lines: string[]): void;
  /** All records of the zone as `dig axfr` prints them, without SOA. */
  records(): string[];
  log(): string;
  /** Accepts queries but answers none, like a firewall that drops packets. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

const named = '/usr/sbin/named';

export const makeKey = (name: string, algorithm: BindKey['algorithm']): { key: BindKey; text: string } => {
  const text = execFileSync('tsig-keygen', ['-a', algorithm, name], { encoding: 'utf8' });
  const secret = /secret "([^"]+)"/.exec(text)?.[1];
  if (secret === undefined) throw new Error(`tsig-keygen printed no secret: ${text}`);
  return { key: { name, algorithm, secret }, text };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const threadStates = (pid: number): (string | undefined)[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  });

export const zoneText = (zone: string): string =>
  [
    '$TTL 60',
    `@ IN SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 0`,
    `@ IN NS ns.${zone}.`,
    'ns IN A 127.0.0.1',
    '',
  ].join('\n');

/** Starts a private, real bind9 on the loopback network (UDP and TCP), with a zone that accepts dynamic updates. */
export const startBind = async (): Promise<Bind> => {
  if (!existsSync(named)) throw new Error(`there is no ${named} here: apt-get install bind9 bind9-dnsutils`);
  // bind9 listens only at addresses assigned to an interface, so several instances differ by port.
  const host = '127.0.0.1';
  const port = await freePort(host);
  const folder = mkdtempSync(join(tmpdir(), 'bind-'));
  const [zone, fixedZone, brokenZone] = ['example.test', 'fixed.test', 'broken.test'];
  const short = makeKey('quarterdeck', 'hmac-sha256');
  const long = makeKey('quarterdeck-long', 'hmac-sha512');
  const keyFile = join(folder, 'key.conf');
  writeFileSync(keyFile, short.text, { mode: 0o600 });
  writeFileSync(join(folder, zone), zoneText(zone));
  writeFileSync(join(folder, fixedZone), zoneText(fixedZone));
  writeFileSync(join(folder, brokenZone), 'this is no zone\n');
  const primary = (name: string, more = ''): string =>
    `zone "${name}" { type primary; file "${folder}/${name}"; ${more} };`;
  const config = join(folder, 'named.conf');
  const lines = [
    short.text,
    long.text,
    'controls { };',
    'options {',
    `  directory "${folder}";`,
    `  pid-file "${folder}/named.pid";`,
    `  session-keyfile "${folder}/session.key";`,
    `  managed-keys-directory "${folder}";`,
    `  listen-on port ${port} { ${host}; };`,
    '  listen-on-v6 { none; };',
    '  recursion no;',
    '  notify no;',
    '  dnssec-validation no;',
    '};',
    primary(zone, 'allow-update { key quarterdeck; key quarterdeck-long; };'),
    primary(fixedZone),
    primary(brokenZone),
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);

  const logFile = join(folder, 'named.log');
  const log = (): string => readFileSync(logFile, 'utf8');
  const logHandle = openSync(logFile, 'a');
  const [program = 'setpriv', ...dies] = untilWeDie;
  const child: ChildProcess = spawn(program, [...dies, named, '-g', '-n', '1', '-c', config], {
    stdio: ['ignore', logHandle, logHandle],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  closeSync(logHandle);
  // A test that does not stop it can still end; bind9 then ends, too.
  child.unref();
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(child, `${host}:${port}`, zone, log);
  } catch (error) {
    await stop();
    throw error;
  }

  const nsupdate = (lines: string[]): void => {
    const input = [`server ${host} ${port}`, `zone ${zone}`, ...lines, 'send', ''].join('\n');
    execFileSync('nsupdate', ['-v', '-k', keyFile], { input, stdio: ['pipe', 'pipe', 'pipe'] });
  };
  return {
    host,
    port,
    server: `${host}:${port}`,
    zone,
    fixedZone,
    brokenZone,
    key: short.key,
    longKey: long.key,
    change: (...changes) => nsupdate(changes),
    records: () =>
      execFileSync('dig', [`@${host}`, '-p', String(port), zone, 'axfr', '+noall', '+answer', '+onesoa'], {
        encoding: 'utf8',
      })
        .split('\n')
        .filter((line) => line !== '' && !/\sSOA\s/.test(line))
        .map((line) => line.replace(/\s+/g, ' ')),
    log,
    async freeze() {
      child.kill('SIGSTOP');
      // The signal takes effect later. Until every thread has stopped, one of them may still answer.
      while (!threadStates(child.pid ?? 0).every((state) => state === 'T')) await pause(1);
    },
    thaw: () => void child.kill('SIGCONT'),
    stop,
  };
};

const untilItAnswers = async (
  child: ChildProcess,
  server: string,
  zone: string,
  log: () => string,
): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && child.exitCode === null;) {
    const resolver = new Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([server]);
    const up = await resolver.resolve4(`ns.${zone}`).then(
      () => true,
      () => false,
    );
    if (up) return;
    await pause(10);
  }
  throw new Error(`named did not start at ${server}: ${log().slice(-800)}`);
};
