// covers: SRV-15
import { given, meta } from '../platform/decisions/decider-testing';
import { plainDecider } from '../platform/kit';
import { script, scriptRules, versionsIn, type ScriptEvent } from './script';

const id = '0193f0a0-0000-7000-8000-000000000005';
const content = { body: 'df -h\n', changes: false, timeoutSeconds: 30 };
const fields = { name: 'Free space', ...content };
const added: ScriptEvent = { type: 'ScriptAdded', data: fields };
const removed: ScriptEvent = { type: 'ScriptRemoved', data: { name: 'Free space' } };
const decider = plainDecider(script, scriptRules);
const edit = (change: Partial<typeof fields>) => new decider.has.Edit(id, { ...fields, ...change }, meta);

describe('an edit', () => {
  const onAdded = () => given(decider, [added]);
  test('records nothing if nothing has changed', () => onAdded().when(edit({})).thenNothing());
  test('records another name as a rename, without a new version', () =>
    onAdded()
      .when(edit({ name: 'Disk space' }))
      .then([{ type: 'ScriptRenamed', data: { name: 'Disk space' } }]));
  test.each([{ body: 'df\n' }, { changes: true }, { timeoutSeconds: 31 }])(
    'records a whole new version for %j',
    (change) =>
      onAdded()
        .when(edit(change))
        .then([{ type: 'ScriptRevised', data: { ...content, ...change } }]),
  );
  test('records a rename and a new version separately', () =>
    onAdded()
      .when(edit({ name: 'Disk space', body: 'df\n' }))
      .then([
        { type: 'ScriptRenamed', data: { name: 'Disk space' } },
        { type: 'ScriptRevised', data: { ...content, body: 'df\n' } },
      ]));
});

test('versions count the addition and revisions, and survive later changes', () => {
  const events: ScriptEvent[] = [
    added,
    { type: 'ScriptRenamed', data: { name: 'Disk space' } },
    { type: 'ScriptRevised', data: { ...content, body: 'df\n', changes: true } },
    removed,
  ];
  expect(versionsIn(events)).toEqual([content, { ...content, body: 'df\n', changes: true }]);
  expect(versionsIn([])).toEqual([]);
});
