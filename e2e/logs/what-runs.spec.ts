/** Logs of real containers, units and an nginx: line for line what docker, the journal and the files say. */
// covers: OPS-03
import type { Answer, logs } from '@quarterdeck/contract';
import type { LogSource } from '@quarterdeck/events/inputs';
import { openWorld, type World } from '../backend/world';
import { addService, good } from '../deploys/container-server';
import type { Operator } from '../../testing/backend';
import { packagesLack } from '../../testing/debian-packages';
import { engineLine, enginePackages } from '../../testing/docker-engine';
import { until } from '../../testing/patience';
import { fieldsOf } from '../../testing/server-fields';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { listenToLogs, type LogListener } from './log-listener';

const packages = [...enginePackages, 'busybox-static'];
const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];
needs('this machine can bring up a throw-away server with docker', lacking);

const setUp = `set -e
${engineLine('busybox-static')}
mkdir -p /srv/image/bin
cp -L "$(command -v busybox)" /srv/image/bin/busybox
for one in sh printf sleep seq cat head tr; do ln -sf busybox /srv/image/bin/$one; done
tar -C /srv/image -c . | docker import --change 'ENV PATH=/bin' - local/shop:1
cat > /etc/systemd/system/talker.service <<'END'
[Service]
ExecStart=/bin/sh -c 'echo "<4>low on paper"; echo "plain"; printf "two\\\\nlines\\\\n"; while read -r line </run/talk; do echo "$line"; done; sleep infinity'
END
mkfifo /run/talk
systemctl daemon-reload`;

type Past = Answer<typeof logs.past>;

