import { fieldMessages } from './inputs';
import { fieldsInput } from './kit/schemas';
import { script } from './scripts.noun';

const problems = (body: string) => {
  const { error } = fieldsInput(script).safeParse({
    name: 'backup',
    body,
    changes: true,
    timeoutSeconds: 60,
  });
  return error ? fieldMessages(error) : {};
};
const of = (prefix: string, length: number) => `${prefix}${'a1'.repeat(length / 2)}`;

test.each([
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'a private key'],
  ['psql postgres://app:s3cret@db/shop', 'a password in an address'],
  [`curl -H "Authorization: Bearer ${of('ghp_', 36)}" https://api.example.org`, 'a GitHub token'],
  [of('glpat-', 20), 'a GitLab token'],
  [of('dop_v1_', 64), 'a DigitalOcean token'],
])('a script with %s is refused, with the line', (line, what) => {
  expect(problems(`set -e\n${line}\n`)).toEqual({
    body: `line 2 contains what looks like ${what}: everybody with access to the history could read it. Keep it in a file on the server and read it there`,
  });
});

test.each([
  'psql "postgres://app:$PASSWORD@db/shop"',
  'git clone git@example.org:shop.git',
  'curl https://example.org:8080/a@b',
  'ssh-keygen -y -f /root/.ssh/id_ed25519',
])('a script with %s is accepted', (line) => expect(problems(line)).toEqual({}));

test.each([
  ['\uFEFF#!/bin/bash\r\necho a\r\n', '#!/bin/bash\necho a\n'],
  ['\n\n  #!/usr/bin/env python3\nprint(1)\n', '#!/usr/bin/env python3\nprint(1)\n'],
  ['\n# a comment\n  echo a\n', '\n# a comment\n  echo a\n'],
])('%j is saved as %j', (body, saved) => {
  const given = { name: 'backup', body, changes: true, timeoutSeconds: 60 };
  expect(fieldsInput(script).parse(given)).toMatchObject({ body: saved });
});
