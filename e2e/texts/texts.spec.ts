/**
 * Texts and CMS texts of a product: keys, texts by language, states, comments, history, undo, two people.
 *
 * covers: I18N-01, CMS-01
 */
import type { Answer, texts as calls } from '@quarterdeck/contract';
import type { ListPage, TextRow, TextView, UndoPreview } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { textsOf, textsOfNewProduct, type TextsOf } from './texts-world';

type Completeness = Answer<typeof calls.completeness>;
type Days = Answer<typeof calls.completenessByDay>;

let world: World;
let alice: Operator;
/** A member, who may change texts. */
let mia: Operator;
let texts: TextsOf;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  mia = await world.backend.signIn({ role: 'member', email: 'mia@example.org' });
});
beforeEach(async () => {
  texts = await textsOfNewProduct(alice);
});
afterAll(() => world?.end());

const unitIn = (view: TextView, language: number) => view.units.find((one) => one.language.id === language);
const refused = async (path: string, body: object, who = alice) => {
  const { status, body: answer } = await who.post(`i18n/${path}`, body);
  return { status, ...answer };
};

test('the calls of the specification add, show, change and remove texts', async () => {
  const { product } = texts;
  const english = 'A title that is longer than fifty characters, for a list';
  const data = { key: 'checkout.title', product, isCms: false };
  const { id: key } = await texts.ask('insert', { data });
  const { id: en } = await texts.ask('insert/unit', { i18nKey: key, name: english, language: 1 });
  const { id: fr } = await texts.ask('insert/unit', {
    i18nKey: { uuid: key },
    name: 'Titre',
    language: { id: 2 },
  });
  expect(await texts.ask<TextRow[]>('list', { id: product.id, isCms: false })).toMatchObject([
    { uuid: key, id: key, key: 'checkout.title', english: english.slice(0, 50), states: 'ttmmmmmmmmmmmm' },
  ]);
  await texts.ask('update/unit', { id: fr, name: 'Titre de la commande' });
  expect(await texts.ask<TextView>('detail', { uuid: key, isCms: false })).toMatchObject({
    uuid: key,
    units: [
      { id: en, name: english, language: { id: 1, name: 'English' } },
      { id: fr, name: 'Titre de la commande', language: { id: 2, name: 'French' } },
    ],
  });
  await texts.ask('delete/unit', { id: fr });
  expect((await texts.detail(key)).units).toMatchObject([{ id: en }]);
  await texts.ask('delete', { uuid: key });
  expect(await texts.list()).toEqual([]);
  await texts.ask('restore', { uuid: key });
  expect(await texts.list()).toMatchObject([{ key: 'checkout.title' }]);
});

test('CMS texts are apart from other texts', async () => {
  const id = await texts.insert('terms', { en: '# Terms' }, true);
  await texts.insert('terms', { en: 'Terms' });
  expect(await texts.list(true)).toMatchObject([{ id, english: '# Terms', isCms: true }]);
  expect(await texts.list(false)).toMatchObject([{ english: 'Terms', isCms: false }]);
  expect(await refused('detail', { uuid: id, isCms: false })).toMatchObject({ status: 404 });
});

test('bad input gets its message at its field', async () => {
  const { product } = texts;
  const key = await texts.insert('title', { en: 'Title' });
  const insert = (data: object) => refused('insert', { data: { product, isCms: false, ...data } });
  expect(await insert({ key: 'title' })).toMatchObject({
    status: 400,
    data: { 'data.key': 'this product already has this key' },
  });
  expect(await insert({ key: '' })).toMatchObject({
    status: 400,
    data: { 'data.key': 'This field is required' },
  });
  expect(await insert({ key: 'x'.repeat(201) })).toMatchObject({
    data: { 'data.key': 'at most 200 characters are accepted' },
  });
  const unit = (more: object) =>
    refused('insert/unit', { i18nKey: key, name: 'Titre', language: 2, ...more });
  expect(await unit({ language: 15 })).toMatchObject({
    status: 400,
    data: { language: 'a language from 1 to 14 is expected' },
  });
  expect(await unit({ name: '' })).toMatchObject({ data: { name: 'This field is required' } });
  expect(await unit({ name: 'x'.repeat(50_001) })).toMatchObject({
    data: { name: 'at most 50000 characters are accepted' },
  });
  expect(await unit({ name: 'a\u0007' })).toMatchObject({
    data: { name: 'It contains the control character U+0007.' },
  });
  expect(await unit({ language: 1 })).toMatchObject({
    status: 400,
    data: { language: 'there is a text in this language already: change that one' },
  });
  expect(await refused('update/unit', { id: uuidv7(), name: 'x' })).toMatchObject({ status: 404 });
  expect(await refused('insert', { data: { key: 'x', product: { id: uuidv7() } } })).toMatchObject({
    status: 404,
  });
});

