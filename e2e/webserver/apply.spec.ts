/** A site's configuration goes live on a real nginx, or nothing changes, unnoticed by visitors. covers: DOM-07 */
import {
  applyScript,
  removeScript,
  sha256OfText,
} from '../../apps/backend/src/webserver/apply-scripts/apply';
import { siteConfig } from '../../apps/backend/src/webserver/site-config';
import { applyExit } from '../../apps/backend/src/webserver/apply-scripts/apply-exit';
import { unpackLine } from '../../testing/debian-packages';
import { startWebProbe, type ProbeResult } from '../../testing/web-probe';
import { needs } from '../../testing/throwaway-needs';
import { allowSudo, setupTestsLack } from '../servers/setup-world';
import {
  ROOT,
  SITES,
  siteServerSetUp,
  siteText,
  startSiteServer,
  type ScriptEnd,
  type SiteServer,
} from './site-server';

const lacking = setupTestsLack(['nginx', 'sudo', 'busybox-static']);
needs('this machine can bring up throw-away servers with nginx', lacking);

const LIVE = `${SITES}/app.test.conf`;
const place = { nginxPath: SITES, root: ROOT, file: 'app.test.conf', expected: '*' };
const good = siteText();
const other = (mark: string): string => siteText({ extra: `add_header X-Mark ${mark};` });

