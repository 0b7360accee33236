// covers: BAK-01
import { BucketFault } from './bucket-limits';
import { bucketFault } from './bucket-reasons';

const place = {
  host: 's3.example.org',
  bucket: 'my-backups',
  region: 'eu-1',
  prefix: 'console/',
  isPlain: false,
  inPath: false,
};
const put = { right: 's3:PutObject', key: 'console/a.backup' };
const answered = (status: number, name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status }, ...more });
const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code });
const says = (error: unknown, at: Partial<typeof place> = {}, called: object = put): string =>
  bucketFault(error, called as typeof put, { ...place, ...at }).message;

it.each([
  [
    answered(403, 'AccessDenied', 'Access Denied.'),
    's3.example.org refused s3:PutObject of console/a.backup with 403: AccessDenied, Access Denied; allow s3:PutObject on my-backups/console/*',
  ],
  [
    answered(301, 'PermanentRedirect', 'Use the endpoint.', { Endpoint: 'my-backups.s3.eu-2.example.org' }),
    's3.example.org refused s3:PutObject of console/a.backup with 301: PermanentRedirect, Use the endpoint; the endpoint of the bucket is my-backups.s3.eu-2.example.org',
  ],
  [
    answered(400, 'AuthorizationHeaderMalformed', 'wrong\n  region', { Region: 'eu-2' }),
    's3.example.org refused s3:PutObject of console/a.backup with 400: AuthorizationHeaderMalformed, wrong region; the bucket is in the region eu-2, not in eu-1',
  ],
  [
    answered(403, 'AccessDenied', 'Access Denied because object protected by object lock.'),
    's3.example.org refused s3:PutObject of console/a.backup with 403: AccessDenied, Access Denied because object protected by object lock; it can be removed once its time of retention is over',
  ],
  [
    answered(502, 'UnknownError', 'UnknownError'),
    's3.example.org refused s3:PutObject of console/a.backup with 502',
  ],
  [
    failed('ERR_TLS_CERT_ALTNAME_INVALID'),
    's3.example.org has no certificate for my-backups.s3.example.org: choose "Bucket in the path", or check the endpoint [s3:PutObject of console/a.backup]',
  ],
  [
    failed('DEPTH_ZERO_SELF_SIGNED_CERT'),
    's3.example.org has a self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT): name its certificate authority [s3:PutObject of console/a.backup]',
  ],
  [
    failed('EPROTO', 'SSL routines:ssl3_get_record:wrong version number'),
    's3.example.org does not speak TLS: the endpoint should begin with http:// [s3:PutObject of console/a.backup]',
  ],
  [
    failed('', 'no such thing'),
    's3.example.org could not be called: no such thing [s3:PutObject of console/a.backup]',
  ],
])('%s is told as what it is, with what to do', (error, expected) => expect(says(error)).toBe(expected));

it('what is no answer of S3 is no success', () => {
  expect(says(answered(200, 'SyntaxError', 'unexpected <'), {}, { right: 's3:ListBucket' })).toBe(
    's3.example.org answered s3:ListBucket with 200 and not as S3 does: check the endpoint',
  );
});

it('a reason has one line of limited length, and names the call', () => {
  const long = says(answered(400, 'Odd', 'word '.repeat(1000)));
  expect(long.length).toBeLessThanOrEqual(480);
  expect(long).not.toContain('\n');
  expect(says(new BucketFault('s3.example.org did not answer within 30 s'))).toBe(
    's3.example.org did not answer within 30 s [s3:PutObject of console/a.backup]',
  );
});