test('keys that differ only by case are two keys', async () => {
  await texts.insert('Save');
  await texts.insert('save');
  expect((await texts.list()).map(({ key }) => key).toSorted()).toEqual(['Save', 'save']);
});

test('a renamed key sets its former name free', async () => {
  const uuid = await texts.insert('title', { en: 'Title' });
  await texts.ask('update', { uuid, data: { key: 'heading' } });
  await texts.insert('title');
  expect(await refused('update', { uuid, data: { key: 'title' } })).toMatchObject({
    status: 400,
    data: { 'data.key': 'this product already has this key' },
  });
  expect((await texts.list()).map(({ key }) => key)).toEqual(['heading', 'title']);
});

test('a translation is outdated once the English text changes, until somebody reviews it', async () => {
  const uuid = await texts.insert('title', { en: 'Title', fr: 'Titre' });
  const before = await texts.detail(uuid);
  const [en, fr] = [unitIn(before, 1), unitIn(before, 2)];
  await texts.ask('review/unit', { id: fr?.id, isReviewed: true });
  expect((await texts.detail(uuid)).states.slice(0, 3)).toBe('trm');
  await texts.ask('update/unit', { id: en?.id, name: 'Heading' });
  const after = await texts.detail(uuid);
  expect(after.states.slice(0, 3)).toBe('tom');
  expect(unitIn(after, 2)).toMatchObject({ state: 'outdated', of: 'Title', isReviewed: true });
  await texts.ask('review/unit', { id: fr?.id, isReviewed: true });
  expect((await texts.detail(uuid)).states.slice(0, 3)).toBe('trm');
});

test('the page searches in keys and texts, filters by state, sorts and pages', async () => {
  await texts.insert('a.title', { en: 'Your "order" 100%', fr: 'Commande' });
  await texts.insert('b.title', { en: 'Line\none', de: 'Größe' });
  await texts.insert('c.text', {});
  const page = async (asked: object) => {
    const { rows, found, total } = await texts.ask<ListPage<TextRow>>('page', {
      product: texts.product,
      ...asked,
    });
    return [rows.map(({ key }) => key), found, total];
  };
  expect(await page({})).toEqual([['a.title', 'b.title', 'c.text'], 3, 3]);
  expect(await page({ search: 'TITLE' })).toEqual([['a.title', 'b.title'], 2, 3]);
  expect(await page({ search: 'commande' })).toEqual([['a.title'], 1, 3]);
  expect(await page({ search: '"order" 100%' })).toEqual([['a.title'], 1, 3]);
  expect(await page({ search: 'größe' })).toEqual([['b.title'], 1, 3]);
  expect(await page({ search: '%' })).toEqual([['a.title'], 1, 3]);
  // A name of a language is part of how texts are stored, and of no text.
  expect(await page({ search: '"de"' })).toEqual([[], 0, 3]);
  expect(await page({ language: 2, states: ['missing'] })).toEqual([['b.title', 'c.text'], 2, 3]);
  expect(await page({ states: ['translated'] })).toEqual([['a.title', 'b.title'], 2, 3]);
  expect(await page({ sort: '-key', size: 2, page: 2 })).toEqual([['a.title'], 3, 3]);
});

