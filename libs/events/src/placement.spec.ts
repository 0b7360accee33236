import { catalogue, type EventType } from './catalogue';
import { placement } from './placement';
import { readSamples } from '../samples/read-samples';

describe('the placement table', () => {
  test('places every event of the catalogue and nothing else', () => {
    expect(Object.keys(placement).sort()).toEqual(Object.keys(catalogue).sort());
  });

  test.each(readSamples().filter((sample) => sample.v === catalogue[sample.type as EventType].version))(
    '$type reads as a sentence',
    ({ type, data }) => {
      const says = placement[type as EventType].says(data as never);
      expect(says).toMatch(/^\S.*\S$/);
      expect(says).not.toMatch(/undefined|\[object|null|NaN/);
    },
  );

  const addresses = [{ address: '192.0.2.1', family: 4 as const }];
  const answer = { outcome: 'found' as const, addresses };

  test.each<[EventType, object, string]>([
    ['ServerHealthChanged', { to: 'reachable' }, 'found the server reachable'],
    [
      'ServerHealthChanged',
      { to: 'unreachable', reason: 'it is silent' },
      'found the server unreachable: it is silent',
    ],
    ['DnsAnswerChanged', { ...answer, pointsHere: true }, 'DNS points to its server: 192.0.2.1'],
    ['DnsAnswerChanged', { ...answer, pointsHere: false }, 'DNS points to 192.0.2.1'],
    ['DnsAnswerChanged', { outcome: 'none' }, 'DNS has no address'],
    ['CertificateServed', { reason: 'it is silent' }, 'found the site serving no certificate: it is silent'],
    ['DockerInstalled', { engine: '28', changed: [] }, 'found Docker 28 already installed'],
    ['DockerInstalled', { engine: '28', changed: ['engine'] }, 'installed Docker 28'],
    ['RunCancelRequested', {}, 'requested cancellation'],
    ['RunOutputRemoved', { bytes: 12, days: 30 }, 'removed its output (12 bytes) after 30 days'],
  ])('the words of %s', (type, data, says) => {
    expect(placement[type].says(data as never)).toBe(says);
  });
});
