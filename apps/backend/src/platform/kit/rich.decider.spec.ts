import { flag, noun, paragraphs, rich, saidBy, secret, text, type PlainNoun } from '@quarterdeck/events';
import { eventsOf } from '@quarterdeck/events/kit';
import { foldOf, viewSchemaOf, type AnyProjection } from '@quarterdeck/projections';
import { foldEvents } from '../decider';
import { given, meta } from '../decisions/decider-testing';
import { plainDecider, type PlainDecider } from './plain.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';

const note = rich(
  noun('note', { path: 'note', named: 'title', fields: { title: text(100), body: paragraphs(1000) } }),
  {
    state: { pinned: flag(), reason: text(200) },
    commands: (command) => ({
      pin: command('NotePinned', {
        takes: { reason: text(200) },
        says: ({ reason }) => `pinned: ${reason}`,
        refuses: (_, { body }) => (body === '' ? 'an empty note cannot be pinned' : undefined),
        sets: ({ reason }) => ({ pinned: true, reason }),
        undo: 'unpin',
      }),
      unpin: command('NoteUnpinned', {
        takes: {},
        says: () => 'unpinned',
        sets: () => ({ pinned: false, reason: '' }),
        undo: 'pin',
      }),
      read: command('NoteRead', { takes: {}, says: () => 'read it' }),
    }),
  },
);
const kept: PlainNoun = note as unknown as PlainNoun;
const decider = plainDecider(note);
type Event = ReturnType<PlainDecider['decide']>[number];
/** The catalogue does not know these events. */
const event = (type: string, data: object) => ({ type, data }) as unknown as Event;
const perform = (name: keyof (typeof decider)['has']['own'], data: object = {}) =>
  new decider.has.own[name]!(id, data as Record<string, unknown>, meta);

const fields = { title: 'Shopping', body: 'Milk' };
const added = event('NoteAdded', fields);
const pinned = event('NotePinned', { reason: 'today' });
const unpinned = event('NoteUnpinned', {});
const removed = event('NoteRemoved', { title: 'Shopping' });
const on = (...events: Event[]) => given(decider, events);
const stateOf = (...events: Event[]) => foldEvents(decider, events);

describe('a command of a rich noun', () => {
  test('records its event, and nothing if the record is so already', () => {
    on(added)
      .when(perform('pin', { reason: 'today' }))
      .then([pinned]);
    on(added, pinned)
      .when(perform('pin', { reason: 'today' }))
      .thenNothing();
    on(added, pinned)
      .when(perform('pin', { reason: 'later' }))
      .then([event('NotePinned', { reason: 'later' })]);
    on(added).when(perform('unpin')).thenNothing();
  });

  test('records each time if it sets nothing', () => {
    const read = event('NoteRead', {});
    on(added).when(perform('read')).then([read]);
    on(added, read).when(perform('read')).then([read]);
  });

  test('is refused with its reason, judged by the fields as they are now', () => {
    const empty = event('NoteRevised', { body: '' });
    on(added, empty)
      .when(perform('pin', { reason: 'today' }))
      .thenRejected('conflict', 'an empty note cannot be pinned');
    on(added, empty, event('NoteRevised', { body: 'Bread' }))
      .when(perform('pin', { reason: 'today' }))
      .then([pinned]);
  });

  test('finds nothing on a record that is unknown or removed', () => {
    on()
      .when(perform('pin', { reason: 'today' }))
      .thenRejected('notFound', 'note could not be found');
    on(added, removed)
      .when(perform('pin', { reason: 'today' }))
      .thenRejected('notFound', 'note could not be found');
  });

  test('may be refused or decided otherwise by the rules of the back end, like the commands of every noun', () => {
    const ruled = plainDecider(note, {
      decide: (asked, plain) => (asked.is === 'command' && asked.name === 'unpin' ? [] : plain()),
    });
    given(ruled, [added, pinned])
      .when(new ruled.has.own['unpin']!(id, {}, meta))
      .thenNothing();
  });
});

test('edits leave the state alone, and commands the fields', () => {
  const edited = { ...fields, body: 'Bread', pinned: false };
  on(added, pinned)
    .when(new decider.has.Edit(id, edited, meta))
    .then([event('NoteRevised', { body: 'Bread' })]);
  expect(stateOf(added, pinned, event('NoteRevised', { body: 'Bread' }))).toEqual({
    is: 'there',
    was: { title: 'Shopping', body: 'Bread', pinned: true, reason: 'today' },
  });
});

