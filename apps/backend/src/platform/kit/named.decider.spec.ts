/** Nouns whose events have recorded names, and nouns whose name is made from their fields. */
import {
  editTypes,
  eventNames,
  integer,
  noun,
  paragraphs,
  rich,
  flag,
  saidBy,
  secret,
  text,
  type PlainNoun,
} from '@quarterdeck/events';
import { declared } from '@quarterdeck/contract';
import { eventsOf } from '@quarterdeck/events/kit';
import { foldOf, plainColumns, viewSchemaOf, type AnyProjection } from '@quarterdeck/projections';
import { foldEvents } from '../decider';
import { given, meta } from '../decisions/decider-testing';
import { plainDecider, type PlainDecider } from './plain.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';
type Event = ReturnType<PlainDecider['decide']>[number];
/** The catalogue does not know these events. */
const event = (type: string, data: object) => ({ type, data }) as unknown as Event;

const viewAfter = (of: PlainNoun, events: readonly Event[]) => {
  const fold = foldOf(of) as AnyProjection;
  return events.reduce<object | undefined>((view, { type, data }, revision) => {
    const logged = { type, data, stream: `${of.category}-${id}`, revision, position: String(revision), meta };
    return fold.evolve(view, logged as never, id);
  }, undefined);
};

const fields = { alias: text(100), host: text(100), port: integer(65_535), root: text(100), pin: secret(50) };
const typedMachine = noun('machine', {
  path: 'machine',
  named: 'alias',
  fields,
  events: {
    added: 'MachineRegistered',
    removed: 'MachineScrapped',
    revealed: 'MachinePinShown',
    revised: { MachineMoved: ['host', 'port'], MachineFolderChanged: ['root'], MachinePinReplaced: ['pin'] },
  },
  says: {
    MachineMoved: ({ host, port }) => `moved to ${host}:${port}`,
    MachineFolderChanged: { says: ({ root }) => `works in ${root}`, stale: ['machines', 'folders'] },
  },
});
const machine = typedMachine as unknown as PlainNoun;

describe('a noun that says under which names its events are recorded', () => {
  const decider = plainDecider(machine);
  const data = { alias: 'web', host: 'a.example', port: 22, root: '/root', pin: { ref: 'r1' } };
  const registered = event('MachineRegistered', data);
  const moved = event('MachineMoved', { host: 'b.example', port: 22 });
  const on = (...events: Event[]) => given(decider, events);
  const edit = (change: object) => new decider.has.Edit(id, { ...data, ...change }, meta);

  test('records each change as the event of its field, with all fields of that event', () => {
    on()
      .when(new decider.has.Add(id, data, meta))
      .then([registered]);
    on(registered)
      .when(edit({ host: 'b.example' }))
      .then([moved]);
    on(registered)
      .when(edit({ alias: 'db', port: 23, root: '/srv' }))
      .then([
        event('MachineRenamed', { alias: 'db' }),
        event('MachineMoved', { host: 'a.example', port: 23 }),
        event('MachineFolderChanged', { root: '/srv' }),
      ]);
    on(registered).when(edit({})).thenNothing();
  });

  test('is removed, restored and revealed under those names, or the kit’s where it names none', () => {
    const scrapped = event('MachineScrapped', { alias: 'web' });
    on(registered)
      .when(new decider.has.Remove(id, {}, meta))
      .then([scrapped]);
    on(registered)
      .when(new decider.has.Reveal(id, { field: 'pin' }, meta))
      .then([event('MachinePinShown', { field: 'pin' })]);
    on(registered, scrapped)
      .when(new decider.has.Restore(id, {}, meta))
      .then([event('MachineRestored', { alias: 'web' })]);
  });

  test('is folded by the decider and the read model alike', () => {
    const events = [registered, moved, event('MachinePinReplaced', { pin: { ref: 'r2' } })];
    const now = { ...data, host: 'b.example', pin: { ref: 'r2' } };
    expect(foldEvents(decider, events)).toEqual({ is: 'there', was: now });
    const view = viewAfter(machine, events);
    expect(view).toMatchObject(now);
    expect(viewSchemaOf(machine).parse(view)).toEqual(view);
    const gone = [...events, event('MachineScrapped', { alias: 'web' })];
    expect(foldEvents(decider, gone)).toMatchObject({ is: 'removed' });
    expect(viewAfter(machine, gone)).toMatchObject({ removedAt: meta.at });
  });

  test('has a schema and words for each of them', () => {
    const schemas = eventsOf(machine);
    const { events, removedBy, restoredBy, undo } = saidBy(machine);
    expect(Object.keys(schemas).toSorted()).toEqual(Object.keys(events).toSorted());
    expect(schemas['MachineMoved']?.schema.parse(moved.data)).toEqual(moved.data);
    expect(schemas['MachineMoved']?.schema.safeParse({ host: 'b.example' }).success).toBe(false);
    expect((events['MachineMoved'] as (data: object) => string)(moved.data)).toBe('moved to b.example:22');
    expect(events['MachineFolderChanged']).toMatchObject({ stale: ['machines', 'folders'] });
    expect({ removedBy, restoredBy }).toEqual({
      removedBy: 'MachineScrapped',
      restoredBy: 'MachineRestored',
    });
    expect(undo).toEqual([
      'MachineRegistered',
      'MachineRenamed',
      'MachineMoved',
      'MachineFolderChanged',
      'MachinePinReplaced',
      'MachineScrapped',
    ]);
  });

  test.each([
    [{ MachineMoved: ['host', 'port'] as const }, 'root has to be in one of the revised events, not in 0'],
    [
      { MachineMoved: ['host', 'port', 'root', 'pin'] as const, MachineFolderChanged: ['root'] as const },
      'root has to be in one of the revised events, not in 2',
    ],
  ])('does not start if a change would be lost or recorded twice: %j', (revised, message) => {
    expect(() => noun('machine', { path: 'machine', named: 'alias', fields, events: { revised } })).toThrow(
      `machine: ${message}`,
    );
  });
});

