/** How the scripts of a deploy handle answers of docker. covers: DEP-01 */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { imageNamed } from '@quarterdeck/events';
import type { ShellCommand } from '../../platform/ssh';
import { settingOf } from '../../platform/ssh/shell';
import asking from './asking.sh';
import { deployExit } from './deploy-exit';
import { pullScript, retireScript } from './scripts';

const digest = `sha256:${'0'.repeat(64)}`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `docker`: the body of a shell script that replaces docker. Each call is recorded. */
const run = ({ script, ...given }: ShellCommand, docker: string) => {
  const text = `#!/bin/sh\necho "$*" >>'${folder}/calls'\n${docker}\n`;
  writeFileSync(join(folder, 'docker'), text, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', settingOf(given) + script], {
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr, calls: readFileSync(join(folder, 'calls'), 'utf8').split('\n') };
};

const released = (base: string) => ({
  base,
  proxy: join(folder, 'proxy'),
  service: 's',
  release: 'new',
  keep: 2,
  name: 'shop',
  inside: 3000,
  path: '/',
});

const pull = (image: string, docker: string, token = '') =>
  run(
    pullScript({
      image,
      registry: 'registry.example.com',
      user: token && 'ada',
      token,
      release: 'release',
    }),
    docker,
  );

test.each([
  ['docker.io/acme/shop:1', 'acme/shop'],
  ['index.docker.io/acme/shop:1', 'acme/shop'],
  ['registry-1.docker.io/library/nginx', 'nginx'],
  ['docker.io/library/nginx', 'nginx'],
  ['library/nginx:1', 'nginx'],
  ['nginx', 'nginx'],
  ['ghcr.io/acme/shop:1', 'ghcr.io/acme/shop'],
])('finds the digest of %s among others', (image, repository) => {
  const docker = `case $* in *RepoDigests*) echo other/${repository}@x; echo ${repository}@${digest};; esac`;
  // The step passes the image by its one name.
  const { status, stdout } = pull(imageNamed(image), docker);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`::told image ${repository}@${digest}\n`)]);
});

test.each([
  ['Error response from daemon: login attempt failed with status: 401 Unauthorized', deployExit.login],
  ['Error response from daemon: Get "https://ghcr.io/v2/": denied: denied', deployExit.login],
  ['dial tcp 127.0.0.1:5000: connect: connection refused', deployExit.registry],
  ['received unexpected HTTP status: 503 Service Unavailable', deployExit.registry],
])('%s: exit code %i', (said, code) => {
  expect(pull('a/b', `case $1 in login) echo '${said}'; exit 1;; esac`, 'token').status).toBe(code);
});

test.each([
  ['no basic auth credentials', '', deployExit.noLogin],
  [
    "pull access denied for acme/shop, repository does not exist or may require 'docker login'",
    '',
    deployExit.noLogin,
  ],
  ['Head "https://registry/v2/": unauthorized: authentication required', '', deployExit.noLogin],
  ['denied: requested access to the resource is denied', 'token', deployExit.login],
  ['no matching manifest for linux/arm64/v8 in the manifest list entries', '', deployExit.architecture],
  ['manifest for acme/shop:9 not found: manifest unknown', '', deployExit.noImage],
  [
    'Get "https://ghcr.io/v2/": dial tcp: lookup ghcr.io on 192.0.2.53:53: network is unreachable',
    '',
    deployExit.registry,
  ],
  ['filesystem layer verification failed for digest sha256:0', '', deployExit.pull],
])('the pull ends with %s: token %j, exit code %i', (said, token, code) => {
  expect(
    pull('acme/shop:9', `case $1 in pull) echo "Error: ${said.replaceAll('"', '\\"')}"; exit 1;; esac`, token)
      .status,
  ).toBe(code);
});

test('a full disk is told apart from a registry that does not work', () => {
  const said = 'failed to register layer: write /bin/busybox: no space left on device';
  const { status, stderr } = pull('a/b', `case $1 in pull) echo '${said}'; exit 1;; esac`);
  expect([status, stderr]).toEqual([73, expect.stringContaining('The disk of the server is full')]);
});

test("uses the server's own login unless a token is given, and leaves no login behind", () => {
  const docker = `case $* in
    pull*) echo "\${DOCKER_CONFIG-none}" >>'${folder}/calls';;
    *RepoDigests*) echo shop@${digest};;
  esac`;
  expect(pull('shop', docker).calls).toContain('none');
  const login = pull('shop', docker, 'token').calls.find((line) => line.includes('/quarterdeck-login-'));
  expect(existsSync(login ?? '')).toBe(false);
  // A killed attempt leaves such a folder behind.
  mkdirSync(login ?? '', { mode: 0o700 });
  pull('shop', docker);
  expect(existsSync(login ?? '')).toBe(false);
});

