// covers: BAK-01
import { sha256Of, signed } from './signature';

/** The examples of "Authenticating Requests (AWS Signature Version 4)" in the Amazon S3 reference. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const at = new Date('2013-05-24T00:00:00Z');
const bucket = 'https://examplebucket.s3.amazonaws.com';

interface Example {
  what: string;
  call: { method: string; path: string; headers: Record<string, string>; body: string };
  signature: string;
}

it.each<Example>([
  {
    what: 'a part of an object',
    call: { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, body: '' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'an object that is put',
    call: {
      method: 'PUT',
      path: '/test%24file.text',
      body: 'Welcome to Amazon S3.',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'a parameter without a value',
    call: { method: 'GET', path: '/?lifecycle', headers: {}, body: '' },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'a list',
    call: { method: 'GET', path: '/?max-keys=2&prefix=J', headers: {}, body: '' },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signs $what as in the published examples', ({ call, signature }) => {
  const { method, path, headers, body } = call;
  const url = new URL(path, bucket);
  const { authorization } = signed({ method, url, headers, sha256: sha256Of(body) }, credentials, at);
  expect(authorization).toContain(`Signature=${signature}`);
});
