/**
 * The walk of CONTRIBUTING.md: a noun `note` with a secret gets a command with a rule and undo. It is planted in a copy
 * of the repository, whose back end is then built and called.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { operator, type Operator } from '../../testing/operator';
import { copyRepository, type Copy } from './copy';

/** The plain noun. */
const plain = {
  'libs/events/src/notes.noun.ts': `import { paragraphs, secret, text } from './kit/field';
import { noun } from './kit/noun';

export const note = noun('note', {
  path: 'note',
  named: 'title',
  unique: ['title'],
  fields: { title: text(100), body: paragraphs(2000), token: secret(200) },
});`,
  'apps/backend/src/notes/index.ts': `import { Module } from '@nestjs/common';
import { note } from '@quarterdeck/events';
import { plain } from '../platform/kit';

@Module(plain(note))
export class NotesModule {}`,
};

/** A noun with a name that is made from its fields, and with every kind of field that is more than one value. */
const memo = {
  'libs/events/src/memos.noun.ts': `import { enumeration, group, json, namedEnumeration, text } from './kit/field';
import { noun } from './kit/noun';
import { rich } from './kit/rich';

const graph = { type: 'object', required: ['start'], properties: { start: { type: 'string' } } } as const;

export const memo = rich(
  noun('memo', {
    path: 'memo',
    named: ({ about, place }) => (place ? \`\${about} in \${place.room}\` : about),
    audience: 'member',
    changedBy: 'member',
    fields: {
      about: text(100),
      type: namedEnumeration(['banner', 'login']),
      place: group({ room: text(20), side: enumeration(['left', 'right']) }, { optional: true }),
      graph: json<{ start: string }>(graph),
    },
    events: { added: 'MemoWritten', revised: { MemoRewritten: ['about', 'type', 'place', 'graph'] } },
  }),
  {
    state: { published: json<{ start: string }>(graph, { optional: true }) },
    commands: (command) => ({
      publish: command('MemoPublished', {
        takes: { published: json<{ start: string }>(graph, { optional: true }) },
        says: () => 'published it',
        sets: ({ published }) => ({ published }),
        undo: 'publish',
      }),
    }),
  },
);`,
  'apps/backend/src/memos/index.ts': `import { Module } from '@nestjs/common';
import { memo } from '@quarterdeck/events';
import { plain } from '../platform/kit';

@Module(plain(memo))
export class MemosModule {}`,
};

/** What the command costs: the lines of the noun from its declaration on, and two recorded samples. */
const withCommand = `export const note = rich(
  noun('note', {
    path: 'note',
    named: 'title',
    unique: ['title'],
    fields: { title: text(100), body: paragraphs(2000), token: secret(200) },
  }),
  {
    state: { pinned: flag() },
    commands: (command) => ({
      pin: command('NotePinned', {
        takes: {},
        says: () => 'pinned',
        refuses: (_, { body }) => (body === '' ? 'an empty note cannot be pinned' : undefined),
        sets: () => ({ pinned: true }),
        undo: 'unpin',
      }),
      unpin: command('NoteUnpinned', {
        takes: {},
        says: () => 'unpinned',
        sets: () => ({ pinned: false }),
        undo: 'pin',
      }),
    }),
  },
);`;

interface Note {
  id: string;
  title: string;
  pinned: boolean;
  token: { ref: string };
}

let copy: Copy;
let dataDir: string;
let backend: BackendProcess;
let alice: Operator;

beforeAll(async () => {
  copy = copyRepository(['scripts/shell-files.mjs']);
  for (const [file, code] of Object.entries({ ...plain, ...memo })) copy.plant(file, code);
  const nouns = 'libs/events/src/nouns.ts';
  copy.replace(
    nouns,
    `import { optionSet,`,
    `import { memo } from './memos.noun';\nimport { note } from './notes.noun';\nimport { optionSet,`,
  );
  copy.replace(nouns, 'export {\n  alertChannel,', 'export {\n  memo,\n  note,\n  alertChannel,');
  copy.replace(nouns, 'plainNouns = [\n  product,', 'plainNouns = [\n  memo,\n  note,\n  product,');
  const app = 'apps/backend/src/app.module.ts';
  copy.replace(
    app,
    'import { RegistriesModule',
    `import { MemosModule } from './memos';\nimport { NotesModule } from './notes';\nimport { RegistriesModule`,
  );
  copy.replace(app, '  RegistriesModule,', '  MemosModule,\n  NotesModule,\n  RegistriesModule,');
  const noun = 'libs/events/src/notes.noun.ts';
  copy.replace(noun, 'import { paragraphs', 'import { flag, paragraphs');
  copy.replace(noun, `kit/noun';`, `kit/noun';\nimport { rich } from './kit/rich';`);
  const declared = plain[noun].slice(plain[noun].indexOf('export const note'));
  copy.replace(noun, declared, withCommand);

  execFileSync(
    process.execPath,
    [
      'node_modules/rolldown/bin/cli.mjs',
      '--config',
      'apps/backend/rolldown.config.mjs',
      '--dir',
      'dist/backend',
      '--log-level',
      'warn',
    ],
    { cwd: copy.root, env: { ...process.env, NODE_ENV: 'production' } },
  );
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-notes-'));
  // When root runs this, Postgres runs as another user, who must be able to reach the folder.
  fs.chmodSync(dataDir, 0o755);
  backend = await spawnBackend({ root: copy.root, dataDir: path.join(dataDir, 'data') });
  alice = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
});
afterAll(async () => {
  await backend?.stop();
  copy?.remove();
  if (dataDir) fs.rmSync(dataDir, { recursive: true, force: true });
});

