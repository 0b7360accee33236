import fastify from 'fastify';
import { callerAddress, isBehindProxy, isTrustedProxy, limitedAs, trustedProxies } from './caller-address';

const PUBLIC_URL = 'https://console.example.org';

/** The address that a call counts for, which comes from a socket of 127.0.0.1. */
const seen = async (config: Parameters<typeof isTrustedProxy>[0], headers: Record<string, string>) => {
  const server = fastify({ trustProxy: isTrustedProxy(config) });
  server.get('/', (request) => callerAddress(request));
  return (await server.inject({ url: '/', headers })).body;
};

describe('the address of a caller', () => {
  it.each([
    ['what the proxy appended', '198.51.100.7', '198.51.100.7'],
    ['not what the client invented before it', '1.2.3.4, 198.51.100.7', '198.51.100.7'],
    ['not a trusted address that the client invented', '10.0.0.9, 198.51.100.7', '198.51.100.7'],
    ['without its port', '198.51.100.7:4711', '198.51.100.7'],
    ['without the port of IPv6', '[2001:db8::7]:4711', '2001:db8::7'],
    ['in canonical form', '2001:0DB8:0::7', '2001:db8::7'],
    ['as IPv4 where it is mapped', '::ffff:198.51.100.7', '198.51.100.7'],
    ['the proxy where it reports no address', 'unknown', '127.0.0.1'],
    ['the proxy where it reports garbage', `${'x'.repeat(5000)}`, '127.0.0.1'],
    ['what the proxy appended, past an empty element', '198.51.100.7,', '198.51.100.7'],
  ])('is %s', async (_what, header, address) => {
    expect(await seen({ PUBLIC_URL }, { 'x-forwarded-for': header })).toBe(address);
  });

  it('is found behind a chain of trusted proxies, however much the client invents', async () => {
    const config = { PUBLIC_URL, TRUSTED_PROXIES: ['loopback', '10.0.0.0/8', 'fd00::/8'] };
    for (const chain of ['10.1.2.3', '10.1.2.3, fd00::1', '10.1.2.3:99, [fd00::1]:80'])
      expect(await seen(config, { 'x-forwarded-for': `10.6.6.6, 198.51.100.7, ${chain}` })).toBe(
        '198.51.100.7',
      );
    expect(await seen(config, { 'x-forwarded-for': '10.1.2.3, 192.168.0.1' })).toBe('192.168.0.1');
  });

  it.each([
    ['there is neither PUBLIC_URL nor TRUSTED_PROXIES', {}],
    ['the list says none', { PUBLIC_URL, TRUSTED_PROXIES: ['none'] }],
    ['the list does not contain loopback', { PUBLIC_URL, TRUSTED_PROXIES: ['10.0.0.0/8'] }],
  ])('is that of the socket where %s', async (_when, config) => {
    expect(await seen(config, { 'x-forwarded-for': '198.51.100.7' })).toBe('127.0.0.1');
  });

  it('is not taken from headers that proxies pass on unread', async () => {
    const headers = {
      forwarded: 'for=198.51.100.7',
      'x-real-ip': '198.51.100.7',
      'cf-connecting-ip': '1.2.3.4',
    };
    expect(await seen({ PUBLIC_URL }, headers)).toBe('127.0.0.1');
  });
});

test('the default trusts loopback when PUBLIC_URL is set', () => {
  expect(trustedProxies({})).toEqual([]);
  expect(trustedProxies({ PUBLIC_URL })).toEqual(['loopback']);
  const isTrusted = isTrustedProxy({ PUBLIC_URL });
  expect(['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', ''].map(isTrusted)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('an address of loopback as PUBLIC_URL has no proxy in front', () => {
  expect(isBehindProxy({ PUBLIC_URL })).toBe(true);
  expect(isBehindProxy({ TRUSTED_PROXIES: ['10.0.0.1'] })).toBe(true);
  expect(isBehindProxy({ PUBLIC_URL, TRUSTED_PROXIES: ['none'] })).toBe(false);
  for (const url of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
    expect(isBehindProxy({ PUBLIC_URL: url })).toBe(false);
});

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('limits count %s as %s', (caller, counted) => {
  expect(limitedAs(caller)).toBe(counted);
});
