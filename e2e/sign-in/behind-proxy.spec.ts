/**
 * An installation behind real proxies: nginx as docs/operating.md describes it, in front of the built back end, in a
 * network namespace in which proxies and callers have real addresses. All callers send forged headers.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildBackend, spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { namespaceLacks, openNamespace, type NetworkNamespace } from '../../testing/network-namespace';
import { needs } from '../../testing/throwaway-needs';
import { until } from '../../testing/patience';

const BACKEND = '10.0.0.1:4000';
const PROXY = '10.0.0.2';
const FRONT = '10.0.0.3';
/** `direct`: one proxy. `chain`: another one in front of it. */
const doors = { direct: `${PROXY}:80`, chain: `${FRONT}:80`, none: BACKEND };
const people = ['203.0.113.7', '203.0.113.8', '203.0.113.9', '198.51.100.1', '198.51.100.2'];
const sixes = ['2001:db8:1:2::7', '2001:db8:1:2:ffff::8', '2001:db8:1:3::9'];

const lacking = namespaceLacks();
needs('this machine can put proxies into a network namespace', lacking);

interface Call {
  from: string;
  door?: keyof typeof doors;
  code?: string;
  headers?: Record<string, string>;
}

/** Makes calls one after another, each from an address of its own. Runs inside the namespace. */
const CALLER = `
const { request } = require('node:http');
const send = ({ from, to, code, headers }) => new Promise((done, fail) => {
  const [host, port] = [to.slice(0, to.lastIndexOf(':')).replace(/[\\[\\]]/g, ''), to.slice(to.lastIndexOf(':') + 1)];
  const all = { host: 'console.test', 'content-type': 'application/json', 'x-requested-with': 'test', ...headers };
  const call = request({ host, port, localAddress: from, method: 'POST', path: '/api/auth/link', headers: all, agent: false }, (answer) => {
    answer.resume().on('end', () => done(answer.statusCode));
  });
  call.on('error', fail).end(JSON.stringify({ code }));
});
(async () => {
  const statuses = [];
  for (const call of JSON.parse(process.argv[1])) statuses.push(await send(call));
  console.log(JSON.stringify(statuses));
})();`;

/** The proxy of docs/operating.md. */
const documented = (): string => {
  const [, block = ''] = /```nginx\n([^]*?)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  return block;
};

const proxyAt = (address: string, to: string): string => {
  const listen = [
    `listen ${address}:80;`,
    ...(address === PROXY ? [`listen [${sixes[0]?.replace(/7$/, '1')}]:80;`] : []),
  ];
  const location = documented().replace('127.0.0.1:4000;', `${to};\n  proxy_bind ${address};`);
  return `server { ${listen.join(' ')}\n${location}}`;
};

const describeHere = lacking.length > 0 ? describe.skip : describe;

describeHere('behind proxies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'behind-proxy-'));
  let namespace: NetworkNamespace;
  let nginx: ChildProcess;
  let backend: BackendProcess | undefined;

  beforeAll(async () => {
    await buildBackend();
    namespace = await openNamespace(['10.0.0.1', PROXY, FRONT, ...people, ...sixes, '2001:db8:1:2::1']);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = [
      'user root;',
      'worker_processes 1;',
      'daemon off;',
      `pid ${folder}/nginx.pid;`,
      `error_log ${folder}/error.log;`,
      'events {}',
      'http {',
      'access_log off;',
      ...temporary,
      `map $http_upgrade $connection_upgrade { default upgrade; '' close; }`,
      proxyAt(PROXY, BACKEND),
      proxyAt(FRONT, `${PROXY}:80`),
      '}',
    ];
    writeFileSync(join(folder, 'nginx.conf'), config.join('\n'));
    const [command, ...args] = [...namespace.within, 'nginx', '-c', join(folder, 'nginx.conf')];
    nginx = spawn(command, [...args, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  });
  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
  });
  afterAll(async () => {
    if (nginx?.pid !== undefined) {
      const ended = once(nginx, 'exit');
      nginx.kill();
      await ended;
    }
    await namespace?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (env: Record<string, string>): Promise<void> => {
    backend = await spawnBackend({
      dataDir: join(folder, 'data'),
      port: 4000,
      env: { HOST: '10.0.0.1', PUBLIC_URL: 'http://console.test', ...env },
      within: namespace.within,
    });
  };
  const goodCode = (): string => new URL(backend!.signInLink).searchParams.get('code') ?? '';

  /** @returns the status of each call */
  const statusesOf = async (calls: readonly Call[]): Promise<number[]> => {
    const whole = calls.map(({ door = 'direct', code = 'guess', ...call }, i) => ({
      to: call.from.includes(':') ? '[2001:db8:1:2::1]:80' : doors[door],
      code,
      // A new forged address in each call.
      headers: {
        'x-forwarded-for': `192.0.2.${i}`,
        forwarded: `for=192.0.2.${i}`,
        'x-real-ip': `192.0.2.${i}`,
      },
      ...call,
    }));
    const [command, ...args] = [...namespace.within, process.execPath, '-e', CALLER, JSON.stringify(whole)];
    const { stdout } = await promisify(execFile)(command, args);
    return JSON.parse(stdout) as number[];
  };
  const guesses = (call: Call, count = 10): Call[] => Array.from({ length: count }, () => call);
  const waits = async (call: Call): Promise<number[]> => (await statusesOf(guesses(call, 12))).slice(-3);

  test('that are trusted, each caller counts alone, however many addresses they invent', async () => {
    await start({ TRUSTED_PROXIES: `${PROXY}, ${FRONT}` });
    const [ada = '', bob = '', eve = '', ...direct] = people;
    expect(await waits({ from: ada })).toEqual([401, 429, 429]);
    // By the chain, too, it is the same person, and nobody else has to wait.
    expect(
      await statusesOf([{ from: ada, door: 'chain' }, { from: bob, door: 'chain' }, { from: bob }]),
    ).toEqual([429, 401, 401]);
    expect(
      await waits({ from: eve, door: 'chain', headers: { 'x-forwarded-for': `${bob}, ${FRONT}, ${PROXY}` } }),
    ).toEqual([401, 429, 429]);
    expect(await statusesOf([{ from: bob }])).toEqual([401]);

    // One network of IPv6 is one caller.
    const [one = '', same = '', other = ''] = sixes;
    expect(await waits({ from: one })).toEqual([401, 429, 429]);
    expect(await statusesOf([{ from: same }, { from: other }])).toEqual([429, 401]);

    // Past the proxy, and with garbage.
    const [past = '', garbage = ''] = direct;
    expect(await waits({ from: past, door: 'none' })).toEqual([401, 429, 429]);
    expect(
      await waits({ from: garbage, headers: { 'x-forwarded-for': '"><script>, ::::, 999.1.1.1' } }),
    ).toEqual([401, 429, 429]);

    expect(await statusesOf([{ from: ada, code: goodCode() }])).toEqual([200]);
    expect(backend!.stderr()).not.toContain('limits count everybody');
  });

  test('that are not trusted, everybody counts as one, is let in with a good code, and the log says what to do', async () => {
    await start({});
    const [ada = '', bob = ''] = people;
    expect(await waits({ from: ada })).toEqual([401, 429, 429]);
    expect(await statusesOf([{ from: bob }])).toEqual([429]);
    expect(await statusesOf([{ from: bob, code: goodCode() }])).toEqual([200]);
    await statusesOf(guesses({ from: ada }, 40));
    await until(() =>
      /all 50 calls so far came from 10\.0\.0\.2.*name it in TRUSTED_PROXIES/.test(backend!.stderr()),
    );
  });
});
