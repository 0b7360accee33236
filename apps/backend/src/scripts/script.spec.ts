// covers: SRV-15
import { script, type AppEvent } from '@quarterdeck/events';
import { foldEvents } from '../platform/decider';
import { given, meta } from '../platform/decisions/decider-testing';
import { plainDecider } from '../platform/kit';

type ScriptEvent = Extract<AppEvent, { type: `Script${string}` }>;
const id = '0193f0a0-0000-7000-8000-000000000005';
const content = { body: 'df -h\n', changes: false, timeoutSeconds: 30 };
const fields = { name: 'Free space', ...content };
const added: ScriptEvent = { type: 'ScriptAdded', data: fields };
const removed: ScriptEvent = { type: 'ScriptRemoved', data: { name: 'Free space' } };
const decider = plainDecider(script);
const on = (...events: ScriptEvent[]) => given(decider, events);
const edit = (change: Partial<typeof fields>) => new decider.has.Edit(id, { ...fields, ...change }, meta);

describe('an edit', () => {
  const onAdded = () => on(added);
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

test('an unknown or removed script cannot be edited', () => {
  on().when(edit({})).thenRejected('notFound', 'script could not be found');
  on(added, removed).when(edit({})).thenRejected('notFound', 'script could not be found');
});

test('a new script is recorded with its content, and its id cannot be taken by another', () => {
  on()
    .when(new decider.has.Add(id, fields, meta))
    .then([added]);
  on(added)
    .when(new decider.has.Add(id, { ...fields, body: 'true\n' }, meta))
    .thenRejected('conflict');
});

test('a removal compares the typed name, if there is one', () => {
  const remove = (typed?: string) => new decider.has.Remove(id, { typed }, meta);
  on(added).when(remove('Free space')).then([removed]);
  on(added).when(remove()).then([removed]);
  on(added).when(remove('free space')).thenRejected('invalid', 'not the name');
  on(added, removed).when(remove()).thenRejected('notFound', 'script could not be found');
});

// covers: AUD-03
test('a removed script is restored once, as it was', () => {
  const restore = new decider.has.Restore(id, {}, meta);
  const restored: ScriptEvent = { type: 'ScriptRestored', data: { name: 'Free space' } };
  on(added, removed).when(restore).then([restored]);
  on(added).when(restore).thenNothing();
  on().when(restore).thenRejected('notFound', 'script could not be found');
  expect(foldEvents(decider, [added, removed, restored])).toEqual(foldEvents(decider, [added]));
});
