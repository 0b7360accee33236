/** Tests the assumptions of the server scripts in the real shells of this machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import placesFile from './places.sh';

const places = placesFile.text;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'places-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const shells = [['/bin/dash'], ['/bin/bash'], ['/bin/bash', '--posix'], ['/bin/busybox', 'sh']].filter(
  ([program = '']) => existsSync(program),
);

/** The output after the common beginning of all scripts, for the work "name" in the folder d. */
const says = ([program = '', ...options]: string[], script: string, before = places): string =>
  execFileSync(
    program,
    [...options, '-c', `name=name\nword=word\n${before}\nd=$1\n${script}`, 'sh', folder],
    {
      encoding: 'utf8',
    },
  );

it('this machine has the shells of most servers', () => {
  expect(shells).toEqual(expect.arrayContaining([['/bin/dash'], ['/bin/bash']]));
});

describe.each(shells.map((shell) => ({ name: shell.join(' '), shell })))('in $name', ({ shell }) => {
  it('lets one of many concurrent scripts decide, and nobody afterwards', () => {
    const rounds = 25;
    const script = `
round=0
while [ $round -lt ${rounds} ]; do
  for one in 1 2 3 4 5 6 7 8 9 10 11 12; do
    (until [ -e "$d/go" ]; do :; done; take_gate && echo "$round") &
  done
  true >"$d/go"
  wait
  take_gate && echo late
  rm "$d/go" "$d/gate"
  round=$((round + 1))
done`;
    const decided = says(shell, script).trim().split('\n');
    expect(decided).toEqual(Array.from({ length: rounds }, (_, round) => String(round)));
  });

  it('continues after a taken gate, and may overwrite its own files', () => {
    const script =
      'take_gate; take_gate && echo twice; echo 1 >"$d/x"; echo 2 >"$d/x"; read -r x <"$d/x"; echo $x';
    expect(says(shell, script)).toBe('2\n');
  });

  it.each([
    ['7 12\n', 'yes 7 12'],
    ['7 1', 'no'],
    ['', 'no'],
    [undefined, 'no'],
  ])('an exit code %j counts once its line is whole', (line, verdict) => {
    if (line !== undefined) writeFileSync(join(folder, 'exit'), line);
    expect(says(shell, 'if ended; then echo "yes $verdict"; else echo no; fi')).toBe(`${verdict}\n`);
  });

  it('finds the account, even if the kernel does not report it', () => {
    const uid = `${String(process.geteuid?.())}\n`;
    expect(says(shell, 'echo "$uid"')).toBe(uid);
    const blind = places.replaceAll('/proc/self/status', join(folder, 'nothing'));
    expect(says(shell, 'echo "$uid"', blind)).toBe(uid);
  });
});
