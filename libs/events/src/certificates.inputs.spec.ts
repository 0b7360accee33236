// covers: VAL-01
import { sslExpiry } from './certificates.inputs';
import { fieldMessages } from './rules';

test.each([
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['bücher.example:8443', 'xn--bcher-kva.example:8443'],
  ['shop.example.org:443', 'shop.example.org:443'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:db8::7]:443', '[2001:db8::7]:443'],
  ['2001:db8::7', '2001:db8::7'],
])('the certificate of %s is looked up at %s', (typed, host) => {
  expect(sslExpiry.parse({ host: typed })).toEqual({ host });
});

test.each(['two words', 'https://shop.example.org', 'a/b', 'ü ü'])('%j is no host', (host) => {
  const { error } = sslExpiry.safeParse({ host });
  expect(error && Object.keys(fieldMessages(error))).toEqual(['host']);
});
