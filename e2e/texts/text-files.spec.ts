/**
 * Imports and exports of texts: what the preview says is what happens, one undo takes all of it back, and an export as of
 * an instant is the export that was taken then.
 *
 * covers: I18N-01
 */
import fc from 'fast-check';
import { formats, languageCodes, writeTexts, type Language, type TextEntry } from '@quarterdeck/texts';
import { Client, type Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { entriesOfProduct } from '../../apps/backend/src/texts/texts.queries';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { textsOf, textsOfNewProduct, type TextsOf } from './texts-world';

let world: World;
let alice: Operator;
let texts: TextsOf;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
});
beforeEach(async () => {
  texts = await textsOfNewProduct(alice);
});
afterAll(() => world?.end());

const csv = (entries: readonly TextEntry[], languages: readonly Language[]): Uint8Array => {
  const [file] = writeTexts(entries, { format: 'csv', languages, product: 'Shop' });
  return file?.bytes ?? new Uint8Array();
};

test('a file adds and changes texts as its preview says', async () => {
  await texts.insert('title', { en: 'Title', fr: 'Titre' });
  const file = JSON.stringify({ title: 'Le titre', checkout: { pay: 'Payer' } });
  const preview = await texts.preview('fr.json', file);
  expect(preview).toMatchObject({
    counts: { newKeys: 1, added: 1, changed: 1, removed: 0, conflicts: 0, keys: 2 },
    newKeys: ['checkout.pay'],
    added: [{ key: 'checkout.pay', language: { id: 2 }, to: 'Payer' }],
    changed: [{ key: 'title', language: { id: 2 }, from: 'Titre', to: 'Le titre' }],
  });
  const { state } = await texts.import('fr.json', file);
  expect(state).toEqual({ state: 'succeeded', keys: 2, left: 0, leftAsIs: [] });
  expect(await texts.all()).toEqual({ title: { 1: 'Title', 2: 'Le titre' }, 'checkout.pay': { 2: 'Payer' } });
});

test('without the choice to change, a file only adds; with the choice to remove, it also removes', async () => {
  await texts.insert('a', { fr: 'A' });
  await texts.insert('b', { fr: 'B' });
  const file = JSON.stringify({ a: 'Un', c: 'C' });
  await texts.import('fr.json', file, { take: [] });
  expect(await texts.all()).toEqual({ a: { 2: 'A' }, b: { 2: 'B' }, c: { 2: 'C' } });
  await texts.import('fr.json', file, { take: ['removed'] });
  expect(await texts.all()).toEqual({ a: { 2: 'A' }, b: {}, c: { 2: 'C' } });
});

test('a translation of another English text is a conflict, imported only on demand', async () => {
  await texts.insert('title', { en: 'Title', fr: 'Titre' });
  const [file] = writeTexts([{ key: 'title', texts: { en: 'Heading', fr: 'Rubrique' } }], {
    format: 'xliff-2.0',
    languages: ['fr'],
    product: 'Shop',
  });
  const bytes = file?.bytes ?? new Uint8Array();
  expect(await texts.preview('fr.xlf', bytes)).toMatchObject({
    counts: { conflicts: 1, keys: 0 },
    conflicts: [
      {
        key: 'title',
        from: 'Titre',
        to: 'Rubrique',
        why: 'The English text has changed since this file was made.',
      },
    ],
  });
  await texts.import('fr.xlf', bytes, { take: ['conflicts'] });
  expect(await texts.all()).toEqual({ title: { 1: 'Title', 2: 'Rubrique' } });
});

