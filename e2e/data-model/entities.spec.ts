/**
 * Entities and attributes: the rules of a data model, and the references in it.
 *
 * covers: DM-01, DM-02, PROD-04
 */
import { randomUUID } from 'node:crypto';
import type { AttributeWithEntity } from '@quarterdeck/contract';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

interface Ids {
  id: string;
}
interface Model {
  dataModel: { name: string; change?: string; fields: { name: string; change?: string }[] }[];
  relations: { name: string; source: string; target: string }[];
}

const [INT, FOREIGN_KEY] = [2, 8];

let world: World;
let alice: Operator;
let product: string;
let customer: string;
let order: string;
let status: string;

const post = <T = Ids>(path: string, body: object) => alice.post<T>(`data-model/${path}`, body);
const plainEntity = { table: '', isUuid: false };
const addEntity = (data: object, at = product) =>
  post('entity/insert', { data: { ...plainEntity, ...data }, product: { id: at } });
const plainAttribute = { type: 1, optional: false };
const addAttribute = (data: object, entity = order) =>
  post('attribute/insert', { data: { ...plainAttribute, ...data }, entity: { id: entity } });
const id = async (answer: Promise<{ status: number; body: Ids }>): Promise<string> => {
  const { status: code, body } = await answer;
  expect({ code, body }).toMatchObject({ code: 200 });
  return body.id;
};
const refused = async (answer: Promise<{ status: number; body: unknown }>, data: object) =>
  expect(await answer).toMatchObject({ status: 400, body: { data } });
const attributeNames = async (): Promise<string[]> => {
  const { body } = await post<{ name: string }[]>('attribute/list', { entity: { id: order } });
  return body.map(({ name }) => name);
};

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ workspace: 'entities', role: 'admin', email: 'alice@example.org' });
  product = (await alice.post<Ids>('product/insert', { data: { name: 'Shop' } })).body.id;
  status = await id(post('option-set/insert', { data: { name: 'Status' }, product: { id: product } }));
  customer = await id(addEntity({ name: 'Customer' }));
  order = await id(addEntity({ name: 'Purchase' }));
});
afterAll(() => world?.end());

test('names of entities, and of the tables made from them, are unique in a product, ignoring case', async () => {
  await refused(addEntity({ name: 'CUSTOMER' }), { name: 'another entity already has this name' });
  const taken = { table: 'another entity already has this table' };
  await refused(addEntity({ name: 'Client', table: 'Customer' }), taken);
  const line = await id(addEntity({ name: 'Order line' }));
  await refused(addEntity({ name: 'order-line' }), taken);
  // The name of the table follows that of the entity, so the old one is free.
  await id(post('entity/update', { id: line, data: { name: 'Item', ...plainEntity } }));
  await id(addEntity({ name: 'order-line' }));
  const other = (await alice.post<Ids>('product/insert', { data: { name: 'Billing' } })).body.id;
  await id(addEntity({ name: 'Customer' }, other));
});

test('names that databases do not accept are refused, with the reason under the field', async () => {
  await refused(addEntity({ name: 'Group', table: 'group' }), {
    table: expect.stringContaining('group is a reserved word of SQL'),
  });
  await refused(addEntity({ name: 'Long', table: 'x'.repeat(64) }), {
    table: expect.stringContaining('at most 63 characters'),
  });
  await refused(addAttribute({ name: 'note', column: 'my note' }), {
    column: expect.stringContaining('only the letters A to Z'),
  });
  await refused(addAttribute({ name: '???' }), { column: expect.stringContaining('give the column a name') });
});

test('a foreign key needs an entity of the same product, and no other type has one', async () => {
  await refused(addAttribute({ name: 'customer', type: FOREIGN_KEY }), {
    'data.foreignEntity.id': 'This field is required',
  });
  await refused(addAttribute({ name: 'customer', foreignEntity: { id: customer } }), {
    'data.foreignEntity.id': 'only accepted when the type is ForeignKey',
  });
  await refused(addAttribute({ name: 'status', modelOptionSet: { id: status, name: 'Status' } }), {
    'data.modelOptionSet.id': 'only accepted when the type is Int',
  });
  const elsewhere = (await alice.post<Ids>('product/insert', { data: { name: 'Elsewhere' } })).body.id;
  const foreign = await id(addEntity({ name: 'Foreign' }, elsewhere));
  const dangling = { 'foreignEntity.id': 'this entity could not be found' };
  await refused(addAttribute({ name: 'x', type: FOREIGN_KEY, foreignEntity: { id: foreign } }), dangling);
  await refused(addAttribute({ name: 'x', type: 12 }), { 'data.type': 'numbers above 11 are not accepted' });
});

