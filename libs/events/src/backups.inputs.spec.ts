import { backupPlan, fieldMessages } from './inputs';

const problems = ({ prefix = '', endpoint = 'https://s3.example.org' }) => {
  const { error } = backupPlan.safeParse({
    target: {
      kind: 's3',
      endpoint,
      region: 'eu-1',
      bucket: 'backups',
      prefix,
      pathStyle: false,
      accessKeyId: 'AKIA',
    },
    schedule: null,
    keep: { days: 7, weeks: 4, months: 12 },
    recipients: [],
  });
  return error ? fieldMessages(error) : {};
};

// An address with these parts would be shortened, and name another object or another bucket.
test.each(['/console', '..', 'a/../b', './a', 'a/.', 'a//b', 'a b'])('the prefix %s is refused', (prefix) =>
  expect(problems({ prefix })).toEqual({
    'target.prefix': expect.stringMatching(/expected, without a slash at the beginning/),
  }),
);

test.each(['', 'console', 'console/', 'a/b.c/..d'])('the prefix %s is accepted', (prefix) =>
  expect(problems({ prefix })).toEqual({}),
);

test.each([
  'https://s3.example.org/a/../b',
  'https://s3.example.org/..',
  'https://s3.example.org/./a',
  'https://s3.example.org//a',
  'https://s3.example.org/a//',
  'https://s3.example.org/%2e%2e/a',
  'https://s3.example.org/a%2Fb',
  'https://s3.example.org/a\\b',
  'https://s3.example.org\\@other.example.org',
  'https://s3.example.org/a b',
  'https://s3.example.org/a\nb',
  'https://s3.example.org/a;b',
  'https://s3.example.org/a?b=c',
  'https://s3.example.org/a#b',
  'https://user:word@s3.example.org/a',
  'https://user@s3.example.org',
  'ftp://s3.example.org',
  's3.example.org',
  `https://s3.example.org/${'a'.repeat(2000)}`,
])('the endpoint %j is refused', (endpoint) =>
  expect(problems({ endpoint })).toEqual({ 'target.endpoint': expect.stringMatching(/expected|characters/) }),
);

test.each([
  'https://s3.example.org/',
  'http://127.0.0.1:9000',
  'http://[::1]:9000/base',
  'https://project.supabase.co/storage/v1/s3',
  'https://storage.example.org/v1.0/~backups/s3/',
])('the endpoint %s is accepted', (endpoint) => expect(problems({ endpoint })).toEqual({}));