const add = async (title: string, body: string): Promise<string> => {
  const answer = await alice.post<{ id: string }>('note/insert', { data: { title, body, token: 'hidden' } });
  expect(answer.status).toBe(200);
  return answer.body.id;
};
const detail = async (id: string) => (await alice.post<Note>('note/detail', { id })).body;
const newest = async (id: string) => {
  const list = { subject: { category: 'note', id } };
  const { body } = await alice.post<{ events: { position: string; says: string }[] }>('history/list', list);
  return body.events[0]!;
};
const undo = async (position: string) => {
  const { body } = await alice.post<{ seen: string }>('history/undo/preview', { position });
  return alice.post('history/undo', { position, seen: body.seen });
};

it('is carried out once, and is in the answers, the history and the past', async () => {
  const id = await add('Shopping', 'Milk');
  const before = (await newest(id)).position;
  const first = await alice.post('note/pin', { id });
  const again = await alice.post('note/pin', { id });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('x-position')).toBe(first.headers.get('x-position'));
  expect(await detail(id)).toMatchObject({ title: 'Shopping', pinned: true });
  expect((await alice.post<Note[]>('note/list')).body).toMatchObject([{ pinned: true }]);
  expect((await alice.post<Note>('note/detail', { id }, { 'x-at': before })).body.pinned).toBe(false);
  expect(await newest(id)).toMatchObject({ says: 'pinned' });
});

it('is refused by its rule, with the reason', async () => {
  const id = await add('Empty', '');
  expect(await alice.post('note/pin', { id })).toMatchObject({
    status: 409,
    body: { msg: 'an empty note cannot be pinned' },
  });
  expect((await alice.post('note/pin', { id, data: {} })).status).toBe(400);
  expect((await detail(id)).pinned).toBe(false);
});

it('is a conflict for somebody who saw an older note', async () => {
  const id = await add('Seen', 'Milk');
  await alice.post('note/update', { id, data: { title: 'Seen', body: 'Bread' } });
  expect(await alice.post('note/pin', { id, revision: 0 })).toMatchObject({
    status: 409,
    body: { current: { id, body: 'Bread' } },
  });
});

it('is undone by the command that its noun names, unless that was done already', async () => {
  const id = await add('Undone', 'Milk');
  await alice.post('note/pin', { id });
  const { position } = await newest(id);
  expect((await undo(position)).status).toBe(200);
  expect(await detail(id)).toMatchObject({ pinned: false });
  expect(await newest(id)).toMatchObject({ says: 'unpinned' });
  const preview = await alice.post<{ refused: string }>('history/undo/preview', { position });
  expect(preview.body.refused).toBe('it is already as it was before');
});

it('leaves the note what every noun of the kit has: its secret, its unique name, and undo of its removal', async () => {
  const id = await add('Whole', 'Milk');
  await alice.post('note/pin', { id });
  expect(JSON.stringify(await detail(id))).not.toContain('hidden');
  const revealed = await alice.post<{ value: string }>('note/reveal', { id, field: 'token' });
  expect(revealed.body.value).toBe('hidden');
  const twin = { data: { title: 'WHOLE', body: '', token: 'x' } };
  expect((await alice.post<{ data: object }>('note/insert', twin)).body.data).toEqual({
    title: 'another note already has this title',
  });
  expect((await alice.post('note/delete', { id, title: 'Whole' })).status).toBe(200);
  expect((await alice.post('note/pin', { id })).status).toBe(404);
  expect((await undo((await newest(id)).position)).status).toBe(200);
  expect(await detail(id)).toMatchObject({ title: 'Whole', pinned: true });
});

