// covers: DOM-06
import {
  checkTls,
  expiryAnswer,
  type TlsCheck,
  type TlsTarget,
} from '../../apps/backend/src/platform/tls/tls-check';
import { heldBytes } from '../../testing/held-memory';
import { expiryLabel } from '../../apps/backend/src/certificates/renewal';
import {
  startTlsEndpoints,
  type Endpoint,
  type EndpointKind,
  type TlsEndpoints,
} from '../../testing/tls-endpoints';

let endpoints: TlsEndpoints;
beforeAll(async () => {
  endpoints = await startTlsEndpoints();
});
afterAll(() => endpoints.stop());

let count = 0;
const target = (wanted: EndpointKind | Endpoint): TlsTarget => {
  const kind = typeof wanted === 'string' ? wanted : wanted.kind;
  count += 1;
  return { ...endpoints.serve(`${kind.toLowerCase()}-${count}.test`, wanted), timeoutMs: 60_000 };
};
const check = (wanted: EndpointKind | Endpoint, more: Partial<TlsTarget> = {}): Promise<TlsCheck> =>
  checkTls({ ...target(wanted), ...more });

/** Polls without a pause until the server has noticed, too. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Days from now. */
const daysFromNow = (at: string | undefined): number => (Date.parse(at ?? '') - Date.now()) / 86_400_000;

describe('a host with a good certificate', () => {
  it('is valid, with all known facts', async () => {
    const asked = target({ kind: 'valid', days: 61 });
    const seen = await checkTls(asked);
    expect(seen).toMatchObject({
      reachable: true,
      protocol: 'TLSv1.3',
      cipher: 'TLS_AES_256_GCM_SHA384',
      trusted: true,
      nameMatches: true,
      valid: true,
      ocspStapled: false,
      certificate: {
        serial: await endpoints.serialOf(asked.host),
        issuer: 'Quarterdeck Test E1',
        issuerOrganization: 'Quarterdeck Test',
        subject: asked.host,
        names: [asked.host],
        daysRemaining: 61,
        keyType: 'ECDSA P-256',
        selfSigned: false,
        notAfter: expect.stringMatching(ISO),
        notBefore: expect.stringMatching(ISO),
        fingerprint256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      },
    });
    expect(seen.problem).toBeUndefined();
  });

  it('answers with the SSL fields of the specification', async () => {
    const answer = expiryAnswer(await check({ kind: 'valid', days: 61 }));
    expect(answer).toMatchObject({
      valid: true,
      daysRemaining: 61,
      validTo: expect.stringMatching(ISO),
      validFrom: expect.stringMatching(ISO),
    });
    expect(daysFromNow(answer.validTo)).toBeCloseTo(61, 0);
    expect(daysFromNow(answer.validFrom)).toBeCloseTo(61 - 90, 0);
    expect(answer).not.toHaveProperty('reason');
  });

  it('may have an RSA key, staple an OCSP response, or be slow', async () => {
    expect(await check('rsa')).toMatchObject({ valid: true, certificate: { keyType: 'RSA 2048' } });
    expect(await check('stapled')).toMatchObject({ valid: true, ocspStapled: true });
    expect(await check('slow')).toMatchObject({ valid: true });
    expect(await check('tls12')).toMatchObject({
      valid: true,
      protocol: 'TLSv1.2',
      cipher: expect.stringMatching(/^TLS_ECDHE_ECDSA_/),
    });
  });

  it('presents another one after a renewal', async () => {
    const asked = target({ kind: 'expiring', days: 2 });
    const before = await checkTls(asked);
    endpoints.serve(asked.host, 'valid');
    const after = await checkTls(asked);
    expect(before).toMatchObject({ certificate: { daysRemaining: 2 } });
    expect(after).toMatchObject({ certificate: { daysRemaining: 90 } });
  });

  test.each([
    ['valid', 31, 'valid'],
    ['valid', 30, 'valid'],
    ['expiring', 29, 'expiring'],
    ['expiring', 1, 'expiring'],
    ['expiring', 0, 'expired'],
    ['expired', -1, 'expired'],
    ['expired', -400, 'expired'],
  ] as const)('%s with %i days left counts as %s', async (kind, days, label) => {
    const seen = await check({ kind, days });
    expect(seen).toMatchObject({ reachable: true, valid: days >= 0, certificate: { daysRemaining: days } });
    expect(expiryLabel((seen as { certificate: { daysRemaining: number } }).certificate.daysRemaining)).toBe(
      label,
    );
  });
});

describe('a certificate that a browser would refuse', () => {
  test.each([
    ['expired', 'CERT_HAS_EXPIRED', true, /^It expired on \d{4}-\d\d-\d\d\.$/],
    ['notYetValid', 'CERT_NOT_YET_VALID', true, /^It is valid only from \d{4}-\d\d-\d\d on\.$/],
    ['wrongName', 'NAME_MISMATCH', false, /^It is not for wrongname-\d+\.test but for elsewhere\.test\.$/],
    ['commonNameOnly', 'NAME_MISMATCH', false, /but for other\.test\.$/],
    ['selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT', true, /^It is self-signed/],
    [
      'unknownAuthority',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      true,
      /^Its authority, Nobody Knows E1, is not trusted\.$/,
    ],
    [
      'brokenChain',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      true,
      /the certificate of Quarterdeck Test E1 is missing\.$/,
    ],
  ] as const)('%s is reached, read, and reported as %s', async (kind, code, nameMatches, reason) => {
    const asked = target(kind);
    const seen = await checkTls(asked);
    expect(seen).toMatchObject({
      reachable: true,
      valid: false,
      nameMatches,
      trusted: code === 'NAME_MISMATCH',
      problem: { code, reason: expect.stringMatching(reason) },
      certificate: { serial: await endpoints.serialOf(asked.host), selfSigned: kind === 'selfSigned' },
    });
    expect(expiryAnswer(seen)).toMatchObject({ valid: false, code, daysRemaining: expect.any(Number) });
  });

  it('is not valid just because another check trusts its authority', async () => {
    const asked = target('valid');
    expect(await checkTls({ ...asked, ca: undefined })).toMatchObject({ trusted: false });
    expect(await checkTls(asked)).toMatchObject({ trusted: true });
  });
});

