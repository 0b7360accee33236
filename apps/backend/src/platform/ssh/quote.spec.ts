import { execFileSync } from 'node:child_process';
import { quote } from './quote';

const hostile = [
  '',
  "it's",
  '$(touch /tmp/owned)',
  '`id`',
  '"; rm -rf /; "',
  "'; id; '",
  '\\',
  "\\'",
  'a\nb\tc',
  '!history',
  '-rf',
  '~root',
  '*',
  'ünï💡',
  '%s%n',
  '${HOME}',
];

it('returns exactly the same words through a shell', () => {
  const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${hostile.map(quote).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(printed.split('\0').slice(0, -1)).toEqual(hostile);
});

it('refuses text that cannot be an argument', () => {
  expect(() => quote('a\0b')).toThrow(/NUL/);
});
