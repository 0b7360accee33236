// covers: AUD-01, AUD-03
import type { AppEvent } from '@quarterdeck/events';
import { differences, fieldsInWords } from './differences';
import { domains } from './domains';
import { logOf, viewOf } from './testing/log';

describe('differences between two views', () => {
  const server = {
    id: '1',
    alias: 'web-1',
    nginxPath: '/srv',
    key: { fingerprint: 'SHA256:a' },
    revision: 3,
  };

  test('are listed field by field, in words, without bookkeeping fields', () => {
    const after = { ...server, alias: 'web-2', key: { fingerprint: 'SHA256:b' }, revision: 4 };
    expect(differences(server, after)).toEqual([
      { field: 'Alias', before: 'web-1', after: 'web-2' },
      { field: 'Key fingerprint', before: 'SHA256:a', after: 'SHA256:b' },
    ]);
    expect(differences(server, { ...server, revision: 9 })).toEqual([]);
    expect(differences({ secret: { ref: 'a', fingerprint: 'x' } }, { secret: { ref: 'b' } })).toEqual([
      { field: 'Secret fingerprint', before: 'x' },
    ]);
  });

  test('name list entries by their own name, not by their place', () => {
    const before = {
      locations: [
        { id: 'x', location: '/api/', timeout: 30, isCorsEnabled: true },
        { id: 'y', location: '/' },
      ],
    };
    const after = {
      locations: [
        { id: 'y', location: '/' },
        { id: 'x', location: '/api/', timeout: 60 },
      ],
    };
    expect(differences(before, after)).toEqual([
      { field: 'Locations /api/: timeout', before: '30', after: '60' },
      { field: 'Locations /api/: is CORS enabled', before: 'yes' },
    ]);
  });

  test('show everything for a new thing, and everything again for a removed one', () => {
    expect(differences(undefined, { alias: 'web-1', tags: [], on: null })).toEqual([
      { field: 'Alias', after: 'web-1' },
      { field: 'Tags', after: 'none' },
      { field: 'On', after: 'none' },
    ]);
    expect(differences({ cdUrl: 'http://a', durationMs: 5 }, undefined)).toEqual([
      { field: 'Cd URL', before: 'http://a' },
      { field: 'Duration in ms', before: '5' },
    ]);
  });

  test('show the entries of a list that was filled or emptied, without fields that exist only for queries', () => {
    const location = { id: 'x', location: '/api/' };
    const [empty, filled] = [
      { locations: [], locationIds: [] },
      { locations: [location], locationIds: ['x'] },
    ];
    expect(differences(empty, filled)).toEqual([{ field: 'Locations /api/: location', after: '/api/' }]);
    expect(differences(filled, empty)).toEqual([{ field: 'Locations /api/: location', before: '/api/' }]);
  });

  test('of a domain show the present state, without history entries that moved by one', () => {
    const stream = 'domain-0193f0a0-0000-7000-8000-000000000001';
    const pointing = (address: string) => ({ addresses: [{ address, family: 4 }] });
    const applied = (text: string): AppEvent => ({
      type: 'SiteConfigApplied',
      data: {
        text,
        sha256: `sha of ${text}`,
        options: { docker: false, ssl: false, gzip: false },
        file: 'f',
      },
    });
    const events: AppEvent[] = [
      {
        type: 'DomainAdded',
        data: { serverName: 'shop.example.org', server: 's', ...pointing('192.0.2.1') },
      },
      ...['first', 'second', 'third'].map(applied),
      { type: 'DnsAnswerChanged', data: { outcome: 'found', pointsHere: false, ...pointing('192.0.2.2') } },
      { type: 'DnsAnswerChanged', data: { outcome: 'found', pointsHere: false, ...pointing('192.0.2.3') } },
      { type: 'CertificateRefused', data: { detail: 'The authority said no.' } },
    ];
    const log = logOf(...events.map((event): [string, AppEvent] => [stream, event]));
    const view = (count: number) => viewOf(domains, stream, log.slice(0, count));
    const changed = (count: number) =>
      differences(view(count - 1), view(count)).map(({ field, before, after }) => [field, before, after]);
    expect(changed(4)).toEqual([
      ['Config SHA256', 'sha of second', 'sha of third'],
      ['Config at', expect.any(String), expect.any(String)],
      ['Config text', 'second', 'third'],
    ]);
    expect(changed(6)).toEqual([
      ['DNS addresses 192.0.2.3: address', undefined, '192.0.2.3'],
      ['DNS addresses 192.0.2.3: family', undefined, '4'],
      ['DNS at', expect.any(String), expect.any(String)],
      ['DNS addresses 192.0.2.2: address', '192.0.2.2', undefined],
      ['DNS addresses 192.0.2.2: family', '4', undefined],
    ]);
    expect(changed(7)).toEqual([]);
  });

  test('are limited in size, whatever a field contains', () => {
    expect(fieldsInWords({ text: 'x'.repeat(1e6) }).get('Text')).toHaveLength(4_001);
  });
});
