import { backupPlan, fieldMessages } from './inputs';

const problems = (prefix: string) => {
  const { error } = backupPlan.safeParse({
    target: {
      kind: 's3',
      endpoint: 'https://s3.example.org',
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
  expect(problems(prefix)).toEqual({
    'target.prefix': expect.stringMatching(/expected, without a slash at the beginning/),
  }),
);

test.each(['', 'console', 'console/', 'a/b.c/..d'])('the prefix %s is accepted', (prefix) =>
  expect(problems(prefix)).toEqual({}),
);