describe('a host without TLS', () => {
  test.each([
    ['refusing', 'refused', /^Nothing listens at refusing-\d+\.test:\d+\.$/],
    ['garbage', 'notTls', /does not answer with TLS\.$/],
    ['resetting', 'reset', /closed the connection before TLS was established\.$/],
    ['closing', 'reset', /closed the connection before TLS was established\.$/],
    ['alerting', 'handshake', /could not agree on TLS: sslv3 alert handshake failure\.$/],
    ['tls11', 'handshake', /could not agree on TLS: tlsv1 alert protocol version\.$/],
    ['flooding', 'notTls', /does not answer with TLS\.$/],
  ] as const)('%s is reported as %s', async (kind, code, reason) => {
    const seen = await check(kind);
    expect(seen).toMatchObject({
      reachable: false,
      problem: { code, reason: expect.stringMatching(reason) },
    });
    const answer = expiryAnswer(seen);
    expect(answer).toEqual({ valid: false, code, reason: expect.any(String) });
  });

  test.each(['hanging', 'dripping'] as const)('%s is given up after the time-out', async (kind) => {
    const seen = await check(kind, { timeoutMs: 400 });
    expect(seen).toMatchObject({ reachable: false, problem: { code: 'timeout' } });
    expect(seen.tookMs).toBeGreaterThanOrEqual(399);
  });

  it('is reported if its name has no address', async () => {
    // RFC 6761: this name never has an address.
    const seen = await checkTls({ host: 'nowhere.invalid', timeoutMs: 20_000 });
    expect(seen).toMatchObject({
      reachable: false,
      problem: { code: 'dns', reason: 'The name of nowhere.invalid:443 has no address.' },
    });
  });
});

describe('a check', () => {
  it('by address requests no server name', async () => {
    const { port, ca } = target('valid');
    const seen = await checkTls({ host: '127.0.0.1', port: port ?? 0, timeoutMs: 60_000, ...(ca && { ca }) });
    // The endpoints select certificates by server name, and none was requested.
    expect(seen).toMatchObject({ reachable: false, problem: { code: 'handshake' } });
  });

  it('ends at once when it is aborted, and leaves no connection', async () => {
    const stop = new AbortController();
    const { accepted } = endpoints;
    const checking = check('hanging', { signal: stop.signal, timeoutMs: 60_000 });
    await until(() => endpoints.accepted > accepted);
    stop.abort(new Error('the operator stopped it'));
    await expect(checking).rejects.toThrow('the operator stopped it');
    await until(() => endpoints.connections === 0);
  });

  it('does not begin if it was aborted before', async () => {
    const { accepted } = endpoints;
    const stopped = { signal: AbortSignal.abort(new Error('stopped')) };
    await expect(check('valid', stopped)).rejects.toThrow('stopped');
    expect(endpoints.accepted).toBe(accepted);
  });

  it('of hundreds of hosts, fifty at once, gives each its result and leaves nothing behind', async () => {
    const kinds: [EndpointKind, string][] = [
      ['valid', 'valid'],
      ['expired', 'CERT_HAS_EXPIRED'],
      ['wrongName', 'NAME_MISMATCH'],
      ['selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['refusing', 'refused'],
      ['garbage', 'notTls'],
      ['resetting', 'reset'],
      ['alerting', 'handshake'],
      ['expiring', 'valid'],
      ['hanging', 'timeout'],
    ];
    const hosts = Array.from({ length: 400 }, (_, at) => {
      const [kind, outcome] = kinds[at % kinds.length] as [EndpointKind, string];
      return { outcome, target: { ...target(kind), timeoutMs: kind === 'hanging' ? 200 : 20_000 } };
    });
    const sockets = () =>
      process.getActiveResourcesInfo().filter((name) => /TCP.*Wrap|TLS/.test(name)).length;
    const [before, heap] = [sockets(), heldBytes()];
    let next = 0;
    let most = 0;
    const wrong: unknown[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let one = hosts[next++]; one; one = hosts[next++]) {
          const seen = await checkTls(one.target);
          most = Math.max(most, endpoints.connections);
          if ((seen.problem?.code ?? 'valid') !== one.outcome) wrong.push({ ...one, seen });
        }
      }),
    );
    expect(wrong).toEqual([]);
    expect(most).toBeGreaterThan(5);
    await until(() => endpoints.connections === 0 && sockets() <= before);
    // This includes the certificates and contexts of the server.
    expect(heldBytes() - heap).toBeLessThan(300_000_000);
  });
});