if (lacking.length === 0) {
  let world: World;
  let host: ThrowawayHost;
  let alice: Operator;
  let server: string;
  let listener: LogListener;

  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  /** A container that prints what is written to its pipe. */
  const begin = (name: string, first: string, more = ''): Promise<string> =>
    inside(
      `docker run -d --name ${name} --network none ${more} local/shop:1 sh -c '${first}; while :; do sleep 0.1; done'`,
    );
  const print = (name: string, line: string): Promise<string> =>
    inside(`docker exec ${name} sh -c ${JSON.stringify(`${line} >/proc/1/fd/1`)}`);
  const said = async (name: string): Promise<string[]> =>
    (await inside(`docker logs ${name} 2>&1`)).replace(/\n$/, '').split('\n');
  const past = (source: LogSource, query: object = {}) =>
    good<Past>(alice, 'log/past', { server: { id: server }, source, ...query });
  const container = (name: string): LogSource => ({ kind: 'container', name });

  beforeAll(async () => {
    [world, host] = await Promise.all([openWorld(), startThrowawayHost({ packages: true })]);
    await inside(setUp);
    alice = await world.backend.signIn({ email: 'alice@example.org' });
    const { privateKey } = await host.keyFor('ed25519');
    const fields = { ...fieldsOf('web-1', host), privateKey };
    server = (await good<{ id: string }>(alice, 'server/insert', fields)).id;
    listener = await listenToLogs(alice);
  });
  afterAll(async () => {
    listener?.close();
    await world?.end();
    await host?.stop();
  });

  test('a container: both streams, long lines, colours and bytes that are no text', async () => {
    const first = [
      'echo started',
      'echo "ERROR: lost" >&2',
      'printf "\\\\033[31mred\\\\033[0m\\\\n"',
      'head -c 70000 /dev/zero | tr "\\\\000" x; echo end',
      'printf "caf\\\\303\\\\251 \\\\377\\\\n"',
      'echo',
      'for n in $(seq 300); do echo "line $n"; done',
      'echo ready',
    ].join('; ');
    await begin('shop', first);
    const log = await listener.follow(server, container('shop'));
    await log.has('ready');
    await print('shop', 'echo later');
    await log.has('later');
    const expected = (await said('shop')).map((line) =>
      line.length > 32_768 ? `${line.slice(0, 32_768)} … (${line.length - 32_768} more characters)` : line,
    );
    expect(log.texts()).toEqual(expected);
    expect((await past(container('shop'))).lines).toEqual(log.lines);
    expect(log.lines.find(({ text }) => text === 'ERROR: lost')).toMatchObject({ level: 'error' });
    expect(log.states.at(-1)).toEqual({ is: 'live', name: 'shop' });
    await log.stop();
    await until(async () => (await host.inside('pgrep -f "[d]ocker logs"')).code !== 0);
  });

  test('a lost connection and a restart of the container leave no gap and repeat nothing', async () => {
    await begin(
      'counter',
      'echo "begun $$"; n=0; while [ $n -lt 400 ]; do n=$((n + 1)); echo "$n"; sleep 0.01; done; echo done',
    );
    const log = await listener.follow(server, container('counter'));
    for (let cut = 0; cut < 3; cut += 1) {
      const seen = log.lines.length;
      await until(() => log.lines.length > seen + 20);
      await inside('pkill -KILL -f "[s]shd: root@notty"');
    }
    await log.has('done');
    await inside('docker restart --time 0 counter');
    await until(() => log.texts().filter((text) => text === 'done').length === 2);
    expect(log.texts()).toEqual(await said('counter'));
    expect(log.states).toContainEqual({ is: 'waiting', says: 'The container counter has stopped.' });
    await inside('docker rm -f counter');
    await until(() => log.states.at(-1)?.is === 'ended');
    expect(log.states.at(-1)).toEqual({ is: 'ended', says: 'The container counter was removed.' });
    await log.stop();
  });

  test('a service: the next container after a deploy, from its first line on', async () => {
    const { service: id } = await addService(alice, server, []);
    const label = `--label quarterdeck.service=${id}`;
    await begin('orders-1', 'echo old', label);
    const log = await listener.follow(server, { kind: 'service', id });
    await log.has('old');
    await begin('orders-2', 'echo new; echo begins', label);
    await inside('docker rm -f orders-1');
    await log.has('begins');
    expect(log.texts()).toEqual(['old', 'new', 'begins']);
    expect(log.states.at(-1)).toEqual({ is: 'live', name: 'orders-2' });
    await log.stop();
    const listed = await good<Answer<typeof logs.sources>>(alice, 'log/sources', { id: server });
    expect(listed.sources).toContainEqual({ source: { kind: 'service', id }, name: 'Orders' });
    expect(listed.sources).toContainEqual(
      expect.objectContaining({ source: container('orders-2'), state: expect.stringMatching(/^Up /) }),
    );
    expect(listed.sources).toContainEqual(
      expect.objectContaining({
        source: { kind: 'unit', name: 'docker.service' },
        state: 'active (running)',
      }),
    );
  });

  test('a unit: with the levels of the journal, across a lost connection', async () => {
    await inside('systemctl start talker');
    const source: LogSource = { kind: 'unit', name: 'talker.service' };
    const log = await listener.follow(server, source);
    await log.has('lines');
    await inside('pkill -KILL -f "[s]shd: root@notty"');
    await inside('echo "while away" >/run/talk');
    await log.has('while away');
    const entries = await inside('journalctl --unit talker --output cat --no-pager');
    expect(log.texts()).toEqual(entries.replace(/\n$/, '').split('\n'));
    expect(log.lines.find(({ text }) => text === 'low on paper')).toMatchObject({ level: 'warning' });
    await log.stop();
    await until(async () => (await host.inside('pgrep -f "[j]ournalctl.*talker"')).code !== 0);
    const found = await past(source, { search: 'PAPER' });
    expect(found.lines.map(({ text }) => text)).toEqual(['low on paper']);
  });

  test('nginx: its own logs, with the level of each line', async () => {
    // The file system is that of this machine, whose nginx may have been asked things.
    await inside('rm -f /var/log/nginx/*; systemctl restart nginx');
    const access = await listener.follow(server, { kind: 'nginx', log: 'access' });
    const errors = await listener.follow(server, { kind: 'nginx', log: 'error' });
    await until(() => [access, errors].every(({ states }) => states.at(-1)?.is === 'live'));
    await inside(
      'curl -s -o /dev/null http://127.0.0.1/missing?one; rm -rf /var/www/html; curl -s -o /dev/null http://127.0.0.1/two',
    );
    await until(() => access.lines.length >= 2);
    expect(access.texts()).toEqual((await inside('cat /var/log/nginx/access.log')).trim().split('\n'));
    expect(access.lines.map(({ level }) => level)).toEqual(['warning', 'warning']);
    // As logrotate does it.
    await inside(
      'mv /var/log/nginx/access.log /var/log/nginx/access.log.1; curl -s -o /dev/null http://127.0.0.1/three; nginx -s reopen; curl -s -o /dev/null http://127.0.0.1/four',
    );
    await until(() => access.texts().some((text) => text.includes('/four')));
    expect(access.texts()).toEqual(
      (await inside('cat /var/log/nginx/access.log.1 /var/log/nginx/access.log')).trim().split('\n'),
    );
    await access.stop();
    await errors.stop();
  });

  test('nothing of what was followed is left on the server', async () => {
    await until(async () => (await inside('pgrep -c -f "^/bin/sh -s" || true')).trim() === '0');
  });
}
