/** What a script is given arrives as it is, in the real shells of this machine. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { braced } from './remote-shell';
import { exitNames, fixedShell, shell } from './shell';

const shells = [['/bin/dash'], ['/bin/bash', '--posix'], ['/bin/busybox', 'sh']].filter(([program = '']) =>
  existsSync(program),
);
const ask = {
  text: `: "\${host?}" "\${port?}"\nprintf '%s|' "$host" "$port" "$@"\n`,
  takes: ['host', 'port'],
};

const values = ['plain', '', 'it\'s $(id) `id` $HOME \\ "x"', 'two\nlines\n', '-n', '* ?'];

describe.each(shells.map((one) => ({ name: one.join(' '), one })))(
  'in $name',
  ({ one: [program = '', ...options] }) => {
    it.each(values)('%j is no part of the script', (value) => {
      const command = shell(ask, ['host', 'port'])({ host: value, port: 22 }, [value, 'more']);
      const said = execFileSync(program, options, { input: braced(command), encoding: 'utf8' });
      expect(said).toBe(`${value}|22|${value}|more|`);
    });
  },
);

it('a value that no shell can have is refused', () => {
  const command = shell(ask, ['host', 'port'])({ host: 'a\0b', port: 22 });
  expect(() => braced(command)).toThrow(RangeError);
});

it('names that the file does not declare, or that nobody gives, are refused before anything is sent', () => {
  expect(() => shell(ask, ['host'])).toThrow('not given: port');
  expect(() => shell(ask, ['host', 'port', 'user'])).toThrow('not taken: user');
  expect(() => fixedShell(ask, { port: 22 })).toThrow('not given: host');
});

it('constants are given to the scripts that take them', () => {
  const codes = exitNames({ port: 7, noLogin: 42 });
  expect(codes).toEqual({ exit_port: 7, exit_no_login: 42 });
  const file = { text: 'exit "$exit_no_login"', takes: ['exit_no_login'] };
  expect(fixedShell(file, codes)).toEqual({ script: file.text, named: { exit_no_login: '42' }, args: [] });
});
