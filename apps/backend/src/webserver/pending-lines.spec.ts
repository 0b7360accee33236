import type { Configured } from '../domains';
import { sha256OfText } from './apply-scripts/apply';
import { differingLines, pendingText } from './pending-lines';
import { siteConfig } from './site-config';
import { siteFrom } from './site-of';

const options = { docker: false, ssl: false, gzip: false };
const folders = { path: '/root/volumes/static', root: '/root', nginxPath: '/root/volumes/nginx_config' };
const location = (url: string) => ({
  id: '01930000-0000-7000-8000-000000000a01',
  location: '/',
  match: 'prefix' as const,
  url,
});
const v4 = [{ address: '192.0.2.1', family: 4 as const }];
const both = [...v4, { address: '2001:db8::1', family: 6 as const }];

/** A domain on which a configuration with this upstream is live. */
const live = (upstream: string, more: Partial<Configured['domain']> = {}): Configured & { text: string } => {
  const serverName = 'shop.example.org';
  const locations = [location(upstream)];
  const text = siteConfig(siteFrom({ serverName, options, locations, folders, addresses: v4 }));
  const config = { sha256: sha256OfText(text), options } as never;
  const dns = { outcome: 'found' as const, addresses: v4, pointsHere: true, at: '' };
  const domain = { serverName, server: { id: 's' }, locations, dns, config, ...more };
  return { domain, folders, text };
};

const pendingLines = ({ text, ...configured }: Configured & { text: string }): number | undefined => {
  const written = pendingText(configured);
  return written === undefined ? undefined : differingLines(text, written);
};

test('nothing is pending where the live text is what would be applied', () => {
  expect(pendingLines(live('http://127.0.0.1:8090'))).toBeUndefined();
});

test('a changed location is pending, with the number of its lines', () => {
  const changed = { locations: [location('http://127.0.0.1:9999')] };
  expect(pendingLines(live('http://127.0.0.1:8090', changed))).toBe(1);
});

test('other folders of the server make the configuration pending', () => {
  expect(
    pendingLines({ ...live('http://127.0.0.1:8090'), folders: { ...folders, root: '/srv' } }),
  ).toBeGreaterThan(0);
});

test('a family that DNS does not answer for at the moment makes nothing pending', () => {
  const dns = { outcome: 'found' as const, addresses: both, pointsHere: true, at: '' };
  expect(pendingLines(live('http://127.0.0.1:8090', { dns }))).toBeGreaterThan(0);
  expect(
    pendingLines(live('http://127.0.0.1:8090', { dns: { ...dns, code: 'EHALFKNOWN' } })),
  ).toBeUndefined();
  const silent = { outcome: 'failed' as const, addresses: [], pointsHere: false, at: '' };
  expect(pendingLines(live('http://127.0.0.1:8090', { dns: silent }))).toBeUndefined();
});

test('nothing is pending before the first application', () => {
  expect(pendingLines(live('http://127.0.0.1:8090', { config: undefined }))).toBeUndefined();
});

test.each([
  ['a\nb\nc', 'a\nB\nc', 1],
  ['a', 'a\nb\nb', 2],
  ['a\nb\nc\nd', 'a', 3],
])('%j and %j differ in %d lines', (before, after, count) => {
  expect(differingLines(before, after)).toBe(count);
});

test('the folder of an adopted certificate, or of one beside it, is no pending change of its own', () => {
  const serverName = 'shop.example.org';
  const secure = { ...options, ssl: true };
  for (const lineage of [
    { name: `quarterdeck-${serverName}` },
    { name: serverName, adopted: { webroot: '/srv/shop' } },
  ]) {
    const locations = [location('http://127.0.0.1:8090')];
    const site = siteFrom({ serverName, options: secure, locations, folders, addresses: v4, lineage });
    const text = siteConfig(site);
    const config = { sha256: sha256OfText(text), options: secure } as never;
    const certificate = { lineage } as never;
    const known = { ...live('http://127.0.0.1:8090', { config, certificate }), text };
    expect(pendingLines(known)).toBeUndefined();
    expect(pendingLines({ ...known, domain: { ...known.domain, certificate: {} as never } })).toBe(2);
  }
});
