/**
 * The script that puts a site live dies at any moment, or runs twice at once: the site keeps working. covers: DOM-07
 */
import { applyScript, sha256OfText } from '../../apps/backend/src/webserver/apply-scripts/apply';
import { applyExit } from '../../apps/backend/src/webserver/apply-scripts/apply-exit';
import { needs } from '../../testing/throwaway-needs';
import { startWebProbe } from '../../testing/web-probe';
import { setupTestsLack } from '../servers/setup-world';
import {
  ROOT,
  SITES,
  siteServerSetUp,
  siteText,
  startSiteServer,
  type ScriptEnd,
  type SiteServer,
} from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

const LIVE = `${SITES}/app.test.conf`;
const place = { nginxPath: SITES, root: ROOT, file: 'app.test.conf', expected: '*' };
const version = (mark: string): string => siteText({ extra: `add_header X-Mark ${mark};` });
/** `npm run faults -- --n 10 killed` tries fifty moments. */
const KILLS = 5 * Number(process.env.FAULTS_N ?? 1);
jest.setTimeout(KILLS * 120_000);

if (lacking.length === 0) {
  let server: SiteServer;
  beforeAll(async () => {
    server = await startSiteServer();
  });
  beforeEach(() =>
    server.inside(
      `rm -rf ${ROOT}
      [ -e /usr/bin/flock ] || mv /usr/bin/flock.away /usr/bin/flock
      ${siteServerSetUp}
      systemctl reset-failed nginx
      systemctl restart nginx`,
    ),
  );
  afterAll(() => server?.stop());
  const apply = (text: string, expected = '*', file = place.file): Promise<ScriptEnd> =>
    server.run(applyScript({ ...place, expected, file }, text));

  test('killed at several moments, it leaves the old or the new file, a working site, and a way to continue', async () => {
    const began = performance.now();
    expect((await apply(version('v0'))).code).toBe(0);
    // Includes the time to start the script and to learn of its end.
    const wholeS = (performance.now() - began) / 1000;
    const probe = await startWebProbe(server.host, { serverName: 'app.test' });
    let known = sha256OfText(version('v0'));
    const ends = new Set<string>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const text = version(`v${kill}`);
      const end = await server.kill(
        applyScript({ ...place, expected: known }, text),
        `sleep ${((wholeS * kill) / KILLS).toFixed(3)}`,
      );
      ends.add(end.is);
      const live = (await server.inside(`sha256sum < ${LIVE}`)).slice(0, 64);
      expect([known, sha256OfText(text)]).toContain(live);
      expect(await server.inside('nginx -t 2>&1')).toContain('test is successful');
      // The console saw no end and still knows the old text. It asks for another one or for the same again. If the
      // script was killed after all its work, it left no trace of an interruption. Then only the same text, or the
      // known one, can be applied.
      const next = kill % 2 === 0 ? text : version(`w${kill}`);
      const done = (await server.inside(`ls ${ROOT}/.quarterdeck/nginx/journal`)) === '';
      const after = await apply(next, done && next !== text ? live : known);
      expect([kill, after.code, after.report['sha256']]).toEqual([kill, 0, sha256OfText(next)]);
      known = sha256OfText(next);
    }
    const { asked, bad } = await probe.stop();
    expect([bad, asked > 100]).toEqual([[], true]);
    expect(ends).toContain('lost');
    expect(await server.inside(`ls -A ${SITES} ${ROOT}/.quarterdeck/nginx/journal`)).toBe(
      `${ROOT}/.quarterdeck/nginx/journal:\n\n${SITES}:\napp.test.conf\n`,
    );
  });

  test('text whose script died before verification is never restored: the last good one is', async () => {
    expect((await apply(version('good'))).code).toBe(0);
    const bad = siteText({ extra: 'listen 22;' });
    // It goes live, and the script is killed while nginx tries the port.
    const isLive = `until grep -q 'listen 22' ${LIVE}; do sleep 0.01; done`;
    const end = await server.kill(applyScript(place, bad), isLive);
    expect(end.is).toBe('lost');
    expect((await server.inside(`sha256sum < ${LIVE}`)).slice(0, 64)).toBe(sha256OfText(bad));
    const again = await apply(siteText({ extra: 'listen 22; # again' }), sha256OfText(version('good')));
    expect([again.code, again.report['putBack']]).toEqual([
      applyExit.notRunning,
      sha256OfText(version('good')),
    ]);
    expect(await server.inside(`cat ${LIVE}`)).toBe(version('good'));
  });

  test.each(['with flock', 'without flock'])(
    'two applies at once wait for each other, %s',
    async (how) => {
      if (how === 'without flock') await server.inside('mv /usr/bin/flock /usr/bin/flock.away');
      const both = await Promise.all([
        apply(version('one')),
        apply(siteText({ name: 'b.test' }), '-', 'b.test.conf'),
        apply(siteText({ name: 'c.test' }), '-', 'c.test.conf'),
      ]);
      expect(both.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(
        both.filter(({ out }) => out.includes('Another process is changing the sites')),
      ).not.toHaveLength(0);
    },
    60_000,
  );

  test('a lock whose holder is dead does not count', async () => {
    await server.inside(
      `mv /usr/bin/flock /usr/bin/flock.away; mkdir -p ${ROOT}/.quarterdeck/nginx/lock
      echo "1 12345 $(cat /proc/sys/kernel/random/boot_id)" > ${ROOT}/.quarterdeck/nginx/lock/holder`,
    );
    expect((await apply(version('one'))).code).toBe(0);
    await server.inside(
      `mkdir ${ROOT}/.quarterdeck/nginx/lock && touch -d '-2 minutes' ${ROOT}/.quarterdeck/nginx/lock`,
    );
    expect((await apply(version('two'))).code).toBe(0);
  });
}
