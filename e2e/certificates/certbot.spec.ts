/** certbot's scripts with a real certbot, a real nginx that serves the proof, and a real authority. covers: DOM-08 */
import { X509Certificate } from 'node:crypto';
import {
  certificateScript,
  issueScript,
  readRefusal,
  removeCertificateScript,
  renewScript,
  reportedPem,
} from '../../apps/backend/src/certificates/certbot-scripts/issue';
import { certbotExit } from '../../apps/backend/src/certificates/certbot-scripts/certbot-exit';
import {
  preflightExit,
  preflightScript,
} from '../../apps/backend/src/certificates/certbot-scripts/preflight';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { unpackLine } from '../../testing/debian-packages';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { ROOT, SITES, startSiteServer, type ScriptEnd, type SiteServer } from '../webserver/site-server';

const lacking = [...setupTestsLack(['certbot', 'curl', 'nginx']), ...acmeLacks()];
needs('this machine can bring up throw-away servers with certbot and an authority', lacking);

const WEBROOT = `${ROOT}/static/.acme`;
const VALIDITY_SECONDS = 3600;

const site = (name: string): string =>
  `server { listen 80; server_name ${name}; location /.well-known/acme-challenge/ { root ${WEBROOT}; } location / { return 404; } }`;

if (lacking.length === 0) {
  let server: SiteServer;
  let acme: Acme;
  beforeAll(async () => {
    server = await startSiteServer({ packages: true });
    await server.inside(
      `${unpackLine('certbot', 'curl')}
      mkdir -p ${WEBROOT}
      printf '%s\\n' '${site('app.test')}' '${site('shop.test')}' '${site('blocked.test')}' > ${SITES}/sites.conf
      nginx -s reload`,
    );
    acme = await startAcme(server.host, {
      validitySeconds: VALIDITY_SECONDS,
      blocked: ['blocked.test'],
    });
  });
  afterAll(() => server?.stop());

  const order = (serverName: string, more: Partial<Parameters<typeof issueScript>[0]> = {}) =>
    issueScript({
      serverName,
      webroot: WEBROOT,
      email: 'hostmaster@example.test',
      directoryUrl: acme.directoryUrl,
      caBundle: acme.caBundle,
      ...more,
    });
  const issue = (...args: Parameters<typeof order>): Promise<ScriptEnd> => server.run(order(...args));
  const renew = (serverName: string, force = false): Promise<ScriptEnd> =>
    server.run(renewScript({ serverName, caBundle: acme.caBundle, force }));
  const certificateOf = ({ report }: ScriptEnd): X509Certificate =>
    new X509Certificate(reportedPem(report) ?? 'no certificate was reported');

  test('a certificate is issued through the webroot that nginx serves, and stays unchanged until it is due', async () => {
    const first = await issue('app.test');
    expect([first.code, first.report]).toEqual([
      0,
      expect.objectContaining({
        state: 'issued',
        changed: 'issued a certificate for app.test',
        folder: '/etc/letsencrypt/live/app.test',
        server: acme.directoryUrl,
      }),
    ]);
    const leaf = certificateOf(first);
    expect(leaf.subjectAltName).toBe('DNS:app.test');
    expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBeLessThan(
      (VALIDITY_SECONDS + 60) * 1000,
    );
    expect(leaf.publicKey.asymmetricKeyType).toBe('ec');
    const onDisk = await server.inside('cat /etc/letsencrypt/live/app.test/cert.pem');
    expect(new X509Certificate(onDisk).fingerprint256).toBe(leaf.fingerprint256);

    const told = await server.run(certificateScript({ certificate: 'app.test', known: 'app.test' }));
    expect([told.code, certificateOf(told).serialNumber]).toEqual([0, leaf.serialNumber]);
  });

  test('a due certificate is renewed with another serial, and nginx is reloaded', async () => {
    const before = certificateOf(
      await server.run(certificateScript({ certificate: 'app.test', known: 'app.test' })),
    );
    const workers = () => server.inside('pgrep -f "[n]ginx: worker process" | sort | tr "\\n" " "');
    const old = await workers();
    const renewed = await renew('app.test');
    expect([renewed.code, renewed.report['state']]).toEqual([0, 'renewed']);
    expect(certificateOf(renewed).serialNumber).not.toBe(before.serialNumber);
    expect(await workers()).not.toBe(old);
  });

  test('a certificate that is not due stays, and is replaced only on request', async () => {
    const long = await startSiteServer({ packages: true });
    try {
      await long.inside(
        `${unpackLine('certbot')}
        mkdir -p ${WEBROOT} && printf '%s\\n' '${site('app.test')}' > ${SITES}/sites.conf && nginx -s reload`,
      );
      const { directoryUrl, caBundle } = await startAcme(long.host);
      const args = { serverName: 'app.test', webroot: WEBROOT, directoryUrl, caBundle };
      const states: (string | undefined)[] = [];
      for (const command of [
        issueScript({ ...args, keyType: 'rsa' }),
        issueScript({ ...args, keyType: 'rsa' }),
        renewScript(args),
        renewScript({ ...args, force: true }),
        issueScript({ ...args, keyType: 'rsa', force: true }),
      ]) {
        const end = await long.run(command);
        states.push(end.report['state'] ?? end.out);
        expect(certificateOf(end).publicKey.asymmetricKeyType).toBe('rsa');
      }
      expect(states).toEqual(['issued', 'kept', 'kept', 'renewed', 'renewed']);
    } finally {
      await long.stop();
    }
  });

  test('a name that the authority refuses is reported in its words, which certbot itself hides', async () => {
    const refused = await issue('blocked.test');
    expect(refused.code).toBe(certbotExit.refused);
    expect(refused.out).toContain("can't set attribute");
    const why = readRefusal(refused.report, new Date());
    expect(why).toEqual({
      problem: 'rejectedIdentifier',
      detail: expect.stringContaining('blocked.test'),
    });
    expect(refused.out).toMatch(/\nThe certificate authority refused \(rejectedIdentifier\): .*\n$/);
    expect(refused.report['certificate']).toBeUndefined();
  });

  test('a missing proof is reported with the requested address', async () => {
    // A name that was never proved: Pebble reuses a proof in one order of a hundred.
    const wrong = await issue('unproven.test', { webroot: '/srv' });
    expect([wrong.code, wrong.report['problem']]).toEqual([certbotExit.refused, 'unauthorized']);
    expect(wrong.report['detail']).toContain('unproven.test');
    await acme.setAddress('unproven.test', '127.0.0.9');
    await server.inside('systemctl stop nginx');
    const silent = await issue('unproven.test');
    await acme.setAddress('unproven.test', '127.0.0.1');
    await server.inside('systemctl start nginx');
    expect([silent.code, silent.report['problem']]).toEqual([certbotExit.refused, 'connection']);
    expect(silent.report['detail']).toContain('connection refused');
  });

  test('a rate limit is recognised, with the time of the next attempt', async () => {
    const detail = 'too many certificates already issued for "shop.test"';
    await acme.refuseOrders({ status: 429, type: 'rateLimited', detail, retryAfter: '5400' });
    const limited = await issue('shop.test');
    await acme.refuseOrders({ status: 503, retryAfter: 'Wed, 25 Nov 2026 10:00:00 GMT' });
    const busy = await issue('shop.test');
    await acme.acceptOrders();
    expect([limited.code, limited.report]).toEqual([
      certbotExit.tooMany,
      { problem: 'rateLimited', detail, retryAfter: '5400' },
    ]);
    expect(readRefusal(limited.report, new Date(0))?.retryAt).toEqual(new Date(5_400_000));
    expect([busy.code, busy.report['problem']]).toEqual([certbotExit.tooMany, 'http503']);
    expect(readRefusal(busy.report, new Date(0))?.retryAt).toEqual(new Date('2026-11-25T10:00:00Z'));
    expect((await issue('shop.test')).report['state']).toBe('issued');
  });

  test('an authority that is down, or not trusted, is reported as unreachable', async () => {
    await acme.stop();
    const away = await renew('app.test', true);
    expect([away.code, away.report['problem']]).toEqual([certbotExit.unreachable, 'unreachable']);
    await acme.start();
    const stranger = await issue('app.test', { caBundle: '/etc/ssl/certs/ca-certificates.crt' });
    expect([stranger.code, stranger.report['problem']]).toEqual([certbotExit.unreachable, 'unreachable']);
    expect(stranger.report['detail']).toMatch(/certificate verify failed/i);
  });

  test('an authority that accepts no nonce is distinguished from one that refuses the name', async () => {
    await acme.stop();
    // The new authority does not know the account, and would complain about that instead.
    await server.inside('rm -rf /etc/letsencrypt/accounts');
    const strict = await startAcme(server.host, { rejectedNonces: 100 });
    const confused = await issue('shop.test', {
      directoryUrl: strict.directoryUrl,
      caBundle: strict.caBundle,
    });
    expect([confused.code, confused.report['problem']]).toEqual([certbotExit.refused, 'badNonce']);
    await strict.stop();
    await acme.start();
  });

  test('a certificate is removed, unless a site uses it', async () => {
    const remove = (force: boolean): Promise<ScriptEnd> =>
      server.run(removeCertificateScript('app.test', SITES, { force }));
    await server.inside(`mkdir -p ${SITES} && cat > ${SITES}/app.test.conf <<'END'
server { listen 443 ssl; server_name app.test; ssl_certificate /etc/letsencrypt/live/app.test/fullchain.pem; ssl_certificate_key /etc/letsencrypt/live/app.test/privkey.pem; }
END`);
    const kept = await remove(false);
    expect([kept.code, kept.report]).toEqual([certbotExit.inUse, { usedBy: `${SITES}/app.test.conf` }]);
    expect((await server.run(certificateScript({ certificate: 'app.test', known: 'app.test' }))).code).toBe(
      0,
    );
    await server.inside(`sed -i 's/^/# /' ${SITES}/app.test.conf`);
    const removed = await remove(false);
    expect([removed.code, removed.report]).toEqual([
      0,
      { state: 'removed', changed: 'removed the certificate of app.test' },
    ]);
    expect((await remove(false)).report).toEqual({ state: 'already' });
    for (const gone of [
      await server.run(certificateScript({ certificate: 'app.test', known: 'app.test' })),
      await renew('app.test'),
    ])
      expect(gone.code).toBe(certbotExit.absent);
    expect(await server.inside('ls /etc/letsencrypt/live')).not.toContain('app.test');
  });

  test('whether nginx serves the proof is checked before an authority is asked', async () => {
    const check = (...args: Parameters<typeof preflightScript>): Promise<ScriptEnd> =>
      server.run(preflightScript(...args));
    const proofs = `ls ${WEBROOT}/.well-known/acme-challenge`;
    const good = await check(['shop.test'], WEBROOT, 'check', 'token-1');
    expect([good.code, good.report]).toEqual([0, { status: '200' }]);
    expect((await check(['shop.test'], WEBROOT, 'place', 'token-2')).code).toBe(0);
    expect(await server.inside(proofs)).toBe('token-2\n');
    expect((await check(['shop.test'], WEBROOT, 'take', 'token-2')).code).toBe(0);
    expect(await server.inside(proofs)).toBe('');
    const other = await check(['nobody.test'], WEBROOT, 'check', 'token-3');
    expect([other.code, other.report['status']]).toEqual([preflightExit.another, '404']);
    expect(await server.inside(proofs)).toBe('');
    await server.inside('systemctl stop nginx');
    expect((await check(['shop.test'], WEBROOT, 'check', 'token-4')).code).toBe(preflightExit.silent);
    expect((await check(['shop.test'], '/nowhere', 'check', 'token-5')).code).toBe(2);
    expect((await check(['shop.test'], WEBROOT, 'check', '../../escape')).code).toBe(2);
  });
}
