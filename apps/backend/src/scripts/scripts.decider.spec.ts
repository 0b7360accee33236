// covers: SRV-15
import { foldEvents } from '../platform/decider';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AddScript,
  contentOfVersion,
  EditScript,
  RemoveScript,
  RestoreScript,
  scriptsDecider,
  type ScriptEvent,
} from './scripts.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';
const fields = { name: 'Free space', body: 'df -h\n', changes: false, timeoutSeconds: 30 };
const content = { body: 'df -h\n', changes: false, timeoutSeconds: 30 };
const added: ScriptEvent = { type: 'ScriptAdded', data: fields };
const removed: ScriptEvent = { type: 'ScriptRemoved', data: { name: 'Free space' } };
const on = (...events: ScriptEvent[]) => given(scriptsDecider, events);
const edit = (change: Partial<typeof fields>) =>
  new EditScript(id, { ...fields, ...change, nameClaimed: true }, meta);

describe('adding', () => {
  test('records a new script with its content', () =>
    on()
      .when(new AddScript(id, fields, meta))
      .then([added]));
  test('refuses another script with an existing id', () =>
    on(added)
      .when(new AddScript(id, { ...fields, body: 'true\n' }, meta))
      .thenRejected('conflict'));
  test('records only the fields of a script', () =>
    on()
      .when(new AddScript(id, { ...fields, id } as never, meta))
      .then([added]));
});

describe('editing', () => {
  test('records nothing if nothing has changed', () => on(added).when(edit({})).thenNothing());
  test('records another name as a rename, without a new version', () =>
    on(added)
      .when(edit({ name: 'Disk space' }))
      .then([{ type: 'ScriptRenamed', data: { name: 'Disk space' } }]));
  test('refuses another name until it is reserved', () =>
    on(added)
      .when(new EditScript(id, { ...fields, name: 'Disk space' }, meta))
      .thenRejected('conflict', 'not reserved'));
  test.each([{ body: 'df\n' }, { changes: true }, { timeoutSeconds: 31 }])(
    'records a new version for %j',
    (change) =>
      on(added)
        .when(edit(change))
        .then([{ type: 'ScriptRevised', data: { ...content, ...change } }]),
  );
  test('records a rename and a new version separately', () =>
    on(added)
      .when(edit({ name: 'Disk space', body: 'df\n' }))
      .then([
        { type: 'ScriptRenamed', data: { name: 'Disk space' } },
        { type: 'ScriptRevised', data: { ...content, body: 'df\n' } },
      ]));
  test('cannot find an unknown script', () =>
    on().when(edit({})).thenRejected('notFound', 'script could not be found'));
});

describe('removing', () => {
  test('compares the typed name, if there is one', () => {
    on(added)
      .when(new RemoveScript(id, { name: 'Free space' }, meta))
      .then([removed]);
    on(added)
      .when(new RemoveScript(id, {}, meta))
      .then([removed]);
    on(added)
      .when(new RemoveScript(id, { name: 'free space' }, meta))
      .thenRejected('invalid', 'not the name');
  });
  test('leaves nothing to be found', () => {
    on(added, removed).when(edit({})).thenRejected('notFound', 'script could not be found');
    on(added, removed)
      .when(new RemoveScript(id, {}, meta))
      .thenRejected('notFound', 'script could not be found');
  });
});

describe('versions', () => {
  const events: ScriptEvent[] = [
    added,
    { type: 'ScriptRenamed', data: { name: 'Disk space' } },
    { type: 'ScriptRevised', data: { ...content, body: 'df\n', changes: true } },
    removed,
  ];
  test('count additions and revisions, and survive later changes', () => {
    expect(contentOfVersion(events, 1)).toEqual(content);
    expect(contentOfVersion(events, 2)).toEqual({ ...content, body: 'df\n', changes: true });
  });
  test('that never existed are not found', () => {
    expect(contentOfVersion(events, 3)).toBeUndefined();
    expect(contentOfVersion(events, 0)).toBeUndefined();
    expect(contentOfVersion([], 1)).toBeUndefined();
  });
  test('are counted in the state too', () => {
    const state = events.slice(0, 3).reduce(scriptsDecider.evolve, scriptsDecider.initial);
    expect(state).toMatchObject({ name: 'Disk space', version: 2 });
  });
});

// covers: AUD-03
test('restores a removed script once, as it was', () => {
  const restore = new RestoreScript(id, {}, meta);
  const restored: ScriptEvent = { type: 'ScriptRestored', data: { name: 'Free space' } };
  on(added, removed).when(restore).then([restored]);
  on(added).when(restore).then([]);
  on().when(restore).thenRejected('notFound', 'script could not be found');
  expect(foldEvents(scriptsDecider, [added, removed, restored])).toEqual(foldEvents(scriptsDecider, [added]));
});