test('what the preview says is what happens, whatever the texts and the file', async () => {
  const key = fc.constantFrom('a', 'b', 'c.d', '__proto__', 'constructor', 'E', 'e');
  const text = fc.constantFrom('One', 'Two', '{n, plural, other {#}}', '=1+1', '"x"\n\u2028', 'مرحبا', '😀');
  const entries = fc.uniqueArray(
    fc.record({
      key,
      texts: fc.dictionary(fc.constantFrom('en', 'fr', 'ar'), text, { minKeys: 1, noNullPrototype: true }),
    }),
    { selector: (one) => one.key, minLength: 1, maxLength: 6 },
  );
  const take = fc.subarray(['changed', 'removed', 'conflicts']);
  await fc.assert(
    fc.asyncProperty(entries, entries, take, async (before, after, chosen) => {
      const own = await textsOfNewProduct(alice);
      for (const one of before) await own.insert(one.key, one.texts as Record<string, string>);
      const file = csv(after as TextEntry[], ['en', 'fr', 'ar']);
      const { counts, added, changed, removed } = await own.preview('texts.csv', file, { take: chosen });
      const was = await own.all();
      const expected = new Map(Object.entries(was).map(([name, units]) => [name, { ...units }]));
      const edits = [
        ...added,
        ...(chosen.includes('changed') ? changed : []),
        ...(chosen.includes('removed') ? removed : []),
      ];
      expect(counts.conflicts).toBe(0);
      for (const { key: name, language, to } of edits) {
        const units = expected.get(name) ?? {};
        if (to === undefined) delete units[language.id];
        else units[language.id] = to;
        expected.set(name, units);
      }
      if (counts.keys === 0) return;
      const { run } = await own.import('texts.csv', file, { take: chosen });
      expect(new Map(Object.entries(await own.all()))).toEqual(expected);
      const { runId } = await own.ask<{ runId: string }>('import/undo', { run });
      expect(await own.ended(runId)).toMatchObject({ state: 'succeeded', left: 0 });
      expect(await own.all()).toEqual(was);
    }),
    { numRuns: 15 },
  );
});

test('an import is refused if the texts have changed since its preview', async () => {
  const uuid = await texts.insert('title', { fr: 'Titre' });
  const content = Buffer.from(JSON.stringify({ title: 'Le titre' })).toString('base64');
  const file = { product: texts.product, name: 'fr.json', content };
  const { seen } = await texts.preview('fr.json', JSON.stringify({ title: 'Le titre' }));
  const { units } = await texts.detail(uuid);
  await texts.ask('update/unit', { id: units[0]?.id, name: 'Un titre' });
  expect(await alice.post('i18n/import', { ...file, seen })).toMatchObject({
    status: 409,
    body: { current: { changed: [{ from: 'Un titre', to: 'Le titre' }] } },
  });
});

test('the undo of an import leaves what was changed again since', async () => {
  const { run } = await texts.import('fr.json', JSON.stringify({ a: 'A', b: 'B' }));
  const [row] = await texts.list();
  const { units } = await texts.detail(row?.id ?? '');
  await texts.ask('update/unit', { id: units[0]?.id, name: 'Autre' });
  const { runId } = await texts.ask<{ runId: string }>('import/undo', { run });
  expect(await texts.ended(runId)).toMatchObject({
    state: 'succeeded',
    keys: 2,
    left: 1,
    leftAsIs: ['a: a was changed since'],
  });
  expect(await texts.all()).toEqual({ a: { 2: 'Autre' } });
});

test('a file that cannot be read names line and column, and a file that is too large is refused', async () => {
  const refused = async (name: string, content: string | Uint8Array) => {
    const file = { product: texts.product, name, content: Buffer.from(content).toString('base64') };
    const { status, body } = await alice.post<{ data?: object; msg?: string }>('i18n/import/preview', file);
    return { status, ...body };
  };
  expect(await refused('fr.json', '{\n  "a": }')).toMatchObject({
    status: 400,
    data: { content: expect.stringMatching(/^Line 2, column 8: /) },
  });
  expect(await refused('fr.xlf', '<xliff><a></xliff>')).toMatchObject({
    status: 400,
    data: { content: expect.stringMatching(/^Line 1, column \d+: /) },
  });
  expect(await refused('fr.json', '')).toMatchObject({
    status: 400,
    data: { content: 'This field is required' },
  });
  expect(await refused('fr.json', Buffer.alloc(16 * 1024 * 1024 + 3, 'a'))).toMatchObject({
    status: 400,
    data: { content: 'the file is larger than 16 MB: split it' },
  });
  expect(await refused('fr.json', Buffer.alloc(50 * 1024 * 1024, 'a'))).toMatchObject({ status: 413 });
  const stranger = await world.backend.signIn({ workspace: `other-${uuidv7()}`, role: 'admin' });
  expect((await stranger.post('i18n/import/undo', { run: uuidv7() })).status).toBe(404);
});

