/**
 * Following the log of a container that prints 100,000 lines a minute, for twenty seconds: what it costs the server and the wire,
 * against `ssh host docker logs -f` of the same container in the same way, and the delay of a line until a browser has it. Then the
 * same with five browsers: the server must not notice. Needs a throw-away server with docker; as root.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LogPush } from '@quarterdeck/contract';
import { engineLine } from '../testing/docker-engine';
import { operator, type Operator } from '../testing/operator';
import { connectSocket, type Listener } from '../testing/socket';
import { startThrowawayHost, type ThrowawayHost } from '../testing/throwaway-host';
import { until } from '../testing/patience';
import { fieldsOf } from '../testing/server-fields';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, percentile, state, type Line } from './harness';

const LINES = amountOf(33_000);
/** So many lines every 60 ms are 100,000 a minute. */
const AT_ONCE = 100;
const TEXT = 'GET /api/orders/4711 200 in 12 ms, 512 bytes, customer 0193f0a0, from 192.0.2.7';

const talker = `
const print = (n) => { let out = ''; for (let i = 0; i < ${AT_ONCE} && n < ${LINES}; i += 1) out += Date.now() + ' ' + (n += 1) + ' ${TEXT}\\n'; process.stdout.write(out); if (n < ${LINES}) setTimeout(print, 60, n); else setInterval(() => {}, 1e6); };
print(0);`;

/** Of node with its libraries, and nothing else. */
const image = `set -e
mkdir -p /srv/image/app /srv/image/lib64
cp -L '${process.execPath}' /srv/image/app/node
ldd '${process.execPath}' | grep -o '/[^ ]*' | while read -r one; do mkdir -p "/srv/image$(dirname "$one")"; cp -L "$one" "/srv/image$one"; done
cat > /srv/image/app/talk.js <<'END'
${talker}
END
tar -C /srv/image -c . | docker import --change 'CMD ["/app/node", "/app/talk.js"]' - local/talk:1`;

interface Cost {
  /** Processor time of all processes of the server, in ms. */
  cpu: number;
  /** Bytes in its network. */
  bytes: number;
}

const COST = `awk '{ sub(/.*\\) /, ""); sum += $12 + $13 + $14 + $15 } END { print sum * 10 }' /proc/[0-9]*/stat 2>/dev/null
cat /sys/class/net/lo/statistics/tx_bytes`;

const lines: Line[] = [];
const host: ThrowawayHost = await startThrowawayHost({ packages: true });
const inside = async (line: string): Promise<string> => {
  const { code, out } = await host.inside(line);
  if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
  return out;
};
const costNow = async (): Promise<Cost> => {
  const [cpu = 0, bytes = 0] = (await inside(COST)).trim().split('\n').map(Number);
  return { cpu, bytes };
};
let talkers = 0;

/** With what the container and docker cost anyway. @param follow resolves when the last line is there */
const measured = async (follow: (container: string) => Promise<unknown>): Promise<Cost> => {
  const name = `talk-${(talkers += 1)}`;
  await inside(`docker create --name ${name} --network none local/talk:1`);
  const before = await costNow();
  const done = follow(name);
  await inside(`docker start ${name}`);
  await done;
  const after = await costNow();
  await inside(`docker rm -f ${name}`);
  return { cpu: after.cpu - before.cpu, bytes: after.bytes - before.bytes };
};

const bySsh = (key: string) => (name: string) =>
  new Promise<void>((resolve, reject) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
    const ssh: ChildProcess = spawn('ssh', [
      ...options.flatMap((option) => ['-o', option]),
      '-i',
      key,
      '-p',
      String(host.port),
      `${host.username}@${host.host}`,
      `until [ "$(docker inspect -f '{{.State.Running}}' ${name})" = true ]; do sleep 0.2; done; exec docker logs -f ${name}`,
    ]);
    let count = 0;
    ssh.once('error', reject);
    ssh.stdout?.on('data', (bytes: Buffer) => {
      for (const byte of bytes) if (byte === 10) count += 1;
      if (count < LINES) return;
      ssh.kill();
      resolve();
    });
  });

const follow = async (sockets: readonly Listener[], server: string, late: number[], name: string) => {
  await Promise.all(
    sockets.map(async ({ socket }, at) => {
      let [count, missed] = [0, 0];
      const onPush = ({ lines: fresh = [], missed: lost = 0 }: LogPush): void => {
        const now = Date.now();
        missed += lost;
        count += fresh.length;
        if (at === 0) for (const { text } of fresh) late.push(now - Number(text.slice(0, 13)));
      };
      socket.on('followed', onPush);
      const input = { server: { id: server }, source: { kind: 'container', name } };
      await socket.emitWithAck('follow', { key: name, stream: 'log', input });
      await until(() => count + missed >= LINES, 50);
      socket.off('followed', onPush);
      await socket.emitWithAck('unfollow', { key: name });
      if (missed > 0) throw new Error(`a browser missed ${missed} lines`);
    }),
  );
};

try {
  await inside(engineLine());
  await inside(image);
  await withDurablePostgres(async (url) => {
    const backend = await spawnConsole(url);
    try {
      const code = new URL(backend.signInLink).searchParams.get('code') ?? '';
      const who: Operator = await operator(backend.url).signIn(code);
      const { privateKey } = await host.keyFor('ed25519');
      const key = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bench-logs-')), 'key');
      fs.writeFileSync(key, privateKey, { mode: 0o600 });
      const { body } = await who.post<{ id: string }>('server/insert', {
        ...fieldsOf('one', host),
        privateKey,
      });
      const sockets = await Promise.all(Array.from({ length: 5 }, () => connectSocket(who)));
      const [late, lateOfFive]: [number[], number[]] = [[], []];
      const floor = await measured(bySsh(key));
      const one = await measured((name) => follow(sockets.slice(0, 1), body.id, late, name));
      const five = await measured((name) => follow(sockets, body.id, lateOfFive, name));
      fs.rmSync(path.dirname(key), { recursive: true });
      for (const socket of sockets) socket.close();
      const ratio = (what: string, ours: number, to: number, atMost: number, unit: string) =>
        state(
          what,
          ours / to,
          { atMost },
          `${(ours / to).toFixed(2)} x: ${Math.round(ours)} ${unit} to ${Math.round(to)} ${unit} of ssh docker logs -f; target <= ${atMost} x`,
        );
      const p99 = percentile(late, 99);
      lines.push(
        ratio('processor time of the server, one browser', one.cpu, floor.cpu, 1.5, 'ms'),
        ratio('bytes on the wire, one browser', one.bytes, floor.bytes, 1.6, 'bytes'),
        ratio('processor time of the server, five browsers', five.cpu, floor.cpu, 1.5, 'ms'),
        ratio('bytes on the wire, five browsers', five.bytes, floor.bytes, 1.6, 'bytes'),
        state(
          'a line in the browser, p99',
          p99,
          { atMost: 500 },
          `${p99.toFixed(0)} ms, median ${percentile(late, 50).toFixed(0)} ms; target <= 500 ms`,
        ),
      );
    } finally {
      await backend.stop();
    }
  });
} finally {
  await host.stop();
}
finish(lines);
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