test('attributes show the current name of their target, have an order, and are listed with their entity', async () => {
  const buyer = await id(
    addAttribute({ name: 'customer', type: FOREIGN_KEY, foreignEntity: { id: customer, name: 'Customer' } }),
  );
  const state = await id(addAttribute({ name: 'status', type: INT, modelOptionSet: { id: status } }));
  await id(addAttribute({ name: 'note', optional: true }));
  expect(await attributeNames()).toEqual(['customer', 'status', 'note']);
  const data = { name: 'Purchase', ...plainEntity, attributeOrder: [state, buyer] };
  await id(post('entity/update', { id: order, data }));
  expect(await attributeNames()).toEqual(['status', 'customer', 'note']);

  await id(post('entity/update', { id: customer, data: { name: 'Buyer', ...plainEntity } }));
  const detail = await post<AttributeWithEntity>('attribute/detail', { id: buyer });
  expect(detail.body).toMatchObject({ foreignEntity: { id: customer, name: 'Buyer' }, modelOptionSet: null });

  const whole = await post<AttributeWithEntity[]>('attribute/listWEntity', { product: { id: product } });
  expect(whole.body.map((one) => [one.entity.name, one.name])).toEqual([
    ['Purchase', 'status'],
    ['Purchase', 'customer'],
    ['Purchase', 'note'],
  ]);
  for (const [pointedAt, names] of [
    [customer, ['customer']],
    [status, ['status']],
    [order, []],
  ] as const) {
    const associated = await post<AttributeWithEntity[]>('attribute/listAssociated', { id: pointedAt });
    expect(associated.body.map(({ name }) => name)).toEqual(names);
  }
});

test('the graph has a box for each entity with its fields, and an arrow for each foreign key', async () => {
  const { body } = await post<Model>('entity/visualization', { product: { id: product } });
  const purchase = body.dataModel.find(({ name }) => name === 'Purchase');
  expect(purchase?.fields.map(({ name }) => name)).toEqual(['status', 'customer', 'note']);
  expect(body.relations).toEqual([
    { id: expect.any(String), name: 'customer', source: order, target: customer },
  ]);
});

test('the graph shows its differences from an earlier instant', async () => {
  const { body: history } = await alice.post<{ events: { position: string }[] }>('history/list', {
    limit: 1,
  });
  const since = history.events[0]?.position;
  const added = await id(addAttribute({ name: 'later' }));
  const { body } = await post<Model>('entity/visualization', { product: { id: product }, since });
  const changed = body.dataModel.filter(({ change }) => change !== undefined);
  expect(changed).toMatchObject([{ name: 'Purchase', change: 'changed' }]);
  expect(changed[0]?.fields.filter(({ change }) => change)).toMatchObject([
    { name: 'later', change: 'added' },
  ]);
  await id(post('attribute/delete', { id: added }));
  const wrong = post('entity/visualization', { product: { id: product }, since: 'once' });
  await refused(wrong, { since: expect.stringContaining('an instant is expected') });
});

test('an entity with references to it is deleted only by its typed name; a refusal lists what would break', async () => {
  const breaks = {
    status: 409,
    body: { msg: expect.stringContaining('Purchase.customer would point to nothing') },
  };
  expect(await post('entity/delete', { id: customer })).toMatchObject(breaks);
  expect(await post('option-set/delete', { id: status })).toMatchObject({
    status: 409,
    body: { msg: expect.stringContaining('Purchase.status would point to nothing') },
  });
  await id(post('entity/delete', { id: customer, name: 'Buyer' }));
  const [, attribute] = (await post<AttributeWithEntity[]>('attribute/list', { entity: { id: order } })).body;
  expect(attribute?.foreignEntity).toEqual({ id: customer });
  // An edit of something else may leave the broken reference as it is.
  const data = { ...plainAttribute, name: 'buyer', type: FOREIGN_KEY, foreignEntity: { id: customer } };
  await id(post('attribute/update', { id: attribute?.id, data }));
});