test('two people on one text: the second one learns what the first one wrote', async () => {
  const uuid = await texts.insert('title', { en: 'Title', fr: 'Titre' });
  const seen = unitIn(await texts.detail(uuid), 2);
  const german = await texts.ask('insert/unit', { i18nKey: uuid, name: 'Titel', language: 3 });
  // Another language is no conflict.
  await texts.ask('update/unit', { id: seen?.id, name: 'Le titre', seen: seen?.revision });
  const late = { id: seen?.id, name: 'Un titre', seen: seen?.revision };
  const answer = await refused('update/unit', late, mia);
  expect(answer).toMatchObject({
    status: 409,
    current: { units: [{}, { name: 'Le titre' }, { id: german.id }] },
  });
  expect(answer).toMatchObject({
    msg: expect.stringMatching(/changed this text in the meantime: it is “Le titre” now/),
  });
  const current = unitIn(await texts.detail(uuid), 2);
  expect((await mia.post('i18n/update/unit', { ...late, seen: current?.revision })).status).toBe(200);
  expect(unitIn(await texts.detail(uuid), 2)).toMatchObject({ name: 'Un titre' });
  await texts.ask('delete/unit', { id: german.id });
  expect(await refused('update/unit', { id: german.id, name: 'x', seen: 0 }, mia)).toMatchObject({
    status: 404,
  });
});

test('a former text is shown with its author, and restored', async () => {
  const uuid = await texts.insert('title', { en: 'First' });
  const id = unitIn(await texts.detail(uuid), 1)?.id;
  await texts.ask('update/unit', { id, name: 'Second' });
  await mia.post('i18n/update/unit', { id, name: 'Third' });
  await texts.ask('delete/unit', { id });
  const former = await texts.ask<{ name?: string; revision: number; by: string }[]>('history/unit', {
    uuid,
    language: 1,
  });
  expect(former.map(({ name }) => name)).toEqual([undefined, 'Third', 'Second', 'First']);
  expect(new Set(former.map(({ by }) => by)).size).toBe(2);
  await texts.ask('restore/unit', { uuid, language: 1, revision: former[2]?.revision });
  expect(unitIn(await texts.detail(uuid), 1)).toMatchObject({ id, name: 'Second' });
});

test('comments are shown with their key until they are removed', async () => {
  const uuid = await texts.insert('title', { en: 'Title' });
  const { id } = await texts.ask('insert/comment', { uuid, text: 'Short, please', language: 2 });
  await mia.post('i18n/insert/comment', { uuid, text: 'Done' });
  expect((await texts.detail(uuid)).comments).toMatchObject([
    { id, text: 'Short, please', language: { id: 2 } },
    { text: 'Done' },
  ]);
  await texts.ask('delete/comment', { uuid, comment: id });
  expect((await texts.detail(uuid)).comments).toMatchObject([{ text: 'Done' }]);
});

