import type { Site } from '../webserver';
import { certificateInput, certificateInputOf, firstOf, hasFirst } from './certificate-input';

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

it('where nothing is live, a site over HTTP comes first, and the one over TLS takes its place', () => {
  const input = certificateInput(site, { live: undefined, ...how });
  expect(input.first).toMatchObject({ options: { ssl: false, gzip: true }, expected: '-' });
  expect(input.first?.text).not.toContain('ssl_certificate');
  expect(input).toMatchObject({ options: { ssl: true, gzip: true }, expected: input.first?.sha256, ...how });
  expect(input.text).toContain('ssl_certificate "/etc/letsencrypt/live/app.test/fullchain.pem";');
  expect(hasFirst(contextOf(input))).toBe(true);
  expect(firstOf(requestOf(input))).toBe(input.first);
});

it('what is live proves the name itself, and is what the site over TLS replaces', () => {
  const input = certificateInput(site, { live: 'f00', ...how });
  expect([input.first, input.expected]).toEqual([undefined, 'f00']);
  expect(hasFirst(contextOf(input))).toBe(false);
  expect(() => firstOf(requestOf(input))).toThrow('no first configuration');
  expect(certificateInputOf(requestOf(input))).toBe(input);
});