test('an edit keeps the fields that it omits, unless another type has no use for them', async () => {
  const shop = (await alice.post<Ids>('product/insert', { data: { name: 'Edits' } })).body.id;
  const buyer = await id(addEntity({ name: 'Buyer', table: 'buyers' }, shop));
  await id(post('entity/update', { id: buyer, data: { name: 'Client', isUuid: true } }));
  expect((await post('entity/detail', { id: buyer })).body).toMatchObject({ table: 'buyers' });
  const reference = {
    ...plainAttribute,
    type: FOREIGN_KEY,
    foreignEntity: { id: buyer },
    column: 'bought_by',
  };
  const made = await id(
    post('attribute/insert', { data: { name: 'bought by', ...reference }, entity: { id: buyer } }),
  );
  const edit = (data: object) => post('attribute/update', { id: made, data: { optional: true, ...data } });
  const detail = async () => (await post('attribute/detail', { id: made })).body;
  await id(edit({ name: 'bought by', type: FOREIGN_KEY }));
  expect(await detail()).toMatchObject({ column: 'bought_by', foreignEntity: { id: buyer } });
  await id(edit({ name: 'bought by', type: INT }));
  expect(await detail()).toMatchObject({ column: 'bought_by', foreignEntity: null });
  await refused(edit({ name: 'bought by', type: FOREIGN_KEY }), {
    'foreignEntity.id': 'This field is required',
  });
});

test('an entity has its attributes as `fields`, in order, in the list and its detail', async () => {
  const note = await id(addEntity({ name: 'Note' }));
  const author = await id(addEntity({ name: 'Author' }));
  const states = await id(post('option-set/insert', { data: { name: 'States' }, product: { id: product } }));
  const insert = (data: object) => id(addAttribute(data, note));
  const text = await insert({ name: 'Text' });
  const state = await insert({ name: 'State', type: INT, modelOptionSet: { id: states } });
  const by = await insert({ name: 'By', type: FOREIGN_KEY, foreignEntity: { id: author } });
  const fields = [
    { id: text, uuid: text, name: 'Text', column: '', optional: false, type: 1 },
    { id: state, name: 'State', type: INT, modelOptionSet: { id: states, name: 'States' } },
    { id: by, name: 'By', type: FOREIGN_KEY, foreignEntity: { id: author, name: 'Author' } },
  ];
  const { body } = await post('entity/detail', { id: note });
  expect(body).toMatchObject({ id: note, uuid: note, name: 'Note', isUuid: false, fields });
  const { body: list } = await post<Ids[]>('entity/list', { product: { id: product } });
  expect(list.find((one) => one.id === note)).toEqual(body);
});

test('an entity is duplicated with its attributes, once for one key', async () => {
  const tree = await id(addEntity({ name: 'Tree', isUuid: true }));
  await id(
    addAttribute({ name: 'parent', type: FOREIGN_KEY, foreignEntity: { id: tree }, optional: true }, tree),
  );
  await id(
    addAttribute({ name: 'status', type: INT, modelOptionSet: { id: status }, column: 'state' }, tree),
  );
  await refused(post('entity/duplicate', { id: tree, data: { name: 'TREE' } }), {
    'data.name': 'another entity already has this name',
  });
  const body = { id: tree, data: { name: 'Bush' } };
  const key = { 'idempotency-key': randomUUID() };
  const copy = () => alice.post<Ids>('data-model/entity/duplicate', body, key);
  const bush = await id(copy());
  expect(await id(copy())).toBe(bush);
  const { body: its } = await post<Record<string, unknown>[]>('attribute/list', { entity: { id: bush } });
  expect(its).toEqual([
    expect.objectContaining({ name: 'parent', foreignEntity: { id: bush, name: 'Bush' }, optional: true }),
    expect.objectContaining({
      name: 'status',
      modelOptionSet: { id: status, name: 'Status' },
      column: 'state',
    }),
  ]);
  expect(await post('entity/detail', { id: bush })).toMatchObject({ body: { name: 'Bush', isUuid: true } });
  expect(await post('entity/duplicate', { id: product, data: { name: 'None' } })).toMatchObject({
    status: 404,
  });
});