test('completeness counts the states of each language, now and by day', async () => {
  const { product } = texts;
  const uuid = await texts.insert('a', { en: 'A', fr: 'A' });
  await texts.insert('b', { en: 'B' });
  const gone = await texts.insert('c', { en: 'C', fr: 'C' });
  await texts.ask('delete', { uuid: gone });
  await texts.ask('review/unit', { id: unitIn(await texts.detail(uuid), 2)?.id, isReviewed: true });
  const { keys, languages } = await texts.ask<Completeness>('completeness', { product });
  expect(keys).toBe(2);
  expect(languages).toHaveLength(14);
  expect(languages.slice(0, 3)).toMatchObject([
    { language: { id: 1, code: 'en' }, missing: 0, translated: 2, reviewed: 0, outdated: 0 },
    { language: { id: 2, code: 'fr' }, missing: 1, translated: 0, reviewed: 1, outdated: 0 },
    { language: { id: 3, code: 'de' }, missing: 2, translated: 0, reviewed: 0, outdated: 0 },
  ]);
  const { days } = await texts.ask<Days>('completeness/days', { product, days: 3 });
  expect(days).toHaveLength(3);
  expect(days.at(-1)).toMatchObject({ keys: 2, texts: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
  expect(days[0]).toMatchObject({ keys: 0 });
  const { headers } = await alice.post('i18n/list', { id: product.id });
  await texts.insert('d');
  const then = { 'x-at': headers.get('x-position') ?? '' };
  const past = await alice.post<Days>('i18n/completeness/days', { product, days: 3 }, then);
  expect(past.body.days.at(-1)).toMatchObject({ keys: 2 });
});

describe('undo', () => {
  const undo = async (position: string) => {
    const { body: look } = await alice.post<UndoPreview>('history/undo/preview', { position });
    // What is refused has nothing to review.
    const seen = look.seen || 'nothing';
    const { status, body } = await alice.post('history/undo', { position, seen });
    return { look, status, body };
  };
  const change = async (path: string, body: object): Promise<string> => {
    const answer = await alice.post(`i18n/${path}`, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.headers.get('x-position') ?? '';
  };

  test.each([
    ['update/unit', (en: string) => ({ id: en, name: 'Heading' })],
    ['delete/unit', (en: string) => ({ id: en })],
    ['review/unit', (en: string) => ({ id: en, isReviewed: true })],
    ['update', (_: string, uuid: string) => ({ uuid, data: { key: 'heading', isIcu: false } })],
    ['insert/unit', (_: string, uuid: string) => ({ i18nKey: uuid, name: 'Titel', language: 3 })],
    ['insert/comment', (_: string, uuid: string) => ({ uuid, text: 'Short, please' })],
    ['delete', (_: string, uuid: string) => ({ uuid })],
  ])('%s is undone', async (path, bodyFor) => {
    const uuid = await texts.insert('title', { en: 'Title', fr: 'Titre' });
    const before = await texts.detail(uuid);
    const position = await change(path, bodyFor(unitIn(before, 1)?.id ?? '', uuid));
    expect(await undo(position)).toMatchObject({ status: 200 });
    const shown = ({ key, isIcu, states, units, comments }: TextView) => ({
      key,
      isIcu,
      states,
      units: units.map(({ id, name, of, isReviewed }) => ({ id, name, of, isReviewed })),
      comments,
    });
    expect(shown(await texts.detail(uuid))).toEqual(shown(before));
  });

  test('an addition is undone unless the key was changed since', async () => {
    const insert = (key: string) =>
      change('insert', { data: { key, product: texts.product, isCms: false, texts: { en: 'Title' } } });
    const position = await insert('one');
    expect(await undo(position)).toMatchObject({ status: 200 });
    expect(await texts.list()).toEqual([]);
    const other = await insert('two');
    const [row] = await texts.list();
    await change('insert/unit', { i18nKey: row?.id, name: 'Titel', language: 3 });
    expect(await undo(other)).toMatchObject({ look: { refused: 'two was changed since' }, status: 409 });
  });

  test('a text that was changed again stays', async () => {
    const uuid = await texts.insert('title', { en: 'Title' });
    const id = unitIn(await texts.detail(uuid), 1)?.id;
    const position = await change('update/unit', { id, name: 'Second' });
    await change('update/unit', { id, name: 'Third' });
    expect(await undo(position)).toMatchObject({ status: 409 });
  });
});

test('a member changes texts of a product, and texts of another workspace are not found', async () => {
  const uuid = await texts.insert('title', { en: 'Title' });
  const own = textsOf(mia, texts.product.id);
  await own.insert('subtitle', { en: 'Subtitle' });
  expect((await own.list()).map(({ key }) => key)).toEqual(['subtitle', 'title']);
  const stranger = await world.backend.signIn({ workspace: `other-${uuidv7()}`, role: 'admin' });
  const id = unitIn(await texts.detail(uuid), 1)?.id;
  for (const [path, body] of [
    ['detail', { uuid }],
    ['list', { id: texts.product.id }],
    ['page', { product: texts.product }],
    ['update/unit', { id, name: 'x' }],
    ['insert/unit', { i18nKey: uuid, name: 'x', language: 2 }],
    ['delete', { uuid }],
    ['restore', { uuid }],
    ['export', { product: texts.product, format: 'csv' }],
  ] as const)
    expect(await refused(path, body, stranger)).toMatchObject({ status: 404 });
});
