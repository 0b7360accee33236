/** What a deploy waits for before it stops the earlier release, with a real nginx. covers: DEP-01 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import deployPrelude from '../../apps/backend/src/deploys/deploy-scripts/prelude.sh';
import { proxyFile, proxyText } from '../../apps/backend/src/deploys/proxy';
import { until } from '../../testing/patience';
import { freePort } from '../../testing/free-port';
import { NginxPrefix } from '../webserver/nginx-prefix';

const nginx = new NginxPrefix();
/** A service that answers when the test says so. */
const openService = async (name: string) => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, answer) => void waiting.push(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = await freePort();
  const earlier = await freePort();
  const { port: hostPort } = server.address() as AddressInfo;
  const file = join(nginx.sites, proxyFile(name));
  writeFileSync(file, proxyText({ service: { id: name, name }, port, alsoAt: [earlier], hostPort }));
  return { server, waiting, port, earlier, file };
};
type Service = Awaited<ReturnType<typeof openService>>;

let mine: Service;
let other: Service;

beforeAll(async () => {
  [mine, other] = [await openService('mine'), await openService('other')];
  writeFileSync(join(nginx.folder, 'docker'), '#!/bin/sh\n', { mode: 0o755 });
  chmodSync(join(nginx.folder, 'docker'), 0o755);
  await nginx.start(mine.port);
});
afterAll(async () => {
  await nginx.end();
  for (const { server } of [mine, other]) {
    server.closeAllConnections();
    server.close();
  }
});

const isDraining = ({ file }: Service): boolean => {
  const env = { PATH: `${nginx.folder}:${process.env['PATH']}` };
  const args = ['-c', `exit_architecture=1\n${deployPrelude.text}\ndraining "$1"`, 'sh', file];
  const { status, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' });
  if (stderr) throw new Error(stderr);
  return status === 0;
};

test.each(['port', 'earlier'] as const)(
  'a deploy waits for the requests to its service, and not for those to others: %s',
  async (at) => {
    const asked = [mine, other].map((one) => get({ host: '127.0.0.1', port: one[at], agent: false }));
    for (const one of asked) one.on('error', () => undefined);
    await until(() => mine.waiting.length === 1 && other.waiting.length === 1);
    // Without a reload no worker is about to end.
    expect([mine, other].map(isDraining)).toEqual([false, false]);
    process.kill(Number(readFileSync(join(nginx.folder, 'nginx.pid'), 'utf8')), 'SIGHUP');
    await until(() => isDraining(mine) && isDraining(other));
    mine.waiting.pop()?.end('done');
    await until(() => !isDraining(mine));
    expect(isDraining(other)).toBe(true);
    other.waiting.pop()?.end('done');
    await until(() => !isDraining(other));
  },
);