test('a removed record is restored with its state', () => {
  expect(stateOf(added, pinned, removed, event('NoteRestored', { title: 'Shopping' }))).toEqual(
    stateOf(added, pinned),
  );
});

test('adding it again with the same fields records nothing', () =>
  on(added)
    .when(new decider.has.Add(id, fields, meta))
    .thenNothing());

test('the read model shows what the decider knows, and who did it last', () => {
  const events = [added, pinned, event('NoteRenamed', { title: 'Food' }), unpinned, event('NoteRead', {})];
  const fold = foldOf(kept) as AnyProjection;
  let view: object | undefined;
  for (const [revision, { type, data }] of events.entries()) {
    const at = `2026-11-20T12:00:0${revision}.000Z`;
    const logged = {
      type,
      data,
      stream: `note-${id}`,
      revision,
      position: String(revision),
      meta: { ...meta, at },
    };
    view = fold.evolve(view, logged as never, id);
    expect(viewSchemaOf(kept).parse(view)).toEqual(view);
    const { state } = { state: stateOf(...events.slice(0, revision + 1)) };
    expect(view).toMatchObject((state as { was: object }).was);
  }
  // Reading is no change.
  expect(view).toMatchObject({
    title: 'Food',
    pinned: false,
    revision: 3,
    changedAt: '2026-11-20T12:00:03.000Z',
  });
});

test('its events have a schema and words, and those with a way back can be undone', () => {
  const schemas = eventsOf(kept);
  for (const { type, data } of [added, pinned, unpinned])
    expect(schemas[type]?.schema.parse(data)).toEqual(data);
  expect(schemas['NotePinned']?.schema.safeParse({}).success).toBe(false);
  const { events, undo } = saidBy(kept);
  expect((events['NotePinned'] as (data: object) => string)({ reason: 'today' })).toBe('pinned: today');
  expect(undo).toEqual([
    'NoteAdded',
    'NoteRenamed',
    'NoteRevised',
    'NoteRemoved',
    'NotePinned',
    'NoteUnpinned',
  ]);
});

describe('a mistake in the declaration is told at once', () => {
  const plain = noun('note', { path: 'note', named: 'title', fields: { title: text() } });

  test('a command that is undone by one that does not exist', () => {
    expect(() =>
      rich(plain, {
        commands: (command) => ({
          pin: command('NotePinned', { takes: {}, says: () => 'pinned', undo: 'unpinn' }),
        }),
      }),
    ).toThrow('note: pin is undone by unpinn, which is no command');
  });

  test('a command that is undone by one whose input nobody would know', () => {
    expect(() =>
      rich(plain, {
        state: { folder: text() },
        commands: (command) => ({
          move: command('NoteMoved', {
            takes: { to: text() },
            says: ({ to }) => `moved to ${to}`,
            sets: ({ to }) => ({ folder: to }),
            undo: 'move',
          }),
        }),
      }),
    ).toThrow('note: move is undone by move, whose to is no value of a record, so nothing says what it was');
  });

  test('a secret as input, whose text would be recorded', () => {
    expect(() =>
      rich(plain, {
        commands: (command) => ({
          sign: command('NoteSigned', { takes: { token: secret(10) }, says: () => 'signed' }),
        }),
      }),
    ).toThrow('note: token is a secret, which only fields can be');
  });
});

test('a noun that revises as a whole records all fields but the name', () => {
  const page = rich(
    noun('page', {
      path: 'page',
      named: 'name',
      fields: { name: text(), body: paragraphs(10), draft: flag() },
    }),
    { revisesWhole: true },
  );
  const pages = plainDecider(page);
  const first = event('PageAdded', { name: 'Home', body: 'Hi', draft: false });
  const edit = (change: object) =>
    new pages.has.Edit(id, { name: 'Home', body: 'Hi', draft: false, ...change }, meta);
  given(pages, [first])
    .when(edit({ body: 'Ho' }))
    .then([event('PageRevised', { body: 'Ho', draft: false })]);
  given(pages, [first])
    .when(edit({ name: 'Start' }))
    .then([event('PageRenamed', { name: 'Start' })]);
});
