import { DomainError } from '../platform/errors';
import { newText, type Site } from '../webserver';
import {
  certificateInput,
  certificateInputOf,
  firstOf,
  hasFirst,
  keepsSite,
  orderInput,
} from './certificate-input';

const site: Site = {
  serverName: 'app.test',
  options: { docker: false, ssl: false, gzip: true },
  locations: [],
  folders: { path: '/srv/static', root: '/root', nginxPath: '/srv/nginx' },
  ipv6: false,
};
const how = { directoryUrl: 'https://ca.test/dir', force: false };
const requestOf = (input: object) => ({
  kind: 'issueCertificate',
  subject: { kind: 'domain', id: 'a', name: 'app.test' },
  input: input as Record<string, never>,
});
const contextOf = (input: object) => ({ run: 'a', request: requestOf(input), reports: {}, attempts: [] });

it('puts an HTTP site live first if nothing is live, and replaces it with the TLS site', () => {
  const input = certificateInput(site, { live: undefined, ...how });
  expect(input.first).toMatchObject({ options: { ssl: false, gzip: true }, expected: '-' });
  expect(input.first?.text).not.toContain('ssl_certificate');
  expect(input).toMatchObject({ options: { ssl: true, gzip: true }, expected: input.first?.sha256, ...how });
  expect(input.text).toContain('ssl_certificate "/etc/letsencrypt/live/app.test/fullchain.pem";');
  expect(hasFirst(contextOf(input))).toBe(true);
  expect(firstOf(requestOf(input))).toBe(input.first);
});

it('uses the live site for the validation, and replaces it with the TLS site', () => {
  const input = certificateInput(site, { live: 'f00', ...how });
  expect([input.first, input.expected]).toEqual([undefined, 'f00']);
  expect(hasFirst(contextOf(input))).toBe(false);
  expect(() => firstOf(requestOf(input))).toThrow("does not create a site's first configuration");
  expect(certificateInputOf(requestOf(input))).toBe(input);
});

describe('the input of an order', () => {
  const facts = {
    serial: '01',
    issuer: 'E1',
    names: ['app.test'],
    keyType: 'ECDSA P-256',
    fingerprint: 'f',
    notBefore: '2026-11-20T09:00:00.000Z',
    notAfter: '2027-02-18T09:00:00.000Z',
  };
  const secure: Site = { ...site, options: { ...site.options, ssl: true } };
  const order = (
    {
      issued = false,
      live,
      as = site,
      wanted = as,
    }: { issued?: boolean; live?: string; as?: Site; wanted?: Site },
    unseen = false,
    seen?: string,
  ) => {
    const config =
      live === undefined ? {} : { config: { sha256: live, file: 'app.test.conf', options: as.options } };
    const domain = { ...config, certificate: issued ? { issued: facts } : {} };
    return orderInput(domain, wanted, { ...how, unseen, ...(seen !== undefined && { seen }) });
  };
  const refused = 'the live configuration is not the one that would be applied now';

  it.each([false, true])('applies no edits with a renewal; unseen: %s', (unseen) => {
    const broken = { ...secure, locations: [{ id: 'none', location: '/ {' }] };
    for (const as of [secure, broken]) {
      const input = order({ issued: true, live: 'adopted', as }, unseen);
      expect(input).toMatchObject({
        keeps: true,
        text: '',
        expected: 'adopted',
        options: { ssl: true },
        ...how,
      });
      expect([input.first, keepsSite(contextOf(input))]).toEqual([undefined, true]);
    }
  });

  it('leaves a plain HTTP site unchanged, and starts none, if the order is one of many', () => {
    expect(order({ issued: true, live: 'restored' }, true)).toMatchObject({
      keeps: true,
      options: { ssl: false },
    });
    expect(() => order({ issued: true }, true)).toThrow(DomainError);
  });

  it('puts the TLS site live if nothing is live, or if the live site is what an apply would write now', () => {
    const { sha256 } = newText(site, '-');
    for (const issued of [false, true]) {
      const input = order({ issued, live: sha256 });
      expect(input).toMatchObject({ options: { ssl: true }, expected: sha256 });
      expect(keepsSite(contextOf(input))).toBe(false);
      expect(order({ issued }).first?.text).toBe(newText(site, '-').text);
    }
  });

  it('includes the reviewed configuration, whatever is live, and no later change', () => {
    const { sha256: seen } = newText(secure, '-');
    expect(order({ live: 'adopted' }, false, seen)).toMatchObject({ sha256: seen, expected: 'adopted' });
    expect(order({}, false, seen)).toMatchObject({ sha256: seen, first: { expected: '-' } });
    for (const what of [{ live: 'adopted' }, {}, { issued: true, live: 'adopted', as: secure }])
      expect(() => order(what, false, 'another')).toThrow('changed in the meantime');
  });

  it('puts the site live with other options if they were reviewed, and renews without any', () => {
    const docker: Site = { ...secure, options: { ...secure.options, docker: true } };
    const { sha256: seen, text } = newText(docker, '-');
    const live = newText(site, '-').sha256;
    expect(order({ live, wanted: docker }, false, seen)).toMatchObject({ text, options: docker.options });
    expect(() => order({ live, wanted: docker })).toThrow(refused);
    expect(() => order({ issued: true, live: 'x', as: secure, wanted: docker })).toThrow(
      'only renews the certificate',
    );
  });

  it('is refused if it would include a configuration that nobody reviewed', () => {
    expect(() => order({ live: 'adopted' })).toThrow(refused);
    expect(() => order({ live: 'adopted' }, true)).toThrow(refused);
    expect(() => order({ issued: true, live: 'restored' })).toThrow(refused);
  });
});
