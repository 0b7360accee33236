import { DomainError } from '../platform/errors';
import { sha256OfText } from './apply-scripts/apply';
import { siteConfig, siteText } from './site-config';
import { asInput, earlierText, foldersOf, newText, siteInputOf, tooLong } from './site-input';
import type { Site } from './site-model';

const site: Site = {
  serverName: 'app.test',
  options: { docker: false, ssl: false, gzip: true },
  locations: [
    { id: '0190a000-0000-7000-8000-000000000001', location: '/' },
    { id: '0190a000-0000-7000-8000-000000000002', location: '/media', volumes: '/mnt/media' },
    { id: '0190a000-0000-7000-8000-000000000003', location: '/api', url: 'http://app:3000' },
  ],
  folders: { path: '/srv/static/', root: '/root', nginxPath: '/srv/nginx' },
  ipv6: false,
};
const server = { id: 'a', alias: 'web', host: '192.0.2.7', port: 22, username: 'root', ...site.folders };

it('contains the written text with its SHA-256, and survives being stored in an event', () => {
  const input = newText(site, '-');
  expect(input).toEqual({
    text: siteConfig(site),
    sha256: sha256OfText(siteConfig(site)),
    options: site.options,
    serverName: 'app.test',
    expected: '-',
    site,
  });
  expect(siteInputOf({ input: asInput({ ...input, restored: undefined }) })).toEqual(input);
});

it('is the reviewed text, or refused', () => {
  const { sha256, text } = newText(site, '-');
  expect(newText(site, '-', sha256)).toEqual(newText(site, '-'));
  expect(() => newText({ ...site, locations: [] }, '-', sha256)).toThrow('changed in the meantime');
  const older = { ...site, locations: [] };
  expect(() => newText(site, '-', newText(older, '-').sha256)).toThrow(
    expect.objectContaining({ code: 'conflict', detail: { current: { nginxStatement: text, sha256 } } }),
  );
});

it('names the fields that cannot be written', () => {
  const broken = { ...site, locations: [{ ...site.locations[0], location: '/ {' } as Site['locations'][0]] };
  expect(() => newText(broken, '-')).toThrow(DomainError);
});

it('names the locations if there are too many for any server', () => {
  const many = (count: number): Site => ({
    ...site,
    locations: Array.from({ length: count }, (_, index) => ({
      id: `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      location: `/api/${index}`,
      url: 'http://app:3000',
      isCorsEnabled: true,
    })),
  });
  expect(tooLong(newText(many(50), '-').text)).toBeUndefined();
  const problem = expect.stringMatching(
    /^together they make a configuration of \d+ kB; at most 256 kB are allowed$/,
  );
  const { text } = siteText(many(200));
  expect(tooLong(text)).toEqual(problem);
  const refusal = expect.objectContaining({ code: 'invalid', data: { locations: problem } });
  expect(() => newText(many(200), '-')).toThrow(refusal);
});

it('restores an earlier text byte for byte, whatever the site consists of today', () => {
  const text = '# by hand\n';
  const sha256 = sha256OfText(text);
  const { serverName, options } = site;
  expect(earlierText({ serverName, options, text }, '*')).toEqual({
    text,
    sha256,
    options,
    serverName,
    expected: '*',
    restored: sha256,
  });
});

it('creates folders derived from the name, and checks folders named by the operator', () => {
  expect(foldersOf(server, newText(site, '-'))).toEqual([
    '/root/.quarterdeck/logs/app.test',
    '/srv/static/.acme',
    '/srv/static/app.test',
    '--',
    '/mnt/media',
  ]);
  const { serverName, options } = site;
  expect(foldersOf(server, earlierText({ serverName, options, text: '' }, '-'))).toEqual([
    '/root/.quarterdeck/logs/app.test',
    '/srv/static/.acme',
    '--',
  ]);
});