describe('a noun with a made name, groups, JSON and named options', () => {
  const data = { about: 'Rent', type: { id: 2 }, place: { room: 'hall', side: 1 }, graph: { start: 'a' } };
  const written = async (change: object = {}): Promise<string> =>
    (await alice.post<{ id: string }>('memo/insert', { data: { ...data, ...change } })).body.id;
  const memoOf = async (id: string) => (await alice.post<object>('memo/detail', { id })).body;
  const events = async (id: string) => {
    const list = { subject: { category: 'memo', id } };
    const { body } = await alice.post<{ events: { position: string; says: string; type: string }[] }>(
      'history/list',
      list,
    );
    return body.events;
  };

  it('is answered with its name and the names of its options, in the list and by itself', async () => {
    const id = await written();
    const shown = { ...data, name: 'Rent in hall', type: { id: 2, name: 'login' }, published: null };
    expect(await memoOf(id)).toMatchObject(shown);
    const page = await alice.post<{ rows: object[] }>('memo/page', { search: 'right', sort: 'name' });
    expect(page.body.rows).toEqual([]);
    const found = await alice.post<{ rows: object[] }>('memo/page', { search: 'hall, left', sort: 'name' });
    expect(found.body.rows).toContainEqual(expect.objectContaining({ id, ...shown }));
    expect((await events(id)).map(({ type, says }) => [type, says])).toEqual([
      ['MemoWritten', 'added Rent in hall'],
    ]);
  });

  it('names the place of what is wrong', async () => {
    const wrong = { ...data, type: { id: 3 }, place: { room: 'hall' }, graph: { start: 1 } };
    expect(await alice.post('memo/insert', { data: wrong })).toMatchObject({
      status: 400,
      body: {
        data: {
          'data.type.id': 'numbers above 2 are not accepted',
          'data.place.side': 'This field is required',
          'data.graph.start': 'expected type string',
        },
      },
    });
  });

  it('is revised under its recorded name, in words before and after, and set back by undo', async () => {
    const id = await written();
    const answered = await memoOf(id);
    const { type, place, graph } = answered as typeof data;
    const first = { about: 'Water', type: { ...type, id: 1 }, place, graph };
    expect((await alice.post('memo/update', { id, data: first })).status).toBe(200);
    const second = { ...first, place: { room: 'attic', side: 2 } };
    expect((await alice.post('memo/update', { id, data: second })).status).toBe(200);
    const changesOf = async (at: number) => {
      const { position, type: recorded } = (await events(id))[at]!;
      expect(recorded).toBe('MemoRewritten');
      return (await alice.post<{ changes: object[] }>('history/detail', { position })).body.changes;
    };
    expect(await changesOf(0)).toEqual([
      { field: 'Name', before: 'Water in hall', after: 'Water in attic' },
      { field: 'Place room', before: 'hall', after: 'attic' },
      { field: 'Place side', before: 'left', after: 'right' },
    ]);
    expect(await changesOf(1)).toEqual([
      { field: 'Name', before: 'Rent in hall', after: 'Water in hall' },
      { field: 'About', before: 'Rent', after: 'Water' },
      { field: 'Type', before: 'login', after: 'banner' },
    ]);
    // The name has changed again since, but no field that the first change set.
    expect((await undo((await events(id))[1]!.position)).status).toBe(200);
    expect(await memoOf(id)).toMatchObject({ name: 'Rent in attic', type: { id: 2, name: 'login' } });
  });

  it('is published, and published as before by undo', async () => {
    const id = await written({ place: null });
    expect((await alice.post('memo/publish', { id, data: { published: { start: 'a' } } })).status).toBe(200);
    expect((await alice.post('memo/publish', { id, data: { published: { start: 'b' } } })).status).toBe(200);
    expect(await memoOf(id)).toMatchObject({ name: 'Rent', published: { start: 'b' } });
    expect((await undo((await events(id))[0]!.position)).status).toBe(200);
    expect(await memoOf(id)).toMatchObject({ published: { start: 'a' } });
  });

  it('is removed by its name, and restored by undo', async () => {
    const id = await written();
    expect((await alice.post('memo/delete', { id, name: 'Rent' })).status).toBe(400);
    expect((await alice.post('memo/delete', { id, name: 'Rent in hall' })).status).toBe(200);
    const [removal] = await events(id);
    expect(removal).toMatchObject({ type: 'MemoRemoved', says: 'removed Rent in hall' });
    expect((await undo(removal!.position)).status).toBe(200);
    expect(await memoOf(id)).toMatchObject({ name: 'Rent in hall' });
  });
});

it('costs at most 25 lines', () => {
  const declared = plain['libs/events/src/notes.noun.ts'].split('\n').length;
  const noun = fs.readFileSync(path.join(copy.root, 'libs/events/src/notes.noun.ts'), 'utf8');
  // With one sample of each of its two events.
  expect(noun.trimEnd().split('\n').length - declared + 2).toBeLessThanOrEqual(25);
});
