import { setTimeout as pause } from 'node:timers/promises';
import type { EventsOf } from '@quarterdeck/events';
import type { workspaceEvents } from '@quarterdeck/events/catalogue';
import { openEventStore } from '@quarterdeck/events/store';
import type { EventStore } from '@quarterdeck/log/store';
import { v7 as uuidv7 } from 'uuid';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { command, type Decider } from '../decider';
import { Decisions } from './decider-handlers';
import { meta } from './decider-testing';
import { DomainError } from '../errors';

/** A growing list of names, each at most once. */
class AddName extends command('AddName', { opens: true, idempotent: true })<{
  name: string;
  again?: boolean;
}>() {}
type Named = EventsOf<typeof workspaceEvents>;

const names: Decider<readonly string[], AddName, Named> = {
  category: 'workspace',
  commands: [AddName],
  initial: [],
  decide: ({ data: { name, again } }, known) => {
    if (name === '') throw new DomainError('invalid', 'a name is expected');
    return known.includes(name) && !again ? [] : [{ type: 'WorkspaceCreated', data: { name } }];
  },
  evolve: (known, event) => (event.type === 'WorkspaceCreated' ? [...known, event.data.name] : known),
};

let postgres: TestPostgres;
let store: EventStore;
/** Like two processes: each remembers what it has seen. */
let here: Decisions;
let there: Decisions;
let id: string;

const add = (name: string, more: Partial<AddName> = {}) =>
  Object.assign(new AddName(id, { name }, { ...meta, commandId: uuidv7() }), more);
const namesOf = async () =>
  (await store.readStream(`workspace-${id}`)).map(({ data }) => (data as { name: string }).name);

beforeAll(async () => {
  postgres = await startTestPostgres();
  store = await openEventStore({ url: postgres.url });
});
beforeEach(() => {
  [here, there, id] = [new Decisions(store), new Decisions(store), uuidv7()];
});
afterAll(async () => {
  await store?.close();
  await postgres?.stop();
});

describe('a command', () => {
  test('appends the decided events and returns their position', async () => {
    expect(await here.execute(names, add('a'))).toMatchObject({ id, revision: 0, written: 1 });
    const second = await here.execute(names, add('b'));
    expect(second).toMatchObject({ revision: 1, written: 1 });
    // Nothing to do: the position is that of the newest event.
    expect(await here.execute(names, add('a'))).toEqual({ ...second, written: 0 });
  });

  test('decides again if another process was faster, however many there are', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? here : there).execute(names, add(`name ${i % 20}`))),
    );
    const written = await namesOf();
    expect(written).toHaveLength(20);
    expect(new Set(written).size).toBe(20);
  });

  test('of a crowd is carried out on a busy machine too, where each append takes its time', async () => {
    // All callers read before the first one writes, in every round.
    const slow: Pick<EventStore, 'append' | 'readAfter'> = {
      append: async (...append) => {
        await pause(100);
        return store.append(...append);
      },
      readAfter: (...read) => store.readAfter(...read),
    };
    const busy = new Decisions(slow as EventStore);
    await Promise.all(Array.from({ length: 40 }, (_, i) => busy.execute(names, add(`name ${i}`))));
    expect(await namesOf()).toHaveLength(40);
  });

  test('does not trust remembered state for a refusal or for doing nothing', async () => {
    await here.execute(names, add('a'));
    await there.execute(names, add('b'));
    // This instance does not know 'b' yet: with that state alone it would write 'b' twice.
    expect(await here.execute(names, add('b'))).toMatchObject({ written: 0, revision: 1 });
  });

  test('writes nothing if it is refused', async () => {
    await expect(here.execute(names, add(''))).rejects.toMatchObject({ code: 'invalid' });
    expect(await namesOf()).toEqual([]);
  });

  test('copies actor, workspace and cause into the event', async () => {
    await here.execute(names, add('a'));
    const [event] = await store.readStream(`workspace-${id}`);
    const { actor, workspace, correlationId, causationId, at } = meta;
    expect(event?.meta).toMatchObject({ actor, workspace, correlationId, causationId, at, v: '1' });
  });

  test('derives the same event ids for a repeatable command', async () => {
    const keyed = { meta: { ...meta, keyed: true as const }, data: { name: 'a', again: true } };
    await here.execute(names, add('a', keyed));
    const [first] = await store.readStream(`workspace-${id}`);
    id = uuidv7();
    await there.execute(names, add('a', keyed));
    const [other] = await store.readStream(`workspace-${id}`);
    // Another stream gets other ids, even with the same command id.
    expect(other?.meta.id).not.toBe(first?.meta.id);
  });
});

describe('a command with a revision', () => {
  test('is a conflict if something has happened since, in any process', async () => {
    await here.execute(names, add('a'));
    await there.execute(names, add('b'));
    await expect(here.execute(names, add('c', { revision: 0 }))).rejects.toMatchObject({ code: 'conflict' });
    expect(await here.execute(names, add('c', { revision: 1 }))).toMatchObject({ written: 1 });
  });

  test('is no conflict if the later events do not concern it', async () => {
    const tolerant = { ...names, clashes: () => false };
    await here.execute(tolerant, add('a'));
    await there.execute(tolerant, add('b'));
    expect(await here.execute(tolerant, add('c', { revision: 0 }))).toMatchObject({
      revision: 2,
      written: 1,
    });
  });

  test('succeeds for one of fifty concurrent callers', async () => {
    await here.execute(names, add('a'));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? here : there).execute(names, add(`n${i}`, { revision: 0 })),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
  });
});

describe('a stream of another workspace', () => {
  const foreign = { meta: { ...meta, workspace: uuidv7() } };
  test('looks like one that does not exist, remembered or not', async () => {
    await here.execute(names, add('a'));
    for (const decisions of [here, there]) {
      await expect(decisions.execute(names, add('b', foreign))).rejects.toMatchObject({
        code: 'notFound',
        msg: 'workspace could not be found',
      });
      expect(await decisions.load(names, id, foreign.meta.workspace)).toMatchObject({
        revision: -1,
        state: [],
      });
    }
    expect(await here.load(names, id, meta.workspace)).toMatchObject({ revision: 0, state: ['a'] });
    expect(await namesOf()).toEqual(['a']);
  });
});
