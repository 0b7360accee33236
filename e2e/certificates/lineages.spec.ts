/**
 * What certbot has on a server before the console comes, with a real certbot and a real authority: folders that were
 * copied or damaged, and certificates that somebody else made. covers: DOM-08
 */
import { X509Certificate } from 'node:crypto';
import {
  issueScript,
  removeCertificateScript,
  renewScript,
  type RemovalHow,
} from '../../apps/backend/src/certificates/certbot-scripts/issue';
import { certbotExit } from '../../apps/backend/src/certificates/certbot-scripts/certbot-exit';
import { lookScript } from '../../apps/backend/src/certificates/certbot-scripts/lineage';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { unpackLine } from '../../testing/debian-packages';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { broken } from './broken-lineages';
import { ROOT, SITES, startSiteServer, type ScriptEnd, type SiteServer } from '../webserver/site-server';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

const WEBROOT = `${ROOT}/static/.acme`;
const L = '/etc/letsencrypt';

if (lacking.length === 0) {
  let server: SiteServer;
  let acme: Acme;
  beforeAll(async () => {
    server = await startSiteServer({ packages: true });
    // One site for every name, and the folder of another owner for the rest.
    await server.inside(
      `${unpackLine('certbot', 'curl')}
      mkdir -p ${WEBROOT} /srv/san
      cat > ${SITES}/sites.conf <<'END'
server { listen 80; server_name *.ours.test; location /.well-known/acme-challenge/ { root ${WEBROOT}; } }
server { listen 80; server_name san.test www.san.test; root /srv/san; }
END
      nginx -s reload`,
    );
    acme = await startAcme(server.host);
    await acme.trust();
  });
  afterAll(() => server?.stop());

  type Order = Partial<Parameters<typeof issueScript>[0]>;
  const issue = (serverName: string, more: Order = {}): Promise<ScriptEnd> =>
    server.run(issueScript({ serverName, webroot: WEBROOT, directoryUrl: acme.directoryUrl, ...more }));
  const renew = (serverName: string, force = true): Promise<ScriptEnd> =>
    server.run(renewScript({ serverName, force }));
  const look = (serverName: string, lineage = serverName): Promise<ScriptEnd> =>
    server.run(lookScript({ certificate: lineage, known: serverName }));
  const remove = (serverName: string, how: RemovalHow = {}): Promise<ScriptEnd> =>
    server.run(removeCertificateScript(serverName, SITES, how));
  const issued = async (serverName: string): Promise<void> => {
    const { code, out } = await issue(serverName);
    expect([code, code === 0 ? '' : out]).toEqual([0, '']);
  };
  const lineages = async (): Promise<string[]> =>
    (await server.inside(`ls ${L}/live | grep -v README || true`)).split('\n').filter(Boolean);
  const leafOf = async (name: string): Promise<string> =>
    new X509Certificate(await server.inside(`cat ${L}/live/${name}/cert.pem`)).fingerprint256;
  /** A certificate of somebody else, with two names, a folder of its own, and a hook. */
  const theirs = (name: string, ...names: string[]): Promise<string> =>
    server.inside(
      `certbot certonly -n --cert-name ${name} ${[name, ...names].map((one) => `-d ${one}`).join(' ')} --webroot -w /srv/san \
        --server ${acme.directoryUrl} --agree-tos --register-unsafely-without-email --deploy-hook 'echo ran >> /srv/their-hook'`,
    );

  test.each(broken)('nothing is ordered, renewed or removed if %s', async (_what, damage, words) => {
    const name = 'broken.ours.test';
    // Each case puts back what it damaged.
    if (!(await lineages()).includes(name)) await issued(name);
    await server.inside(`rm -rf /root/kept; cp -a ${L} /root/kept; ${damage(name)}`);
    const before = await server.inside(`cd ${L} && find . | sort | sha256sum`);
    const order = await issue(name, { force: true });
    expect([order.code, order.out]).toEqual([certbotExit.broken, expect.stringMatching(words)]);
    expect(order.out).toContain('Nothing was ordered');
    expect(order.report).toMatchObject({ is: 'broken', wrong: expect.stringMatching(words) });
    expect([certbotExit.broken, certbotExit.absent]).toContain((await renew(name)).code);
    const removed = await remove(name);
    expect([removed.code, removed.out]).toEqual([
      certbotExit.broken,
      expect.stringContaining('Nothing was removed'),
    ]);
    expect((await remove(name, { theirs: 'leave' })).report['state']).toBe('left');
    expect(await server.inside(`cd ${L} && find . | sort | sha256sum`)).toBe(before);
    await server.inside(`rm -r ${L} && mv /root/kept ${L}`);
  });

  test('what was damaged and put back is the console’s own again, and kept', async () => {
    const name = 'broken.ours.test';
    expect((await issue(name)).report).toMatchObject({ state: 'kept' });
    expect((await look(name)).report).toMatchObject({ is: 'ours', names: name });
  });

  test('beside a damaged folder, a certificate under a name of the console is issued and renewed', async () => {
    const name = 'beside.ours.test';
    await server.inside(`mkdir -p ${L}/live/${name} && echo x > ${L}/live/${name}/cert.pem`);
    expect((await issue(name)).code).toBe(certbotExit.broken);
    const lineage = `quarterdeck-${name}`;
    for (const [force, state] of [
      [false, 'issued'],
      [false, 'kept'],
      [true, 'renewed'],
    ] as const)
      expect((await issue(name, { lineage, force })).report).toMatchObject({
        state,
        folder: `${L}/live/${lineage}`,
      });
    expect((await look(name, lineage)).report).toMatchObject({ is: 'ours', names: name });
    expect((await remove(name, { lineage })).report['state']).toBe('removed');
    expect(await lineages()).toContain(name);
  });

  test('a certificate of somebody else keeps its names, unless it is adopted or told otherwise', async () => {
    await theirs('san.test', 'www.san.test');
    expect((await look('san.test')).report).toEqual({
      is: 'theirs',
      wrong: expect.stringContaining('It is for san.test www.san.test'),
      names: 'san.test www.san.test',
      authenticator: 'webroot',
      webroot: '/srv/san',
      hooks: 'echo ran >> /srv/their-hook',
    });
    const before = await leafOf('san.test');
    const settings = `cat ${L}/renewal/san.test.conf`;
    const kept = await server.inside(settings);
    for (const force of [false, true])
      expect((await issue('san.test', { force })).code).toBe(certbotExit.theirs);
    const refused = await remove('san.test');
    expect([refused.code, refused.out]).toEqual([
      certbotExit.theirs,
      expect.stringContaining('Nothing was removed'),
    ]);
    expect([await leafOf('san.test'), await server.inside(settings)]).toEqual([before, kept]);

    const renewed = await renew('san.test');
    expect([renewed.code, renewed.report['state']]).toEqual([0, 'renewed']);
    expect(await leafOf('san.test')).not.toBe(before);
    expect(await server.inside(settings)).toBe(kept);
    // Once when it was issued, once now.
    expect(await server.inside('cat /srv/their-hook')).toBe('ran\nran\n');

    expect((await remove('san.test', { theirs: 'leave' })).report['state']).toBe('left');
    expect(await lineages()).toContain('san.test');
    expect((await remove('san.test', { theirs: 'delete' })).report['state']).toBe('removed');
    expect(await lineages()).not.toContain('san.test');
  });

  test('a certificate of the console to which somebody added a name is not cut back to one', async () => {
    await issued('grown.ours.test');
    await server.inside(
      `certbot certonly -n --cert-name grown.ours.test -d grown.ours.test -d more.ours.test --webroot -w ${WEBROOT} --server ${acme.directoryUrl}`,
    );
    const order = await issue('grown.ours.test', { force: true });
    expect([order.code, order.report['names']]).toEqual([
      certbotExit.theirs,
      expect.stringMatching(/more\.ours\.test/),
    ]);
  });

  test('a certificate that certbot stored elsewhere is a failure, and spent', async () => {
    const name = 'astray.ours.test';
    // Somebody puts a file there after the console has looked.
    await server.inside(`echo 'pre-hook = touch ${L}/renewal/${name}.conf' > ${L}/cli.ini`);
    const astray = await issue(name);
    await server.inside(`rm ${L}/cli.ini`);
    expect([astray.code, astray.report]).toEqual([
      certbotExit.wasted,
      expect.objectContaining({
        problem: 'wasted',
        wasted: 'issued',
        path: `${L}/live/${name}-0001/fullchain.pem`,
        detail: expect.stringContaining(`stored the certificate in ${L}/live/${name}-0001`),
      }),
    ]);
  });

  test('an order is spent even if certbot cannot store the certificate', async () => {
    const name = 'unstored.ours.test';
    await server.inside(`echo 'pre-hook = mkdir -p ${L}/live/${name}/x' > ${L}/cli.ini`);
    const unstored = await issue(name);
    await server.inside(`rm ${L}/cli.ini`);
    expect([unstored.code, unstored.report]).toEqual([
      certbotExit.failed,
      { problem: 'certbot', wasted: 'issued', detail: `live directory exists for ${name}` },
    ]);
  });

  test('a forced order that leaves the certificate as it was is a failure', async () => {
    const name = 'same.ours.test';
    await issued(name);
    const hook = `${L}/renewal-hooks/deploy/back`;
    await server.inside(
      `mkdir -p ${L}/renewal-hooks/deploy
      printf '#!/bin/sh\\nln -sf ../../archive/${name}/cert1.pem ${L}/live/${name}/cert.pem\\n' > ${hook} && chmod +x ${hook}`,
    );
    const forced = await issue(name, { force: true });
    await server.inside(`rm ${hook}`);
    expect([forced.code, forced.report]).toEqual([
      certbotExit.wasted,
      expect.objectContaining({ wasted: 'issued' }),
    ]);
    expect(forced.report['state']).toBeUndefined();
  });

  test('an account that the authority has forgotten is replaced on request, for all certificates', async () => {
    await issued('account.ours.test');
    await theirs('san.test', 'www.san.test');
    await acme.stop();
    await acme.start();
    const forgotten = await issue('new.ours.test');
    expect([forgotten.code, forgotten.report]).toEqual([
      certbotExit.refused,
      { problem: 'accountDoesNotExist', detail: expect.stringContaining('not found') },
    ]);
    const accounts = `ls ${L}/accounts/localhost:14000/dir`;
    const before = await server.inside(accounts);
    // Without an authority there is no new account, so the former comes back.
    await acme.stop();
    expect((await issue('new.ours.test', { newAccount: true })).code).toBe(certbotExit.unreachable);
    expect(await server.inside(accounts)).toBe(before);
    await acme.start();
    const again = await issue('new.ours.test', { newAccount: true });
    expect([again.code, again.report['changed']]).toEqual([
      0,
      expect.stringContaining(`registered a new account at ${acme.directoryUrl}`),
    ]);
    expect(await server.inside(accounts)).not.toBe(before);
    // Others were renewed with the forgotten account too.
    expect((await renew('san.test')).report['state']).toBe('renewed');
    expect((await renew('account.ours.test')).report['state']).toBe('renewed');
  });

  test('the reason names the cause: port 80 and its owner, logs-dir, and the other certbot', async () => {
    await server.inside(
      `certbot certonly -n --cert-name alone.ours.test -d alone.ours.test --webroot -w ${WEBROOT} --server ${acme.directoryUrl}
      sed -i 's/^authenticator = .*/authenticator = standalone/' ${L}/renewal/alone.ours.test.conf`,
    );
    const alone = await renew('alone.ours.test');
    expect([alone.code, alone.report['detail']]).toEqual([
      certbotExit.failed,
      expect.stringMatching(/port 80 .*Port 80 is in use by nginx \(process \d+\)\.$/),
    ]);

    await server.inside(`touch /srv/no-folder && echo 'logs-dir = /srv/no-folder/logs' > ${L}/cli.ini`);
    const logs = await issue('logs.ours.test');
    expect(logs.report['detail']).toBe(
      "[Errno 20] Not a directory: '/srv/no-folder/logs'. That is logs-dir in certbot's cli.ini.",
    );
    // Where the log is elsewhere, the answer of the authority is still read from it.
    await server.inside(`mkdir -p /srv/logs && echo 'logs-dir = /srv/logs' > ${L}/cli.ini`);
    await acme.refuseOrders({ status: 429, type: 'rateLimited', detail: 'too many', retryAfter: '60' });
    expect((await issue('logs.ours.test')).report).toMatchObject({
      problem: 'rateLimited',
      retryAfter: '60',
    });
    await acme.acceptOrders();
    await server.inside(`echo 'config-dir = /srv/letsencrypt' > ${L}/cli.ini && mkdir -p /srv/letsencrypt`);
    expect((await issue('logs.ours.test')).out).toContain('(config-dir in cli.ini)');
    await server.inside(`rm ${L}/cli.ini`);

    await server.inside(
      `systemd-run --quiet --collect --unit=other-certbot python3 -c 'import fcntl, signal
f = open("${L}/.certbot.lock", "w")
fcntl.lockf(f, fcntl.LOCK_EX)
signal.pause()'
      until python3 -c 'import fcntl
try: fcntl.lockf(open("${L}/.certbot.lock", "w"), fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError: raise SystemExit(0)
raise SystemExit(1)'; do sleep 0.1; done`,
    );
    const locked = await look('account.ours.test');
    await server.inside('systemctl stop other-certbot');
    expect([locked.code, locked.out]).toEqual([
      75,
      expect.stringMatching(/Another certbot is running on this server \(process \d+: .*python3 .*\)\./),
    ]);
  });
}
