import { faultIn, isExitCodeOnly, plainLines } from './fault-line';

const noManager = 'There is no package manager here that is known: apt, apk, dnf or yum.';

test.each([
  ['a sentence at the end', `warning: error ahead\nSystem: Arch.\n${noManager}\n`, noManager],
  [
    'the first line that names a fault',
    'one\nbuild: 0 errors\ncp: cannot stat /x\nmake: error 1\nbye\n',
    'cp: cannot stat /x',
  ],
  ['the last line, without colours', 'one\n\u001b[31mexit 3\u001b[0m\n\n', 'exit 3'],
  ['the end of a progress bar', '10 %\r50 %\r100 %', '100 %'],
  [
    'what systemd says before it says where to look',
    'Job for nginx.service failed because the control process exited with error code.\nSee "systemctl status nginx.service" and "journalctl -xeu nginx.service" for details.\n',
    'Job for nginx.service failed because the control process exited with error code.',
  ],
  [
    'a line that says where to look, if that is all',
    'Try --help for more information.\n',
    'Try --help for more information.',
  ],
  ['nothing of nothing', '\n\n', undefined],
])('the reason is %s', (_what, output, reason) => expect(faultIn(output)).toBe(reason));

test('a reason is at most 300 characters long', () => expect(faultIn('x'.repeat(400))).toBe('x'.repeat(300)));

test('lines are shown without control characters', () =>
  expect(plainLines('\u001b[1mone\u001b[0m\r\ntw\u0007o')).toEqual(['one', 'two']));

test('a reason that names only an exit code is recognised', () => {
  expect(isExitCodeOnly('Operating system and privileges ended with exit code 69')).toBe(true);
  expect(isExitCodeOnly('A container did not run: exit code 3.')).toBe(false);
});