describe('a noun whose name is made from its fields', () => {
  const notice = rich(
    noun('notice', {
      path: 'notice',
      named: ({ kind, about }) => `${kind} about ${about}`,
      fields: { kind: text(20), about: text(100), body: paragraphs(1000) },
    }),
    {
      state: { seen: flag() },
      commands: (command) => ({
        see: command('NoticeSeen', {
          takes: {},
          says: () => 'saw it',
          refuses: (_, { name }) => (name === 'Bill about nothing' ? 'nothing to see' : undefined),
          sets: () => ({ seen: true }),
        }),
      }),
    },
  );
  const plain = notice as unknown as PlainNoun;
  const decider = plainDecider(notice);
  const data = { kind: 'Bill', about: 'rent', body: '' };
  const added = event('NoticeAdded', data);
  const revised = event('NoticeRevised', { ...data, about: 'water' });
  const removed = event('NoticeRemoved', { name: 'Bill about water' });
  const on = (...events: Event[]) => given(decider, events);

  test('records its fields alone, all of them with each change', () => {
    on()
      .when(new decider.has.Add(id, data, meta))
      .then([added]);
    on(added)
      .when(new decider.has.Edit(id, { about: 'water' }, meta))
      .then([revised]);
    expect(Object.keys(eventsOf(plain))).not.toContain('NoticeRenamed');
    expect(editTypes(plain)).toEqual(['NoticeRevised']);
  });

  test('has the name of now in the read model, and is removed by it', () => {
    expect(viewAfter(plain, [added, revised])).toMatchObject({ name: 'Bill about water', seen: false });
    expect(plainColumns(plain)[0]?.id).toBe('name');
    on(added, revised)
      .when(new decider.has.Remove(id, { typed: 'Bill about rent' }, meta))
      .thenRejected('invalid', 'this is not the name of the notice');
    on(added, revised)
      .when(new decider.has.Remove(id, { typed: 'Bill about water' }, meta))
      .then([removed]);
    on(added, revised, removed)
      .when(new decider.has.Restore(id, {}, meta))
      .then([event('NoticeRestored', { name: 'Bill about water' })]);
    on(event('NoticeAdded', { ...data, about: 'nothing' }))
      .when(new decider.has.own['see']!(id, {}, meta))
      .thenRejected('conflict', 'nothing to see');
  });

  test('is named in the history by every event that changes its name', () => {
    const { named, events } = saidBy(plain);
    const naming = named as Record<string, (data: object) => string>;
    expect(Object.entries(naming).map(([type, nameOf]) => [type, nameOf({ ...data, name: 'N' })])).toEqual([
      ['NoticeAdded', 'Bill about rent'],
      ['NoticeRevised', 'Bill about rent'],
      ['NoticeRemoved', 'N'],
      ['NoticeRestored', 'N'],
    ]);
    const words = (type: string, of: object) => (events[type] as (data: object) => string)(of);
    expect(words('NoticeAdded', data)).toBe('added Bill about rent');
    expect(words('NoticeRevised', data)).toBe('changed the notice');
    expect(words('NoticeRemoved', removed.data)).toBe('removed Bill about water');
  });

  test('has one event for all changes, because each has to name it', () => {
    expect(() =>
      noun('notice', {
        path: 'notice',
        named: ({ kind }) => kind,
        fields: { kind: text(), about: text() },
        events: { revised: { NoticeTurned: ['kind'], NoticeMeant: ['about'] } },
      }),
    ).toThrow('notice: its name is made from all fields, so one event has to record them all');
  });
});

describe('a noun that members change', () => {
  const draft = { path: 'draft', named: 'title', fields: { title: text(), pin: secret(20) } } as const;
  const member = rich(noun('draft', { ...draft, audience: 'member', changedBy: 'member' }), {
    commands: (command) => ({
      send: command('DraftSent', { takes: {}, says: () => 'sent' }),
      burn: command('DraftBurnt', { takes: {}, says: () => 'burnt', access: 'admin' }),
    }),
  }) as unknown as PlainNoun;

  test('lets them read it and carry out its calls, but not see its secrets', () => {
    const access = Object.entries(declared(member)).map(([name, call]) => [name, call.access]);
    expect(Object.fromEntries(access)).toEqual({
      list: 'member',
      page: 'member',
      detail: 'member',
      insert: 'member',
      update: 'member',
      delete: 'member',
      restore: 'member',
      reveal: 'admin',
      send: 'member',
      burn: 'admin',
    });
    expect(saidBy(member).audience).toBe('member');
  });

  test('is one that they may read', () => {
    expect(() => noun('draft', { ...draft, changedBy: 'member' })).toThrow(
      'draft: members cannot change what they may not read',
    );
  });
});

test('a field cannot hide what every view has', () => {
  expect(() =>
    noun('box', { path: 'box', named: 'title', fields: { title: text(), position: text() } }),
  ).toThrow('box: position is a value that every view has already');
});

test('a noun that names none of its events keeps the names it has', () => {
  const plain = noun('plain', { path: 'plain', named: 'title', fields: { title: text(), port: integer() } });
  expect(eventNames(plain as unknown as PlainNoun)).toEqual({
    added: 'PlainAdded',
    renamed: 'PlainRenamed',
    removed: 'PlainRemoved',
    restored: 'PlainRestored',
    revealed: 'PlainRevealed',
  });
  expect(editTypes(plain as unknown as PlainNoun)).toEqual(['PlainRenamed', 'PlainRevised']);
});
