// covers: SRV-15
import type { ScriptView } from '@quarterdeck/projections';
import { changesServer } from '@quarterdeck/events';
import { commands, labelOf, namesInWords, onWords, questionOf, startOf, workIn } from './work';

const script = {
  id: 's1',
  name: 'Free space',
  versions: [{ version: 3, body: 'df', changes: true, timeoutSeconds: 30 }],
} as unknown as ScriptView;
const inAddress = (search: string) => workIn(new URLSearchParams(search), script);

test('reads the command or script to run from the URL', () => {
  expect(inAddress('cmdType=7')).toMatchObject({ is: 'command', command: { name: 'dockerPrune' } });
  expect(inAddress('script=s1')).toMatchObject({ is: 'script', version: 3, newest: true });
  expect(inAddress('script=s1&version=2')).toMatchObject({ version: 2, newest: false });
  expect(inAddress('script=s1&version=9')).toMatchObject({ version: 3 });
  for (const none of ['', 'cmdType=11', 'script=other']) expect(inAddress(none)).toBeUndefined();
});

test('asks before commands that make changes and before every script', () => {
  for (const command of commands)
    expect(questionOf({ is: 'command', command }) !== undefined).toBe(changesServer(command.cmdType));
  const newest = { is: 'script', script, version: 3, newest: true } as const;
  expect(questionOf(newest)).toMatchObject({ danger: true });
  // For an older version it is unknown whether it makes changes, so it counts as if it does.
  expect(questionOf({ ...newest, version: 1, newest: false })).toMatchObject({ danger: true });
  const looks = { ...script, versions: [{ ...script.versions[0], changes: false }] } as ScriptView;
  expect(questionOf({ ...newest, script: looks })).toMatchObject({ danger: false });
  expect([labelOf(newest), startOf(newest)]).toEqual(['Free space', { script: 's1', version: 3 }]);
});

test('lists the first twelve server names and counts the rest', () => {
  const names = Array.from({ length: 15 }, (_, at) => `web-${at}`);
  expect([onWords(['web-1']), onWords(names)]).toEqual(['web-1', '15 servers']);
  expect(namesInWords(names)).toMatch(/^web-0, .*web-11 and 3 more$/);
  expect(namesInWords(['a', 'b'])).toBe('a, b');
});
