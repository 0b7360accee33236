/** Looking at a server: the live file, growing logs, an upstream. covers: DOM-03 */
import type { ShellCommand } from '../../apps/backend/src/platform/ssh';
import { existsSync } from 'node:fs';
import {
  inspectionIn,
  inspectScript,
  readInspection,
} from '../../apps/backend/src/webserver/apply-scripts/inspect';
import {
  foundIn,
  readExit,
  readLiveFile,
  readScript,
} from '../../apps/backend/src/webserver/apply-scripts/read';
import { sha256OfText } from '../../apps/backend/src/webserver/apply-scripts/apply';
import { tailScript } from '../../apps/backend/src/webserver/apply-scripts/tail';
import { unpackLine } from '../../testing/debian-packages';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { poolThatSees, run, targetOf } from '../ssh/targets';
import { SITES, siteText, startSiteServer, type SiteServer } from './site-server';
import { until } from '../../testing/patience';

const lacking = setupTestsLack(['nginx', 'curl', 'busybox-static']);
needs('this machine can bring up throw-away servers with nginx', lacking);

if (lacking.length === 0) {
  let server: SiteServer;
  const { pool } = poolThatSees();
  beforeAll(async () => {
    server = await startSiteServer({ packages: true });
    await server.inside(unpackLine('curl', 'busybox-static'));
  });
  afterAll(async () => {
    await pool.close();
    await server?.stop();
  });
  const exec = async ({ script, ...given }: ShellCommand, options: Partial<Parameters<typeof run>[3]> = {}) =>
    run(pool, await targetOf(server.host), script, {
      ...given,
      privileged: true,
      timeoutMs: 300_000,
      ...options,
    });

  test('the live file is read byte for byte, by a command and by a run', async () => {
    const read = readScript({ nginxPath: SITES, file: 'app.test.conf' });
    const none = await exec(read);
    expect(readLiveFile(Buffer.from(none.out))).toEqual({ bytes: 0, text: '', nginxRuns: true });
    expect(foundIn((await server.run(read)).report)).toBeUndefined();

    const text = siteText({ extra: '# ::text\n::told sha256 no\n#' });
    await server.inside(`printf '%s' '${text}' > ${SITES}/app.test.conf`);
    const sha256 = sha256OfText(text);
    expect(readLiveFile(Buffer.from((await exec(read)).out))).toEqual({
      sha256,
      text,
      bytes: text.length,
      nginxRuns: true,
      modifiedAt: expect.any(Date),
    });
    expect(foundIn((await server.run(read)).report)).toEqual({ sha256, text });

    await server.inside(`head -c 20000 /dev/urandom > ${SITES}/app.test.conf`);
    const long = await server.run(read);
    expect([long.code, long.report['bytes']]).toEqual([readExit.tooLong, '20000']);
    await server.inside(`rm ${SITES}/app.test.conf`);
    expect((await exec(readScript({ nginxPath: SITES, file: '../passwd' }))).exitCode).toBe(2);
  });

  test('logs are followed as they grow, until nobody watches or the time is up', async () => {
    await server.inside('printf "1\\n2\\n3\\n" > /var/log/nginx/a.log');
    const looking = new AbortController();
    let seen = '';
    const following = exec(tailScript(['/var/log/nginx/a.log'], 2, 60), {
      watches: true,
      signal: looking.signal,
      onOutput: (_stream, text) => void (seen += text),
    });
    await until(() => seen === '2\n3\n');
    await server.inside(
      'echo 4 >> /var/log/nginx/a.log; mv /var/log/nginx/a.log /var/log/nginx/a.log.1; echo 5 > /var/log/nginx/a.log',
    );
    await until(() => seen.includes('5\n'));
    expect(seen).toBe('2\n3\n4\n5\n');
    looking.abort();
    await following;
    const gone =
      'tries=0; while pgrep -f "[t]ail -n 2 -F /var/log" >/dev/null && [ $tries -lt 100 ]; do tries=$((tries + 1)); sleep 0.1; done; pgrep -f "[t]ail -n 2 -F /var/log" | wc -l';
    expect(await server.inside(gone)).toBe('0\n');

    const both = await server.run(tailScript(['/var/log/nginx/a.log', '/var/log/nginx/a.log.1'], 1, 1));
    expect([both.code, both.out]).toEqual([
      0,
      '==> /var/log/nginx/a.log <==\n5\n\n==> /var/log/nginx/a.log.1 <==\n4\n',
    ]);
    expect(await server.inside(gone)).toBe('0\n');
    for (const wrong of [
      tailScript(['relative.log'], 1, 1),
      tailScript(['/etc'], 1, 1),
      tailScript(['/var/log/nginx/a.log'], Number.NaN, 1),
      tailScript([], 1, 1),
    ])
      expect((await exec(wrong)).exitCode).toBe(2);
  });

  // wget in Debian's busybox-static crashes, because it is linked without the resolver.
  test.each(existsSync('/usr/bin/wget') ? ['curl', 'wget'] : ['curl'])(
    'an upstream is checked from the server, with %s',
    async (tool) => {
      if (tool !== 'curl') await server.inside('rm /usr/bin/curl');
      const inspect = async (upstream: string) =>
        readInspection((await server.run(inspectScript(upstream))).report);
      expect(await inspect('http://localhost/a')).toMatchObject({ finding: 'answered', status: 404 });
      const found = await inspect('http://127.0.0.1:80');
      expect(found).toMatchObject({ finding: 'answered', status: 200, addresses: ['127.0.0.1'] });
      if (tool === 'curl') {
        await server.inside(
          'printf "server { listen unix:/run/app.sock; return 204; }" > /etc/nginx/conf.d/socket.conf && nginx -s reload',
        );
        await until(async () => (await inspect('unix:/run/app.sock')).status === 204);
        expect(await inspect('unix:/run/absent.sock:/v1/')).toMatchObject({
          finding: 'unreachable',
          error: 'There is no socket /run/absent.sock.',
        });
        // This nginx speaks HTTP/1.1 there, and no gRPC.
        expect((await inspect('grpc://127.0.0.1:80')).finding).toBe('silent');
        expect((await inspect('grpc://127.0.0.1:9')).finding).toBe('unreachable');
        expect(found).toMatchObject({
          address: '127.0.0.1',
          connectMs: expect.any(Number),
          answerMs: expect.any(Number),
        });
      }
      expect(await inspect('http://127.0.0.1:9')).toMatchObject({
        finding: 'unreachable',
        error: expect.stringMatching(/refused|onnect/),
      });
      expect((await inspect('http://nowhere.invalid:3000')).finding).toBe('unresolved');
      expect((await inspect('http://127.0.0.1:22/')).finding).toBe('silent');
      expect((await inspect('https://127.0.0.1:80/')).finding).toBe('silent');
      const plain = await exec(inspectScript('http://127.0.0.1/'));
      expect(inspectionIn(plain.out).status).toBe(200);
      expect(() => inspectScript('ftp://a.test')).toThrow(RangeError);
    },
    60_000,
  );
}
