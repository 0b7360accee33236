// covers: CLOUD-04
import { addressRecords } from './zone-file';

test('A records are the lines of the form host, ttl, IN, A, ip', () => {
  const zone = [
    '$ORIGIN example.org.',
    '$TTL 1800',
    'example.org. IN SOA ns1.digitalocean.com. hostmaster.example.org. 1415982609 10800 3600 604800 1800',
    'example.org. 1800 IN NS ns1.digitalocean.com.',
    'example.org. 1800 IN A 203.0.113.7',
    'shop.example.org.\t300\tIN\tA\t203.0.113.8',
    'shop.example.org. 300 IN AAAA 2001:db8::1',
    'note.example.org. 300 IN TXT "a 300 IN A 203.0.113.9"',
    '; old.example.org. 300 IN A 203.0.113.10',
  ].join('\n');
  expect(addressRecords(zone)).toEqual([
    { host: 'example.org', ttl: 1800, ip: '203.0.113.7' },
    { host: 'shop.example.org', ttl: 300, ip: '203.0.113.8' },
  ]);
});

test('a line that almost fits costs no more than its length', () => {
  expect(addressRecords(`${'a'.repeat(100_000)} ${' '.repeat(100_000)}x`)).toEqual([]);
});