if (lacking.length === 0) {
  let server: SiteServer;
  beforeAll(async () => {
    server = await startSiteServer({ packages: true });
  });
  beforeEach(() =>
    server.inside(
      `rm -rf ${ROOT}\n${siteServerSetUp}\nsystemctl reset-failed nginx\nsystemctl restart nginx`,
    ),
  );
  afterAll(() => server?.stop());

  const apply = (text: string, expected = '*', file = place.file): Promise<ScriptEnd> =>
    server.run(applyScript({ ...place, expected, file }, text));
  const remove = (expected = '*', file = place.file): Promise<ScriptEnd> =>
    server.run(removeScript({ ...place, expected, file }));
  const liveSha256 = async (): Promise<string> =>
    (await server.inside(`if [ -e ${LIVE} ]; then sha256sum < ${LIVE}; else echo -; fi`)).split(/\s/)[0] ??
    '';
  /** nginx's answer for the name: the status, and the marker of its configuration. */
  const answer = (name = 'app.test'): Promise<string> =>
    server.inside(
      `${process.execPath} -e 'require("http").get({ host: "127.0.0.1", agent: false, headers: { host: "${name}" } }, (r) => r.resume() && console.log(r.statusCode, r.headers["x-mark"] ?? "-"))'`,
    );
  /** Files other than the last good and running copies, and the lock. */
  const leftovers = (): Promise<string> =>
    server.inside(
      `find ${SITES} ${ROOT}/.quarterdeck ! -type d ! -name lock.held | grep -v -E '/(last-good|running)/' | sort`,
    );
  const probed = async (work: () => Promise<void>): Promise<ProbeResult> => {
    const probe = await startWebProbe(server.host, { serverName: 'app.test' });
    try {
      await work();
    } finally {
      // Stops the probe even if the work failed, before the server is stopped.
      probe.stop().catch(() => undefined);
    }
    return probe.stop();
  };

  test('an nginx that cannot be started is told with the program that has its port', async () => {
    await server.inside(
      `systemctl stop nginx; systemd-run --quiet --collect --unit=holder ${process.execPath} -e "require('http').createServer().listen(80)"
      until curl -s -o /dev/null --max-time 1 http://127.0.0.1/ || [ $? = 28 ]; do sleep 0.1; done`,
    );
    const { code, report } = await apply(good, '-');
    expect([code, report]).toEqual([
      applyExit.notRunning,
      expect.objectContaining({ holder: 'node', stopped: 'yes', error: expect.stringContaining('bind()') }),
    ]);
    await server.inside('systemctl stop holder');
  });

  test('a good configuration goes live, and visitors see nothing but 200', async () => {
    const first = await apply(good, '-');
    expect([first.code, first.report]).toEqual([
      0,
      {
        state: 'applied',
        file: LIVE,
        found: '-',
        sha256: sha256OfText(good),
        changed: `installed ${LIVE}`,
      },
    ]);
    const { asked, bad } = await probed(async () => {
      for (const mark of ['one', 'two', 'three']) {
        expect((await apply(other(mark))).code).toBe(0);
        expect(await answer()).toBe(`200 ${mark}\n`);
      }
    });
    expect(bad).toEqual([]);
    expect(asked).toBeGreaterThan(50);
    expect(await server.inside(`cat ${LIVE}`)).toBe(other('three'));
    expect(await leftovers()).toBe(`${LIVE}\n`);
    expect(await server.inside(`cat ${ROOT}/.quarterdeck/nginx/last-good/app.test.conf`)).toBe(other('two'));
  });

  test('a configuration that nginx would refuse or partly ignore is refused with its message, and never goes live', async () => {
    await apply(good);
    await server.inside(
      `printf 'upstream taken { server 127.0.0.1:81; }\\n' > ${SITES}/z-theirs.conf && nginx -s reload`,
    );
    const line = (extra: string): string => siteText({ extra });
    const refusals: [string, number, object][] = [
      ['nonsense on;', applyExit.refused, { error: 'unknown directive "nonsense"', errorLine: '5' }],
      [
        'location /a { proxy_pass http://nowhere.invalid; }',
        applyExit.refused,
        { error: expect.stringContaining('host not found in upstream "nowhere.invalid"'), errorLine: '5' },
      ],
      [
        'access_log /no/such/folder/access.log;',
        applyExit.refused,
        { error: expect.stringContaining('"/no/such/folder/access.log" failed (2: No such file') },
      ],
      ['location / {', applyExit.refused, { error: expect.stringContaining('unexpected end of file') }],
      [
        'include snippets/missing.conf;',
        applyExit.refused,
        {
          error: expect.stringContaining('open() "/etc/nginx/snippets/missing.conf" failed'),
          errorLine: '5',
        },
      ],
      [
        '} upstream taken { server 127.0.0.1:82; } server { listen 81;',
        applyExit.refused,
        { error: 'duplicate upstream "taken"', errorFile: `${SITES}/z-theirs.conf`, errorLine: '1' },
      ],
      [
        'listen 22;',
        applyExit.notRunning,
        {
          error: 'bind() to 0.0.0.0:22 failed (98: Address already in use)',
          holder: 'sshd',
          putBack: sha256OfText(good),
        },
      ],
    ];
    const { bad } = await probed(async () => {
      for (const [extra, code, said] of refusals) {
        const refused = await apply(line(extra));
        expect([extra, refused.code, refused.report]).toEqual([extra, code, expect.objectContaining(said)]);
        if (code === applyExit.refused && 'errorLine' in said && !('errorFile' in said))
          expect(refused.report['errorFile']).toBe(LIVE);
        expect(refused.out).not.toContain('/tree/');
        expect(await liveSha256()).toBe(sha256OfText(good));
      }
      const twice = await apply(siteText({ name: 'new.test app.test' }), '-', 'new.test.conf');
      expect([twice.code, twice.report]).toEqual([
        applyExit.conflict,
        expect.objectContaining({ conflict: 'app.test', conflictFiles: LIVE }),
      ]);
    });
    expect(bad).toEqual([]);
    expect(await leftovers()).toBe(`${LIVE}\n${SITES}/z-theirs.conf\n`);
    expect((await apply(other('after'))).code).toBe(0);
    expect(await answer()).toBe('200 after\n');
  });

  test('a file changed by something else is not touched, unless any file may be replaced', async () => {
    await apply(good, '-');
    expect((await apply(other('late'), '-')).code).toBe(applyExit.drift);
    await server.inside(`echo '# by hand' >> ${LIVE}`);
    const byHand = await liveSha256();
    for (const refused of [await apply(other('b'), sha256OfText(good)), await remove(sha256OfText(good))])
      expect([refused.code, refused.report['found']]).toEqual([applyExit.drift, byHand]);
    expect(await liveSha256()).toBe(byHand);
    expect((await apply(other('c'), byHand)).code).toBe(0);
    await server.inside(`rm ${LIVE}`);
    const gone = await apply(good, sha256OfText(other('c')));
    expect([gone.code, gone.report['found']]).toEqual([applyExit.drift, '-']);
    expect((await apply(good)).code).toBe(0);
    expect(await answer()).toBe('200 -\n');
  });

  test('a live and running configuration is left alone; a live one that is not running is loaded', async () => {
    await apply(good);
    const workers = (): Promise<string> => server.inside('pgrep -f "[n]ginx: worker process" | sort');
    const before = await workers();
    for (const expected of ['*', '-', sha256OfText(good)]) {
      const again = await apply(good, expected);
      expect([again.code, again.report['state'], again.report['changed']]).toEqual([0, 'already', undefined]);
    }
    expect(await workers()).toBe(before);
    // The same text written by hand and not loaded yet: a reload may still be running.
    for (let round = 1; round <= 5; round += 1) {
      await server.inside(
        `printf 'server { listen 80; server_name app.test; return 418; }' > ${LIVE}; nginx -s reload
        printf '%s' '${good}' > ${LIVE}`,
      );
      const proved = await apply(good);
      expect([proved.code, proved.report['state']]).toEqual([0, 'already']);
      expect(await answer()).toBe('200 -\n');
    }
    await server.inside('systemctl stop nginx');
    const started = await apply(good);
    expect([started.code, started.report['changed']]).toEqual([0, 'started nginx']);
    expect(await answer()).toBe('200 -\n');
  });

  test('a site is removed, unless another site needs it', async () => {
    const upstream = 'upstream pool { server 127.0.0.1:81; }\n';
    await apply(upstream + other('here'));
    const user = siteText({ name: 'b.test', extra: 'location /a { proxy_pass http://pool; }' });
    expect((await apply(user, '-', 'b.test.conf')).code).toBe(0);
    const needed = await remove();
    expect([needed.code, needed.report['errorFile']]).toEqual([applyExit.refused, `${SITES}/b.test.conf`]);
    expect(await answer()).toBe('200 here\n');
    expect((await remove('*', 'b.test.conf')).report['state']).toBe('removed');
    expect((await remove(sha256OfText(upstream + other('here')))).report).toMatchObject({
      state: 'removed',
      sha256: '-',
    });
    expect((await remove()).report['state']).toBe('already');
    // The default page of nginx.
    expect(await answer()).toBe('200 -\n');
    expect(await leftovers()).toBe('');
  });

  test('nothing is changed if another file breaks nginx, or if nginx does not include the folder', async () => {
    await server.inside(`echo 'nonsense on;' > ${SITES}/theirs.conf`);
    const broken = await apply(good);
    expect([broken.code, broken.report['errorFile']]).toEqual([
      applyExit.brokenBefore,
      `${SITES}/theirs.conf`,
    ]);
    // nginx says which certificate is gone, and not which site names it.
    await server.inside(
      `echo 'server { listen 4443 ssl; ssl_certificate /tmp/gone.pem; ssl_certificate_key /tmp/gone.key; }' > ${SITES}/theirs.conf`,
    );
    const bare = await apply(good);
    expect([bare.code, bare.report['errorFile'], bare.report['errorLine'], bare.report['error']]).toEqual([
      applyExit.brokenBefore,
      `${SITES}/theirs.conf`,
      '1',
      expect.stringContaining('/tmp/gone.pem'),
    ]);
    await server.inside(`rm ${SITES}/theirs.conf /etc/nginx/conf.d/quarterdeck.conf`);
    expect((await apply(good)).code).toBe(applyExit.notRead);
    expect(await liveSha256()).toBe('-');
  });

  test('the name of an upstream that is known no more takes down nothing but its own location', async () => {
    await server.inside(`(nginx -T 2>/dev/null | grep -q quarterdeck.conf) || echo 'include ${SITES}/*.conf;' > /etc/nginx/conf.d/quarterdeck.conf
      systemd-run --unit backend ${process.execPath} -e 'require("http").createServer((q, a) => a.end(q.socket.localAddress)).listen(9000)'
      timeout 60 bash -c 'until exec 3<>/dev/tcp/127.0.0.1/9000; do sleep 0.05; done' 2>/dev/null
      cp /etc/hosts /tmp/hosts; echo '127.0.0.1 backend.internal # ours' >> /etc/hosts; echo '127.0.0.9 backend.internal.conf.near' >> /etc/hosts; mkdir -p ${ROOT}/.quarterdeck/logs/named.test`);
    const siteOf = (serverName: string, host: string) =>
      siteConfig({
        serverName,
        options: { docker: false, ssl: false, gzip: false },
        ipv6: false,
        locations: [
          { id: '0190a000-0000-7000-8000-000000000001', location: '/', url: `http://${host}:9000` },
          { id: '0190a000-0000-7000-8000-000000000002', location: '/gone', is404: true },
        ],
        folders: { path: `${ROOT}/static`, root: ROOT, nginxPath: SITES },
      });
    const named = siteOf('named.test', 'backend.internal');
    const put = (file: string, text: string) =>
      server.run(applyScript({ ...place, file, expected: '*' }, text));
    const asked = async (name: string, path = '/') =>
      server.inside(`curl -s -o /dev/null -w '%{http_code}' -H 'Host: ${name}' http://127.0.0.1${path}`);
    expect(await put('named.test.conf', named)).toMatchObject({ code: 0 });
    expect(await asked('named.test')).toBe('200');
    // Each name has a file, and nginx reads the one of this name only.
    await server.inside(`mkdir -p ${ROOT}/.quarterdeck/logs/near.test`);
    const near = siteOf('near.test', 'backend.internal.conf.near');
    expect(await put('near.test.conf', near)).toMatchObject({ code: 0 });
    const reached = (name: string) => server.inside(`curl -s -H 'Host: ${name}' http://127.0.0.1/`);
    expect(await reached('near.test')).toMatch(/127\.0\.0\.9$/);
    expect(await reached('named.test')).toMatch(/127\.0\.0\.1$/);

    await server.inside('cat /tmp/hosts > /etc/hosts');
    const other = 'server { listen 80; server_name other.test; return 204; }\n';
    expect(await put('other.test.conf', other)).toMatchObject({ code: 0, report: { state: 'applied' } });
    await server.inside('systemctl restart nginx');
    expect([
      await asked('other.test'),
      await asked('named.test'),
      await asked('named.test', '/gone'),
    ]).toEqual(['204', '502', '404']);
    // The same again, such as with a new certificate. A name that nobody has known is a mistake.
    expect(await put('named.test.conf', `${named}# again\n`)).toMatchObject({ code: 0 });
    const wrong = await put('named.test.conf', named.replaceAll('backend.internal', 'nowhere.invalid'));
    expect([wrong.code, wrong.report['error'], wrong.report['errorFile']]).toEqual([
      applyExit.refused,
      'host not found in upstream "nowhere.invalid"',
      `${SITES}/named.test.conf`,
    ]);
    await server.inside(`rm ${SITES}/named.test.conf ${SITES}/other.test.conf; systemctl stop backend`);
  });

  test('the longest allowed text arrives byte for byte, whatever it consists of', async () => {
    const strange = `# \u0081\u0088 it's "q" \\ \`id\` $HOME $(id) %s *\t漢字 €\n`;
    const full = good + strange.repeat(Math.floor((250 * 1024) / Buffer.byteLength(strange)));
    expect(Buffer.byteLength(full)).toBeGreaterThan(249 * 1024);
    expect((await apply(full)).report['sha256']).toBe(sha256OfText(full));
    expect(await liveSha256()).toBe(sha256OfText(full));
    expect(await answer()).toBe('200 -\n');
    expect(() => applyScript(place, 'x'.repeat(256 * 1024 + 1))).toThrow(RangeError);
  });

  const worksAs = async (run: SiteServer['run']): Promise<void> => {
    const own = (text: string, expected: string) => run(applyScript({ ...place, expected }, text));
    expect((await own(good, '-')).report['state']).toBe('applied');
    expect((await own(good, '*')).report['state']).toBe('already');
    const refused = await own(siteText({ extra: 'nonsense on;' }), '*');
    expect([refused.code, refused.report['errorLine']]).toEqual([applyExit.refused, '5']);
    expect((await own(siteText({ extra: 'listen 22;' }), '*')).code).toBe(applyExit.notRunning);
    expect((await own(other('mine'), sha256OfText(good))).report['state']).toBe('applied');
    expect(await answer()).toBe('200 mine\n');
    expect((await run(removeScript(place))).report['state']).toBe('removed');
  };

  test('the scripts also work for an account with sudo', async () => {
    await allowSudo(server.host, 'shop');
    await worksAs((await server.as('shop')).run);
    expect(await server.inside(`stat -c %U ${ROOT}/.quarterdeck`)).toBe('root\n');
  });

  // Last, because the server keeps busybox as its shell.
  test("the scripts also work with busybox's shell and tools, and without flock", async () => {
    const tools =
      'awk base64 cat chmod chown cp cut dirname find grep gzip head id ln mkdir mktemp mv printf rm rmdir sed sha256sum sh sleep sort stat sync tail tr wc';
    await server.inside(
      `${unpackLine('busybox-static')}
       for tool in ${tools}; do ln -s /bin/busybox "/usr/local/sbin/$tool"; done
       rm /usr/bin/flock
       ln -s /bin/busybox /bin/sh.new && mv -T /bin/sh.new /bin/sh`,
    );
    expect(await server.inside('awk --help 2>&1 | head -n 1; sh --help 2>&1 | head -n 1')).toMatch(
      /^BusyBox.*\nBusyBox/,
    );
    await worksAs(server.run);
    expect(await server.inside(`ls ${ROOT}/.quarterdeck/nginx`)).toBe('journal\nlast-good\nrunning\n');
  });
}
