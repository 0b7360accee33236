import { StoreUnavailable } from '@quarterdeck/log/store';
import { eventLogObstacle, NodeFault } from './event-log-obstacles';

const grpc = (code: number, message: string): Error => Object.assign(new Error(message), { code });
const withBoth = eventLogObstacle(true, true);

test.each([
  ['ECONNREFUSED', 'cannot be reached: the connection is refused'],
  ['ENOTFOUND', 'cannot be reached: there is no host with that name'],
  ['ETIMEDOUT', 'cannot be reached: there is no answer'],
  ['EWHATEVER', 'cannot be reached: said'],
])('a node that answers %s may just be starting: it is waited for, and ends with 69', (code, wrong) => {
  expect(withBoth(new NodeFault(code, 'said'))).toMatchObject({ wrong, waits: true, exitCode: 69 });
});

test.each([
  ['NO_TLS', 'asks for TLS, which the server does not offer'],
  ['TLS_ONLY', 'has tls=false, and the server wants TLS'],
  ['FILE', 'said'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'has a certificate that is not accepted: said'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate for other names: said'],
  ['CERT_HAS_EXPIRED', 'has a certificate that is not valid now: said'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'cannot agree on TLS with the server: said'],
  ['ERR_HTTP2_ERROR', 'is answered by something other than EventStoreDB'],
])('a node that answers %s will not change by itself: it ends the start with 78', (code, wrong) => {
  expect(withBoth(new NodeFault(code, 'said'))).toMatchObject({ wrong, waits: false, exitCode: 78 });
});

test.each([
  [16, true, true, 'is refused: the user or password is wrong'],
  [7, true, true, 'is refused: the user may not read and write the log'],
  [7, true, false, 'is refused: without TLS user and password are not sent'],
  [7, false, true, 'is refused: the server asks for user and password'],
  [16, false, false, 'is refused: the server asks for user and password'],
  [12, false, true, 'is answered by something other than EventStoreDB'],
])('a call that is answered %i (credentials %s, TLS %s): %s', (code, credentials, tls, wrong) => {
  const error = grpc(code, 'refused');
  const expected = { wrong, waits: false, exitCode: 78 };
  const obstacleOf = eventLogObstacle(credentials, tls);
  expect(obstacleOf(error)).toMatchObject(expected);
  expect(obstacleOf(new StoreUnavailable(error))).toMatchObject(expected);
});

test.each([
  [grpc(14, 'No connection established'), 'cannot be reached: No connection established'],
  [grpc(4, 'Deadline exceeded'), 'does not answer'],
  [new Error('Failed to discover after 10 attempts.'), 'has no node that leads the cluster'],
])('a log that answers "%s" is waited for', (error, wrong) => {
  expect(withBoth(new StoreUnavailable(error))).toMatchObject({ wrong, waits: true, exitCode: 69 });
});

test('a mistake of ours is not an obstacle', () => {
  expect(withBoth(new TypeError('undefined is not a function'))).toBeUndefined();
});
