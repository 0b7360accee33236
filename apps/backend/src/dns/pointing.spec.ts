/** covers: DOM-02, DOM-04 */
import { addressOf } from '../platform/outbound/outbound-addresses';
import { pointing } from './pointing';

const at = (text: string) => [{ address: text, family: addressOf(text)?.family ?? 4 }];

it.each([
  ['in other letters', '2001:DB8:0::1', '2001:db8::1'],
  ['mapped', '::ffff:192.0.2.1', '192.0.2.1'],
])('an address of the server is recognized when it is written %s', (_how, domain, host) => {
  expect(pointing(at(domain), at(host)).here).toBe(true);
});
