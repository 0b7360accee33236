/**
 * Option sets and their values: the kit's features for a noun within a noun, and an order that operators choose.
 *
 * covers: OPT-01
 */
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

interface Ids {
  id: string;
}
type Rows = { id: string; name: string; value: string; key: number; revision: number }[];

let world: World;
let alice: Operator;
let product: string;
let set: string;
const values: Record<string, string> = {};

const added = async (path: string, body: object): Promise<string> => {
  const answer = await alice.post<Ids>(`${path}/insert`, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.id;
};
const addValue = (key: number, value: string) =>
  alice.post<Ids>('data-model/option-set/value/insert', { data: { key, value }, optionSet: { id: set } });
const listed = async (): Promise<string[]> => {
  const answer = await alice.post<Rows>('data-model/option-set/value/list', { optionSet: { id: set } });
  return answer.body.map(({ value }) => value);
};

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ workspace: 'option-sets', role: 'admin', email: 'alice@example.org' });
  product = await added('product', { data: { name: 'Shop' } });
  set = await added('data-model/option-set', { data: { name: 'Order status' }, product: { id: product } });
});
afterAll(() => world?.end());

test('an option set belongs to its product, and its name is unique there, ignoring case', async () => {
  const other = await added('product', { data: { name: 'Billing' } });
  const again = { data: { name: 'ORDER STATUS' } };
  const refused = await alice.post('data-model/option-set/insert', { ...again, product: { id: product } });
  expect(refused).toMatchObject({
    status: 400,
    body: { data: { name: 'another option set already has this name' } },
  });
  await added('data-model/option-set', { ...again, product: { id: other } });
  const { body } = await alice.post<Rows>('data-model/option-set/list', { product: { id: product } });
  expect(body.map(({ name }) => name)).toEqual(['Order status']);
});

test('keys and values are unique in the set, and a key is a number', async () => {
  values.open = (await addValue(1, 'open')).body.id;
  values.paid = (await addValue(2, 'paid')).body.id;
  values.sent = (await addValue(3, 'sent')).body.id;
  const refused = (key: unknown, value: string, data: object) =>
    expect(addValue(key as number, value)).resolves.toMatchObject({ status: 400, body: { data } });
  await refused(1, 'closed', { key: 'another option set value already has this key' });
  await refused(4, 'Paid', { value: 'another option set value already has this value' });
  await refused('4', 'closed', { 'data.key': 'expected type number' });
  await refused(4, '', { 'data.value': 'This field is required' });
});

test('values keep the order that an operator chose, newer ones follow, and renaming one does not change it', async () => {
  expect(await listed()).toEqual(['open', 'paid', 'sent']);
  const edit = (data: object) => alice.post('data-model/option-set/update', { id: set, data });
  const order = [values.sent, values.open, values.paid];
  expect(await edit({ name: 'Order status', valueOrder: order })).toMatchObject({ status: 200 });
  expect(await listed()).toEqual(['sent', 'open', 'paid']);
  await addValue(9, 'returned');
  expect(await edit({ name: 'State' })).toMatchObject({ status: 200 });
  expect(await listed()).toEqual(['sent', 'open', 'paid', 'returned']);
  const subject = { category: 'optionSet', id: set };
  const { body } = await alice.post<{ events: { says: string; position: string }[] }>('history/list', {
    subject,
  });
  expect(body.events.map(({ says }) => says)).toEqual([
    'renamed to State',
    'changed order of values',
    'added Order status',
  ]);
  const position = body.events[1]?.position;
  const preview = await alice.post<{ seen: unknown }>('history/undo/preview', { position });
  const undone = await alice.post('history/undo', { position, seen: preview.body.seen });
  expect(undone).toMatchObject({ status: 200 });
  expect(await listed()).toEqual(['open', 'paid', 'sent', 'returned']);
});

test('removing a set removes its values, and restoring it restores them', async () => {
  const detail = () => alice.post('data-model/option-set/value/detail', { id: values.open });
  await alice.post('data-model/option-set/delete', { id: set });
  expect(await detail()).toMatchObject({ status: 404 });
  await alice.post('data-model/option-set/restore', { id: set });
  expect(await detail()).toMatchObject({ status: 200, body: { key: 1, value: 'open', optionSet: set } });
});

test('a set has its values, and a value its set, under the names of the specification', async () => {
  const insert = { data: { name: 'Size' }, product: { id: product } };
  const size = await added('data-model/option-set', insert);
  const value = { key: 1, value: 'small', modelOptionSet: { id: size } };
  const small = await added('data-model/option-set/value', { data: value });
  const large = await added('data-model/option-set/value', {
    data: { key: 2, value: 'large' },
    optionSet: { id: size },
  });
  const { body } = await alice.post('data-model/option-set/detail', { id: size });
  expect(body).toMatchObject({
    id: size,
    uuid: size,
    product,
    values: [
      { id: small, uuid: small, key: 1, value: 'small' },
      { id: large, uuid: large, key: 2, value: 'large' },
    ],
  });
  const { body: list } = await alice.post<Rows>('data-model/option-set/list', { product: { id: product } });
  expect(list.find((one) => one.id === size)).toEqual(body);
  expect((await alice.post('data-model/option-set/value/detail', { id: small })).body).toMatchObject({
    uuid: small,
    modelOptionSet: { id: size, uuid: size, name: 'Size' },
  });
});
