/** covers: DOM-02, DOM-04 */
import { addressOf } from '../platform/outbound/outbound-addresses';
import { pointsAt, strangers } from './pointing';

const at = (...texts: string[]) =>
  texts.map((text) => ({ address: text, family: addressOf(text)?.family ?? 4 }));

it.each<[string, string[], string[], boolean]>([
  ['the same address', ['192.0.2.1'], ['192.0.2.1'], true],
  ['another address', ['192.0.2.2'], ['192.0.2.1'], false],
  ['no address', [], ['192.0.2.1'], false],
  ['a host without one', ['192.0.2.1'], [], false],
  ['the same in other letters', ['2001:DB8:0::1'], ['2001:db8::1'], true],
  ['a mapped one', ['::ffff:192.0.2.1'], ['192.0.2.1'], true],
  ['one of the host’s two', ['192.0.2.1'], ['192.0.2.1', '192.0.2.2'], true],
  ['another host beside it', ['192.0.2.1', '192.0.2.9'], ['192.0.2.1'], false],
  ['an IPv6 address that nobody knows of the host', ['192.0.2.1', '2001:db8::1'], ['192.0.2.1'], true],
  ['an IPv6 address of another', ['192.0.2.1', '2001:db8::9'], ['192.0.2.1', '2001:db8::1'], false],
  ['only another family', ['2001:db8::1'], ['192.0.2.1'], false],
])('a domain with %s: %j against %j is %s', (_what, domain, host, points) => {
  expect(pointsAt(at(...domain), at(...host))).toBe(points);
});

it('names the addresses that lead elsewhere', () => {
  expect(strangers(at('192.0.2.1', '192.0.2.9', '2001:db8::9'), at('192.0.2.1'))).toEqual(at('192.0.2.9'));
});