test('texts that are too long together are refused, however small they are in the database', async () => {
  const id = await texts.insert('title', { en: 'Title', fr: 'Titre' });
  await world.backend.caughtUp();
  const { rows } = await world.backend.db.query<{ workspace: string }>(
    `select workspace from read.texts where id = $1`,
    [id],
  );
  const { workspace } = rows[0]!;
  // In a transaction that is rolled back, without the limit of time that the back end's statements have.
  const db = new Client({ connectionString: world.postgres.url });
  await db.connect();
  await db.query(`begin; do $$ declare one text; begin
    for one in select indexname from pg_indexes where schemaname = 'read' and tablename = 'texts' and indexdef like '%trgm%'
    loop execute 'drop index read.' || one; end loop; end $$`);
  await db.query(
    `update read.texts set view = jsonb_set(view, '{texts,fr}', to_jsonb(repeat('a', 70 * 1024 * 1024))) where id = $1`,
    [id],
  );
  const ask = (only?: readonly string[]) =>
    entriesOfProduct(db as unknown as Pool, workspace, texts.product.id, false, only);
  await expect(ask()).rejects.toThrow('more than 64 MB of texts');
  // The other languages are not too long.
  expect(await ask(['en'])).toHaveLength(1);
  await db.end();
});

test('an export contains what changed since an instant', async () => {
  const uuid = await texts.insert('a', { en: 'A', fr: 'A' });
  await texts.insert('b', { en: 'B' });
  const { headers } = await alice.post('i18n/list', { id: texts.product.id });
  const since = headers.get('x-position') ?? '';
  const { units } = await texts.detail(uuid);
  await texts.ask('update/unit', { id: units[1]?.id, name: 'Un' });
  await texts.insert('c', { fr: 'C' });
  const file = await texts.export({ format: 'json', languages: [2], since });
  expect(JSON.parse(file.toString())).toEqual({ a: 'Un', c: 'C' });
});

test('an export as of an instant is the export that was taken then, in all formats', async () => {
  let seed = 20_261_128;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const words = [
    'Order',
    'مرحبا',
    '=1+1',
    'a "b" & <c>',
    'two\nlines',
    '😀',
    "l'été",
    '{n, plural, other {#}}',
  ];
  const keys: string[] = [];
  const edit = async (at: number): Promise<void> => {
    const word = `${words[random(words.length)]} ${at}`;
    const uuid = keys[random(keys.length || 1)];
    const kind = random(10);
    if (uuid === undefined || kind < 2) {
      const code = languageCodes[random(14)] ?? 'en';
      keys.push(await texts.insert(`area${random(4)}.key${at}`, { [code]: word }));
      return;
    }
    const { units } = await texts.detail(uuid);
    const unit = units[random(units.length || 1)];
    if (kind === 2) await texts.ask('update', { uuid, data: { key: `renamed.key${at}` } });
    else if (kind === 3 && unit) await texts.ask('delete/unit', { id: unit.id });
    else if (kind === 4 && keys.length > 3) {
      await texts.ask('delete', { uuid });
      keys.splice(keys.indexOf(uuid), 1);
    } else if (unit && kind < 7) await texts.ask('update/unit', { id: unit.id, name: word });
    else {
      const language = 1 + random(14);
      const there = units.find((one) => one.language.id === language);
      if (there) await texts.ask('update/unit', { id: there.id, name: word });
      else await texts.ask('insert/unit', { i18nKey: uuid, name: word, language });
    }
  };
  const taken: { at: string; files: Buffer[] }[] = [];
  const all = () => Promise.all(formats.map((format) => texts.export({ format })));
  for (let at = 1; at <= 200; at++) {
    await edit(at);
    if (at % 10 !== 0) continue;
    const { headers } = await alice.post('i18n/list', { id: texts.product.id });
    taken.push({ at: headers.get('x-position') ?? '', files: await all() });
  }
  expect(taken).toHaveLength(20);
  expect(new Set(taken.map(({ files }) => files[0]?.toString('base64'))).size).toBeGreaterThan(15);
  for (const { at, files } of taken)
    for (const [index, format] of formats.entries()) {
      const then = await texts.export({ format, at });
      expect({ at, format, same: then.equals(files[index] as Buffer) }).toEqual({ at, format, same: true });
    }
  const [first] = taken;
  expect(
    (await texts.export({ format: 'csv' }, { 'x-at': first?.at ?? '' })).equals(first?.files[2] as Buffer),
  ).toBe(true);
  const other = textsOf(alice, uuidv7());
  await expect(other.export({ format: 'csv' })).rejects.toThrow(/404/);
});
