/** Three hundred sites on a real nginx, which keeps the logs of all their locations open. covers: DOM-07, SRV-06 */
import nginxTest from '../../apps/backend/src/servers/commands/nginx-test.sh';
import { fixedShell, quote } from '../../apps/backend/src/platform/ssh';
import nginxService from '../../apps/backend/src/servers/setup-scripts/nginx-service.sh';
import { applyScript } from '../../apps/backend/src/webserver/apply-scripts/apply';
import { applyExit } from '../../apps/backend/src/webserver/apply-scripts/apply-exit';
import { siteConfig } from '../../apps/backend/src/webserver/site-config';
import { siteFileName, siteLogFolder, type Site } from '../../apps/backend/src/webserver/site-model';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { idOf } from './served-sites';
import { ROOT, SITES, startSiteServer, type ScriptEnd, type SiteServer } from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

/** With 4 locations each, opened twice during a reload, this is the most that fits into 1,024 files. */
const ENOUGH = 49;
const MANY = 300;
const nameOf = (number: number): string => `site-${String(number).padStart(3, '0')}.test`;
const siteOf = (serverName: string, locations = 4): Site => ({
  serverName,
  options: { docker: false, ssl: false, gzip: false },
  locations: Array.from({ length: locations }, (_, index) => ({
    id: idOf(index),
    location: index === 0 ? '/' : `/part-${index}/`,
    url: `http://127.0.0.1:9/${serverName}`,
    isRedirect: true,
  })),
  folders: { path: `${ROOT}/static`, root: ROOT, nginxPath: SITES },
  ipv6: false,
});

if (lacking.length === 0) {
  let server: SiteServer;
  beforeAll(async () => {
    server = await startSiteServer({ packages: true });
  });
  afterAll(() => server?.stop());

  /** Writes sites as an apply leaves them, except the last one, which is applied. */
  const grow = async (from: number, to: number): Promise<ScriptEnd> => {
    const pattern = siteOf(nameOf(0));
    await server.inside(
      `for number in $(seq -w ${String(from).padStart(3, '0')} ${String(to - 1).padStart(3, '0')}); do
        mkdir -p ${siteLogFolder(siteOf('site-$number.test'))}
        printf %s ${quote(siteConfig(pattern))} | sed "s/${pattern.serverName}/site-$number.test/g" > ${SITES}/site-$number.test.conf
      done`,
    );
    return apply(siteOf(nameOf(to)));
  };
  const apply = async (site: Site): Promise<ScriptEnd> => {
    await server.inside(`mkdir -p ${siteLogFolder(site)}`);
    const place = { nginxPath: SITES, root: ROOT, file: siteFileName(site.serverName), expected: '*' };
    return server.run(applyScript(place, siteConfig(site)));
  };
  /** The target of the redirect that the site answers with. */
  const answer = (name: string): Promise<string> =>
    server.inside(
      `${process.execPath} -e 'require("http").get({ host: "127.0.0.1", agent: false, headers: { host: "${name}" } }, (r) => r.resume() && console.log(r.headers.location ?? r.statusCode))'`,
    );
  const openFiles = async (): Promise<number> =>
    Number(await server.inside('ls /proc/$(systemctl show --property MainPID --value nginx)/fd | wc -l'));

  test("49 sites fit into nginx's default limit; one more is refused with a reason, and the live sites stay", async () => {
    expect((await grow(1, ENOUGH)).code).toBe(0);
    const tooMuch = await apply(siteOf('large.test', 20));
    expect([tooMuch.code, tooMuch.report['error']]).toEqual([
      applyExit.notRunning,
      expect.stringContaining('(24: Too many open files)'),
    ]);
    expect(await answer(nameOf(1))).toBe(`http://127.0.0.1:9/${nameOf(1)}\n`);
  });

  test('Initialize Server raises the limit, now and after the next start, and three hundred sites are served', async () => {
    const service = await server.run(fixedShell(nginxService));
    expect([service.code, service.report['changed']?.split('\n')]).toEqual([
      0,
      expect.arrayContaining(['nginx may keep 65536 files open']),
    ]);
    const again = await server.run(fixedShell(nginxService));
    expect([again.code, again.report['changed']]).toEqual([0, undefined]);

    const last = await grow(ENOUGH + 1, MANY);
    expect([last.code, last.report['state'], last.code === 0 ? '' : last.out]).toEqual([0, 'applied', '']);
    expect(await openFiles()).toBeGreaterThan(MANY * 10);
    expect((await server.run(fixedShell(nginxTest))).code).toBe(0);
    for (const number of [1, MANY])
      expect(await answer(nameOf(number))).toBe(`http://127.0.0.1:9/${nameOf(number)}\n`);

    await server.inside('systemctl restart nginx');
    expect(await openFiles()).toBeGreaterThan(MANY * 10);
    expect(await answer(nameOf(MANY))).toBe(`http://127.0.0.1:9/${nameOf(MANY)}\n`);
    expect((await apply(siteOf('large.test', 20))).code).toBe(0);
  });
}
