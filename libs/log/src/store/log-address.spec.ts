import { EventStoreDBClient } from '@eventstore/db-client';
import { logAddress, UnusableLogAddress } from './log-address';

const nodes = (...ports: number[]) => ports.map((port) => ({ host: '127.0.0.1', port }));

describe('the address of a log', () => {
  test.each([
    ['esdb://127.0.0.1:2113?tls=false', 'esdb://127.0.0.1:2113?tls=false', nodes(2113)],
    ['esdb://127.0.0.1/?tls=false', 'esdb://127.0.0.1:2113?tls=false', nodes(2113)],
    [
      'esdb://127.0.0.1:2111,127.0.0.1:2112,127.0.0.1:2113?tls=true',
      'esdb://127.0.0.1:2111,127.0.0.1:2112,127.0.0.1:2113?tls=true',
      nodes(2111, 2112, 2113),
    ],
    [
      'kurrentdb://127.0.0.1:2111,127.0.0.1:2112?tls=false',
      'esdb://127.0.0.1:2111,127.0.0.1:2112?tls=false',
      nodes(2111, 2112),
    ],
    ['esdb+discover://127.0.0.1', 'esdb+discover://127.0.0.1:2113', nodes(2113)],
    ['kurrentdb+discover://127.0.0.1:7?tls=false', 'esdb+discover://127.0.0.1:7?tls=false', nodes(7)],
    [
      'esdb://admin:a:b@c%20d@127.0.0.1:2113?tls=false&keep-alive-interval=10000',
      'esdb://admin:a%3Ab%40c%20d@127.0.0.1:2113?tls=false&keepAliveInterval=10000',
      nodes(2113),
    ],
  ])('%s is accepted by the client', (given, url, expected) => {
    expect(logAddress(given)).toMatchObject({ engine: 'eventstoredb', url, nodes: expected });
    expect(EventStoreDBClient.connectionString(url)).toBeInstanceOf(EventStoreDBClient);
  });

  test('TLS is on unless it is switched off, and says which files it needs', () => {
    expect(logAddress('esdb://a,b,c').tls).toEqual({});
    expect(logAddress('esdb://a?tls=false').tls).toBeUndefined();
    expect(logAddress('esdb://a?tlsCaFile=%2Fca.pem&tlsVerifyCert=true')).toMatchObject({
      url: 'esdb://a:2113?tlsCAFile=%2Fca.pem',
      tls: { caFile: '/ca.pem' },
    });
  });

  test('reads host and port of a Postgres address, wherever they are given', () => {
    expect(logAddress('postgres://u:p@db/x')).toMatchObject({
      engine: 'postgres',
      nodes: [{ host: 'db', port: 5432 }],
    });
    expect(logAddress('postgres:///x?host=/run/postgresql').nodes).toEqual([
      { host: '/run/postgresql', port: 5432 },
    ]);
  });

  test.each([
    ['http://a:2113', 'does not begin with esdb://'],
    ['esdb:a:2113', 'does not begin with esdb://'],
    ['postgres+discover://a', 'does not begin with esdb://'],
    ['esdb://', 'names no host'],
    ['esdb://a,,b', 'names no host'],
    ['esdb://a b', 'names no host'],
    ['esdb://a:x', 'names the port x'],
    ['esdb://a:70000', 'names the port 70000'],
    ['esdb://[::1]:2113', 'names an IPv6 address'],
    ['esdb://admin@a', 'has a user without a password'],
    ['esdb://admin:%zz@a', 'holds a % that begins no encoded character'],
    ['esdb+discover://a,b', 'asks for discovery and names several hosts'],
    ['esdb://a?tsl=false', 'has an option that is not known: tsl'],
    ['esdb://a?tls=no', 'has no usable value for tls'],
    ['esdb://a?tls', 'has no usable value for tls'],
    ['esdb://a?keepAliveInterval=soon', 'has no usable value for keepAliveInterval'],
    ['esdb://a?tlsVerifyCert=false', 'asks for tlsVerifyCert=false'],
    ['esdb://a?userCertFile=/a.pem', 'has one of userCertFile and userKeyFile'],
  ])('%s is refused because it %s', (given, wrong) => {
    let error: unknown;
    try {
      logAddress(given);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(UnusableLogAddress);
    expect((error as UnusableLogAddress).wrong).toContain(wrong);
    expect((error as UnusableLogAddress).remedy).not.toBe('');
  });
});