test.each(['/health?f[0]=1', '/health?{a,b}'])('asks for %s as it is', async (path) => {
  const asked: (string | undefined)[] = [];
  const service = createServer(({ url }, answer) => {
    asked.push(url);
    answer.end();
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  try {
    const { port } = service.address() as AddressInfo;
    const script = `have() { command -v "$1" >/dev/null; }\nanswer_seconds=5\n${asking.text}\nport=$1; path=$2; asks`;
    await promisify(execFile)('sh', ['-c', script, 'sh', String(port), path]);
    expect(asked).toEqual([path]);
  } finally {
    service.close();
  }
});

test('keeps as many releases that served as are wanted, and frees the tags of the others', () => {
  const base = join(folder, 'service');
  const release = (name: string, file: string, at: number): void => {
    mkdirSync(join(base, name), { recursive: true });
    writeFileSync(join(base, name, file), `shop@${name}\n`);
    utimesSync(join(base, name), at, at);
  };
  release('new', 'image', 50);
  release('failed', 'unserved', 40);
  release('before', 'image', 30);
  release('old', 'image', 20);
  writeFileSync(join(folder, 'proxy'), 'proxy_pass http://127.0.0.1:20001;\n');
  const docker = `case $* in
    'ps '*) echo 'id new 20001';;
    'container inspect '*State.Status*) echo 'running|0|0|';;
    'image inspect '*shop@old) echo shop:1; echo other:1;;
  esac`;
  const { status, calls } = run(retireScript({ ...released(base), seconds: 5 }), docker);
  expect(status).toBe(0);
  expect(['new', 'before', 'failed', 'old'].filter((name) => existsSync(join(base, name)))).toEqual([
    'new',
    'before',
  ]);
  const removed = calls.filter((line) => line.startsWith('image rm'));
  expect(removed).toEqual(['image rm shop@failed', 'image rm shop:1', 'image rm shop@old']);
});

/** Two containers, `new` at port 20001, where the proxy leads to, and `old`. `$state` is what the engine says of `new`. */
const retire = (state: string, more = '') => {
  const base = join(folder, 'service');
  mkdirSync(join(base, 'new'), { recursive: true });
  writeFileSync(join(base, 'new', 'image'), 'shop@new\n');
  writeFileSync(join(folder, 'proxy'), 'proxy_pass http://127.0.0.1:20001;\n');
  writeFileSync(join(folder, 'curl'), '#!/bin/sh\necho 200\n', { mode: 0o755 });
  const docker = `case $* in
    'ps '*)
      echo 'id-new new 20001'
      [ -e '${folder}/removed' ] || echo 'id-old old 20000'
      ;;
    'container inspect '*State.Status*) ${state} ;;
    'rm '*id-old) touch '${folder}/removed' ;;
    ${more}
  esac`;
  return run(retireScript({ ...released(base), seconds: 1 }), docker);
};
const stops = (calls: string[]): string[] => calls.filter((line) => /^(stop|rm|start) /.test(line));

test('removes the previous version while the new one runs and answers', () => {
  const { status, calls } = retire("echo 'running|0|0|healthy'");
  expect([status, stops(calls)]).toEqual([0, ['stop --time 30 id-old', 'rm --force id-old']]);
});

test.each([
  ["echo 'exited|137|0|'", 'The container ended with exit code 137.'],
  ["echo 'restarting|3|4|'", 'The container ended'],
  [
    "echo 'running|0|0|unhealthy'",
    "The image's own health check did not succeed within 1 s: it says unhealthy.",
  ],
  ["echo 'Error: No such container: shop' >&2; exit 1", 'The container is gone.'],
])('keeps the previous version when the engine says %s', (state, reason) => {
  const { status, stderr, calls } = retire(state);
  expect([status, stderr, stops(calls)]).toEqual([deployExit.unhealthy, expect.stringContaining(reason), []]);
});

test('starts the previous version again if the new one ends while that stops', () => {
  const state = `if [ -e '${folder}/stopped' ]; then echo 'exited|1|0|'; else echo 'running|0|0|'; fi`;
  const { status, calls } = retire(state, `'stop '*) touch '${folder}/stopped' ;;`);
  expect([status, stops(calls)]).toEqual([deployExit.unhealthy, ['stop --time 30 id-old', 'start id-old']]);
});

test('an engine that goes away during a question is asked again, and starts what it took along', () => {
  const state = `if [ ! -e '${folder}/asked' ]; then touch '${folder}/asked'; echo 'error during connect: EOF' >&2; exit 1
    elif [ -e '${folder}/started' ]; then echo 'running|0|0|'; else echo 'exited|137|0|'; fi`;
  const { status, calls } = retire(state, `'start '*) touch '${folder}/started' ;;`);
  expect([status, stops(calls)]).toEqual([0, ['start shop', 'stop --time 30 id-old', 'rm --force id-old']]);
});
