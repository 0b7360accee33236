// covers: DOM-02, DOM-04
import type { LookUp } from '../dns';
import { answerOf, isFault, refusalOf } from './domain-pointing';

const found = (...addresses: string[]): LookUp => ({
  is: 'found',
  addresses: addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  resolver: '9.9.9.9',
  tookMs: 1,
});
const none = (because: 'no-such-name' | 'no-address'): LookUp => {
  return { is: 'none', because, resolver: '9.9.9.9', tookMs: 1 };
};
const failed: LookUp = {
  is: 'failed',
  code: 'ETIMEOUT',
  reason: '9.9.9.9 did not answer in time',
  tookMs: 1,
};
const [web1, named] = [
  { alias: 'web-1', host: '192.0.2.1' },
  { alias: 'web-2', host: 'web.example.org' },
];
const half = (family: 4 | 6, ...addresses: string[]): LookUp =>
  Object.assign(found(...addresses), { unheard: { family, reason: '9.9.9.9 did not answer in time' } });
const refusal = (name: LookUp, host: LookUp, server = web1) =>
  refusalOf('shop.example.org', server, { name, host });

describe('a domain may be added', () => {
  test.each([
    ['whose address is the server’s', found('192.0.2.1'), found('192.0.2.1')],
    [
      'with an address of a family that is not known of the server',
      found('192.0.2.1', '2001:db8::1'),
      found('192.0.2.1'),
    ],
    ['however its address is written', found('2001:db8:0:0::1'), found('2001:db8::1')],
    [
      'of which one family is not known where the server has none of it',
      half(6, '192.0.2.1'),
      found('192.0.2.1'),
    ],
    [
      'while one family is not known of the server and the name has none of it',
      found('192.0.2.1'),
      half(6, '192.0.2.1'),
    ],
    ['on this machine', found('127.0.0.1', '::1'), found('127.0.0.1')],
  ])('%s', (_name, name, host) => {
    expect(refusal(name, host)).toBeUndefined();
    expect(answerOf({ name, host })).toMatchObject({ outcome: 'found', pointsHere: true });
  });
});

describe('a refusal lists what was found for both', () => {
  test.each([
    [
      found('192.0.2.9'),
      found('192.0.2.1'),
      web1,
      'points to 192.0.2.9, and the server web-1 is at 192.0.2.1',
    ],
    [
      found('192.0.2.1', '192.0.2.9'),
      found('192.0.2.1'),
      web1,
      'points to 192.0.2.1, 192.0.2.9, and the server web-1 is at 192.0.2.1, and 192.0.2.9 is not the server’s',
    ],
    [
      found('192.0.2.9'),
      found('192.0.2.1'),
      named,
      'points to 192.0.2.9, and the server web-2 is at web.example.org, which is 192.0.2.1',
    ],
    [
      found('192.0.2.9'),
      none('no-such-name'),
      named,
      'points to 192.0.2.9, and the server web-2 is at web.example.org, which does not exist',
    ],
    [
      found('192.0.2.9'),
      failed,
      named,
      'points to 192.0.2.9, and the server web-2 is at web.example.org, which could not be looked up: 9.9.9.9 did not answer in time',
    ],
    [
      half(6, '192.0.2.1'),
      found('192.0.2.1', '2001:db8::1'),
      named,
      'points to 192.0.2.1, and the server web-2 is at web.example.org, which is 192.0.2.1, 2001:db8::1; the IPv6 addresses of the name could not be looked up: 9.9.9.9 did not answer in time',
    ],
    [
      found('192.0.2.1', '2001:db8::9'),
      half(6, '192.0.2.1'),
      named,
      'points to 192.0.2.1, 2001:db8::9, and the server web-2 is at web.example.org, which is 192.0.2.1; the IPv6 addresses of the server could not be looked up: 9.9.9.9 did not answer in time',
    ],
    [none('no-such-name'), found('192.0.2.1'), web1, 'does not exist; the server web-1 is at 192.0.2.1'],
    [none('no-address'), found('192.0.2.1'), web1, 'has no address; the server web-1 is at 192.0.2.1'],
    [
      failed,
      found('192.0.2.1'),
      web1,
      'could not be looked up: 9.9.9.9 did not answer in time; the server web-1 is at 192.0.2.1',
    ],
  ])('case %#', (name, host, server, words) => {
    expect(refusal(name, host, server)).toBe(`shop.example.org ${words}`);
    expect(answerOf({ name, host }).pointsHere).toBe(false);
  });
});

test('the addresses that the server has itself decide about both families', () => {
  const own = { addresses: [{ address: '2001:db8::1', family: 6 }], private: [4] };
  const stale = { name: found('192.0.2.1', '2001:db8::9'), host: found('192.0.2.1'), own };
  const elsewhere = [{ address: '2001:db8::9', family: 6 }];
  expect(answerOf(stale)).toMatchObject({ outcome: 'found', pointsHere: false, elsewhere });
  expect(refusalOf('shop.example.org', web1, stale)).toMatch(/and 2001:db8::9 is not the server’s$/);
  expect(answerOf({ ...stale, name: found('192.0.2.1', '2001:db8::1') })).toMatchObject({ pointsHere: true });
});

test('a server behind NAT, of which nobody knows the public address, is neither right nor wrong', () => {
  const nat = { name: found('192.0.2.1'), host: found('10.0.0.3'), own: { addresses: [], private: [4] } };
  const answer = answerOf(nat);
  expect(answer).toMatchObject({ pointsHere: false, code: 'ETRANSLATED' });
  expect([answer.elsewhere, isFault(answer), refusalOf('shop.example.org', web1, nat)]).toEqual([
    undefined,
    false,
    undefined,
  ]);
});

test('missing answers say nothing about the domain; a missing name does', () => {
  expect(isFault(answerOf({ name: failed, host: found('192.0.2.1') }))).toBe(true);
  expect(isFault(answerOf({ name: found('192.0.2.1'), host: failed }))).toBe(true);
  expect(isFault(answerOf({ name: half(6, '192.0.2.1'), host: found('192.0.2.1') }))).toBe(true);
  expect(isFault(answerOf({ name: none('no-such-name'), host: found('192.0.2.1') }))).toBe(false);
  expect(isFault(answerOf({ name: found('192.0.2.9'), host: found('192.0.2.1') }))).toBe(false);
});
