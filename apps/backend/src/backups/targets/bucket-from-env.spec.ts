// covers: BAK-01
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { startS3, type S3Server } from '../../../../../testing/s3';
import { testAuthority } from '../../../../../testing/test-authority';
import { archivesInBucket, readBucketUrl } from './bucket-from-env';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bucket-from-env-'));
let plain: S3Server;
let tls: S3Server;
let authority: Awaited<ReturnType<typeof testAuthority>>;
const before = { ...process.env };
beforeAll(async () => {
  authority = await testAuthority();
  const [notBefore, notAfter] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [
    Date,
    Date,
  ];
  plain = await startS3();
  tls = await startS3(await authority.leaf({ names: ['127.0.0.1'], notBefore, notAfter }), '/v1/s3');
});
afterAll(async () => {
  process.env = before;
  await plain?.stop();
  await tls?.stop();
  fs.rmSync(folder, { recursive: true });
});

const listed = (variables: Record<string, string> = {}, url = 's3://backups/console') => {
  const { url: AWS_ENDPOINT_URL, region: AWS_REGION, accessKeyId, secretAccessKey } = plain;
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  process.env = { ...before, AWS_ENDPOINT_URL, AWS_REGION, ...keys, ...variables };
  return archivesInBucket(url);
};
const none = { archives: [], refused: [] };

it('reads the variables of Amazon’s tools, and an empty one as none', async () => {
  await expect(
    listed({ AWS_CA_BUNDLE: '', AWS_ENDPOINT_URL_S3: '', AWS_SESSION_TOKEN: '' }),
  ).resolves.toEqual(none);
  const { region } = plain;
  await expect(listed({ AWS_REGION: '', AWS_DEFAULT_REGION: region })).resolves.toEqual(none);
  // As in a bundle of the system: many, with words between them.
  const bundle = [...rootCertificates, `# ours\n${authority.root}`].join('\n\n');
  const own = { AWS_ENDPOINT_URL_S3: tls.url, AWS_CA_BUNDLE: path.join(folder, 'bundle.pem') };
  fs.writeFileSync(own.AWS_CA_BUNDLE, bundle);
  await expect(listed(own)).resolves.toEqual(none);
  expect(tls.calls.at(-1)).toMatch(/^GET \/v1\/s3\/backups/);
});

it.each([
  [{ AWS_CA_BUNDLE: '/nowhere/root.pem' }, /^AWS_CA_BUNDLE \/nowhere\/root\.pem: ENOENT/],
  [{ AWS_CA_BUNDLE: 'package.json' }, /^AWS_CA_BUNDLE package\.json: a PEM certificate is expected/],
  [{ AWS_ENDPOINT_URL: 'ftp://example.org' }, /^AWS_ENDPOINT_URL: a web address is expected/],
  [{ AWS_ENDPOINT_URL: 'https://me:word@example.org' }, /^AWS_ENDPOINT_URL: (?!.*word).*without a user/],
  [{ AWS_ENDPOINT_URL: 'https://example.org/a/../b' }, /^AWS_ENDPOINT_URL: .*\.\./],
  [{ AWS_ENDPOINT_URL: '', AWS_REGION: 'a b' }, /^AWS_REGION: /],
  [{ AWS_ENDPOINT_URL: '', AWS_REGION: '' }, /the environment has no AWS_REGION$/],
  [{ AWS_REGION: 'us-east-1' }, /the bucket is in the region eu-test-1, not in us-east-1$/],
  [{ AWS_ACCESS_KEY_ID: 'other' }, /check the access key ID$/],
  [{ AWS_SECRET_ACCESS_KEY: 'other' }, /check the secret access key$/],
  [{ AWS_SESSION_TOKEN: 'old' }, /check the session token$/],
])('says in one line what is wrong with %j', async (variables, line) => {
  await expect(listed(variables as Record<string, string>)).rejects.toThrow(line);
  await expect(listed(variables as Record<string, string>)).rejects.not.toThrow(/\n/);
});

it('says so where TLS does not fit', async () => {
  const http = plain.url.replace('http:', 'https:');
  await expect(listed({ AWS_ENDPOINT_URL: http })).rejects.toThrow(/should begin with http:\/\//);
  await expect(listed({ AWS_ENDPOINT_URL: tls.url })).rejects.toThrow(/name its certificate authority/);
});

it.each(['s3://', 's3:///console', 's3://a b/console', 's3://-a', 's3:/backups'])(
  '%s names no bucket',
  (url) => expect(() => readBucketUrl(url)).toThrow(/s3:\/\/BUCKET\/PREFIX or .* is expected$/),
);
