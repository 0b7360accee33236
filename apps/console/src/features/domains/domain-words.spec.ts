// covers: DOM-01, DOM-09
import { answerInWords, certificateStateOf, configStateOf, daysInWords, daysUntil } from './domain-words';

const serverName = 'shop.example.org';
const now = Date.parse('2026-11-22T12:00:00.000Z');
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString();
const certificate = (notAfter: string) => ({ serverName, certificate: { notAfter } as never });
const served = (notAfter: string, valid = true, names = [serverName]) => ({
  serverName,
  served: { valid, served: { notAfter, names } } as never,
});

test('a certificate is expiring below thirty days and expired at none', () => {
  const stateAt = (days: number) => certificateStateOf(certificate(inDays(days)), now);
  expect([90, 30, 29.9, 1, 0.9, 0, -3].map(stateAt)).toEqual([
    'valid',
    'valid',
    'expiring',
    'expiring',
    'expired',
    'expired',
    'expired',
  ]);
  expect(certificateStateOf({ serverName }, now)).toBe('none');
  expect(certificateStateOf(certificate(inDays(45)), now, 60)).toBe('expiring');
});

test('what visitors are shown counts before what was issued', () => {
  const both = { ...certificate(inDays(80)), ...served(inDays(3)) };
  expect(certificateStateOf(both, now)).toBe('expiring');
  expect(certificateStateOf(served(inDays(80), false), now)).toBe('invalid');
  const another = served(inDays(3), false, ['blog.example.org']);
  expect(certificateStateOf(another, now)).toBe('none');
  expect(certificateStateOf({ ...certificate(inDays(80)), ...another }, now)).toBe('invalid');
});

test('a configuration that drifted is told before that it was applied', () => {
  const config = {} as never;
  expect([{}, { config }, { config, drift: { at: inDays(0) } }].map(configStateOf)).toEqual([
    'never',
    'applied',
    'drifted',
  ]);
});

test('days are told as people say them', () => {
  expect([41, 1, 0, -1, -3].map(daysInWords)).toEqual([
    'in 41 days',
    'in 1 day',
    'within a day',
    '1 day ago',
    '3 days ago',
  ]);
  expect(daysUntil(inDays(-0.5), now)).toBe(-1);
});

test('an answer of DNS is its addresses, or why there are none', () => {
  expect(answerInWords({ outcome: 'found', addresses: [{ address: '192.0.2.1', family: 4 }] })).toBe(
    '192.0.2.1',
  );
  expect(answerInWords({ outcome: 'none', addresses: [] })).toBe('DNS knows no address for it');
  expect(answerInWords({ outcome: 'failed', addresses: [], reason: 'timed out' })).toBe('timed out');
});
