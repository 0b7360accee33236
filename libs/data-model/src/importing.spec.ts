// covers: VER-03
import { adoptionOf, importOf } from './adoption';
import { renamesBetween } from './renames';
import { driftOf, hindering, named, repairOf } from './drift';
import { modelFrom } from './importing';
import { columnOf, noModel, tableOf, type Attribute, type Model } from './model';
import { plan } from './plan';
import { problemsOf } from './problems';
import { starter } from './starter';
import type { Column } from './structure';
import { structureOf } from './structure-of';

let ids = 0;
const newId = () => `id-${++ids}`;

it('gives imported parts names that are unique whatever the case', () => {
  const column = (name: string, more: Partial<Column> = {}): Column => ({
    id: name,
    name,
    type: 'Long',
    required: false,
    ...more,
  });
  const table = (name: string, columns: Column[] = []) => ({
    id: name,
    name,
    key: 'Long' as const,
    columns,
    extras: [],
  });
  const reference = { name: 'fk', table: 'orderLine', column: 'id' };
  const { model } = modelFrom(
    {
      tables: [
        table('order_line', [column('customer'), column('customer_id', { reference } as Partial<Column>)]),
        table('orderLine'),
      ],
    },
    newId,
  );
  expect(problemsOf(model)).toEqual([]);
  expect(model.entities.map(({ name }) => name)).toEqual(['Order line', 'Order line 2']);
  const attributes = model.entities[0]?.attributes ?? [];
  expect(attributes.map(({ name }) => name)).toEqual(['Customer', 'Customer 2']);
  expect(attributes.map(columnOf)).toEqual(['customer', 'customer_id']);
});

it('imports one of several names that differ only by case, and the version fits all the same', () => {
  const table = (name: string, columns: string[]) => ({
    id: name,
    name,
    key: 'Long' as const,
    columns: columns.map((one): Column => ({ id: one, name: one, type: 'Long', required: false })),
    extras: [],
  });
  const actual = { tables: [table('Users', ['a']), table('users', ['b']), table('visit', ['Day', 'day'])] };
  const reason = (taken: string): string =>
    `its name differs only by case from ${taken}, and some servers take both for one.`;
  const { model, notRepresentable } = modelFrom(actual, newId);
  expect(model.entities.map(tableOf)).toEqual(['Users', 'visit']);
  expect(model.entities[1]?.attributes.map(columnOf)).toEqual(['Day']);
  expect(problemsOf(model)).toEqual([]);
  expect(notRepresentable).toEqual([
    `Table users is left out: ${reason('Users')}`,
    `visit.day is left out: ${reason('Day')}`,
  ]);
  // Nothing hinders a version of a database that has it already.
  const drifts = driftOf(structureOf(model), actual);
  expect(drifts.map(({ words }) => words)).toEqual([
    'The table users is not part of the version.',
    'visit: the column day (Long) is not part of the version.',
  ]);
  expect(hindering(drifts)).toEqual([]);
  // The model keeps the one that it has, whichever comes first in the database.
  const known: Model = {
    entities: [{ id: 'u', name: 'People', table: 'users', isUuid: false, attributes: [] }],
    optionSets: [],
  };
  expect(adoptionOf(known, { tables: actual.tables.slice(0, 2) }, newId, known)).toMatchObject({
    edits: [{ do: 'addAttribute', entity: 'u', attribute: { name: 'B' } }],
    left: [`Table Users is left out: ${reason('users')}`],
  });
});

it('imports what a model does not have, and lets it point to what the model has', () => {
  const user = { id: 'own', name: 'Account', table: 'USER_', isUuid: false, attributes: [] };
  const model: Model = { ...noModel, entities: [user] };
  const begun = starter(newId);
  const { edits, left } = importOf(model, { model: begun, notRepresentable: [] });
  const entities = edits.flatMap((edit) => (edit.do === 'addEntity' ? [edit.entity.name] : []));
  expect(entities).toEqual(['Role', 'Session', 'Address']);
  expect(left).toEqual([
    'Entity Account exists already and stays as it is. What was found also has email, first_name, last_name, password_hash, is_active, date_added, role_id.',
  ]);
  const pointers = edits.flatMap((edit) => ('attribute' in edit ? (edit.attribute.foreignEntity ?? []) : []));
  expect(pointers).toEqual(['own', 'own']);
  expect(importOf(noModel, { model: begun, notRepresentable: [] }).edits).toHaveLength(
    structureOf(begun).tables.reduce((sum, { columns }) => sum + 1 + columns.length, 0),
  );
});

it('adopts what a database has, has otherwise, or has not, and keeps ids and option sets', () => {
  const model: Model = {
    entities: [
      {
        id: 'order',
        name: 'Order',
        table: 'purchase',
        isUuid: false,
        attributes: [
          { id: 'state', name: 'State', type: 'Int', optional: false, optionSet: 'states' },
          { id: 'note', name: 'Note', type: 'String', optional: true },
          { id: 'gone', name: 'Gone', type: 'String', optional: true },
        ],
      },
      { id: 'old', name: 'Old', isUuid: false, attributes: [] },
      { id: 'key', name: 'Key', isUuid: false, attributes: [] },
    ],
    optionSets: [{ id: 'states', name: 'States', values: [] }],
  };
  const real: Model = {
    entities: [
      {
        id: 'order',
        name: 'Order',
        table: 'purchase',
        isUuid: false,
        attributes: [
          { id: 'state', name: 'State', type: 'Int', optional: true },
          { id: 'note', name: 'Note', type: 'String', optional: true },
          { id: 'tag', name: 'Tag', type: 'ForeignKey', optional: true, foreignEntity: 'tag' },
        ],
      },
      { id: 'tag', name: 'Tag', isUuid: true, attributes: [] },
      { id: 'key', name: 'Key', isUuid: true, attributes: [] },
    ],
    optionSets: [],
  };
  const { edits, left } = adoptionOf(model, structureOf(real), newId, model);
  expect(left).toEqual([]);
  const said = edits.map((edit) => {
    if (edit.do === 'addEntity' || edit.do === 'editEntity')
      return [edit.do, edit.entity.name, edit.entity.isUuid];
    if ('attribute' in edit) return [edit.do, edit.attribute.name];
    return [edit.do, edit.id, edit.name];
  });
  expect(said).toEqual([
    ['addEntity', 'Tag', true],
    ['editAttribute', 'State'],
    ['addAttribute', 'Tag'],
    ['removeAttribute', 'gone', 'Gone'],
    ['editEntity', 'Key', true],
    ['removeEntity', 'old', 'Old'],
  ]);
  const state = edits.find((edit) => edit.do === 'editAttribute');
  expect(state?.attribute).toEqual({ id: 'state', name: 'State', optional: true });
});

it('adopts only the fields that drifted, and leaves those with pending edits and says so', () => {
  const attribute = (id: string, more: Partial<Attribute> = {}): Attribute => ({
    id,
    name: id,
    type: 'Int',
    optional: false,
    ...more,
  });
  const order = (...attributes: Attribute[]): Model => ({
    entities: [{ id: 'order', name: 'Order', table: 'purchase', isUuid: false, attributes }],
    optionSets: [],
  });
  const version = order(...['weight', 'size', 'price', 'gone', 'note', 'cut'].map((id) => attribute(id)));
  const now = order(
    attribute('weight', { name: 'Mass' }),
    attribute('size', { type: 'String' }),
    attribute('price', { optional: true }),
    attribute('gone', { name: 'Lost' }),
    attribute('cut'),
    attribute('mine', { name: 'by_hand' }),
  );
  const real = order(
    attribute('weight', { type: 'Long' }),
    attribute('size', { type: 'Long', optional: true }),
    attribute('price', { optional: true }),
    attribute('note', { optional: true }),
    attribute('by_hand'),
  );
  const { edits, left } = adoptionOf(version, structureOf(real), newId, now);
  expect(edits).toEqual([
    { do: 'editAttribute', attribute: { id: 'weight', name: 'Mass', type: 'Long' } },
    { do: 'editAttribute', attribute: { id: 'size', name: 'size', optional: true } },
    { do: 'removeAttribute', id: 'cut', name: 'cut' },
  ]);
  expect(left).toEqual([
    'Order.size has edits that are in no version yet, and stays as it is.',
    'Order.note was removed from the model, and is not added again.',
    'Order.by_hand exists already and stays as it is.',
    'Order.gone has edits that are in no version yet, and stays as it is, although its column is missing.',
  ]);
  expect(adoptionOf(version, structureOf(noModel), newId, now)).toEqual({
    edits: [],
    left: [
      'Entity Order has edits that are in no version yet, and stays as it is, although its table is missing.',
    ],
  });
  expect(adoptionOf(version, structureOf(real), newId, noModel)).toEqual({
    edits: [],
    left: ['Entity Order was removed from the model, and is not added again.'],
  });
});

it('keeps the column of an attribute whose type it adopts', () => {
  const pointer: Attribute = {
    id: 'p',
    name: 'Parent',
    type: 'ForeignKey',
    optional: true,
    foreignEntity: 'a',
  };
  const model: Model = {
    entities: [{ id: 'a', name: 'Area', isUuid: false, attributes: [pointer] }],
    optionSets: [],
  };
  const real: Model = {
    entities: [
      {
        id: 'a',
        name: 'Area',
        isUuid: false,
        attributes: [{ id: 'p', name: 'Parent', column: 'parent_id', type: 'Long', optional: true }],
      },
    ],
    optionSets: [],
  };
  expect(adoptionOf(model, structureOf(real), newId, model).edits).toEqual([
    { do: 'editAttribute', attribute: { id: 'p', name: 'Parent', type: 'Long', column: 'parent_id' } },
  ]);
});

it('adopts a key that was changed by hand so that the next version drops nothing', () => {
  const keyed = (isUuid: boolean): Model => ({
    entities: [
      { id: 'a', name: 'Area', isUuid, attributes: [] },
      {
        id: 'h',
        name: 'House',
        isUuid: false,
        attributes: [{ id: 'p', name: 'In', type: 'ForeignKey', optional: true, foreignEntity: 'a' }],
      },
    ],
    optionSets: [],
  });
  const [was, is] = [keyed(false), keyed(true)];
  const actual = named(structureOf(is));
  expect(adoptionOf(was, actual, newId, was)).toEqual({
    edits: [{ do: 'editEntity', entity: { id: 'a', name: 'Area', isUuid: true } }],
    left: [],
  });
  const { from, to } = repairOf(structureOf(is), actual, [structureOf(was)]);
  expect(plan(from, to)).toEqual([]);
});

it('adopts a column that was renamed by hand as a rename, so that other databases keep its values', () => {
  const text = (id: string, name: string, more: Partial<Attribute> = {}): Attribute => ({
    id,
    name,
    type: 'String',
    optional: true,
    ...more,
  });
  const of = (...attributes: Attribute[]): Model => ({
    entities: [{ id: 'a', name: 'Aaa', isUuid: false, attributes }],
    optionSets: [],
  });
  const version = of(text('n', 'Name'), text('o', 'Other', { type: 'Int' }));
  const actual = structureOf(of(text('n', 'title'), text('o', 'Other', { type: 'Int' })));
  const real = { tables: actual.tables.map((table) => ({ ...table, id: table.name })) };
  const renames = renamesBetween(structureOf(version), real);
  expect(renames).toEqual([{ table: 'aaa', from: 'name', to: 'title' }]);
  expect(adoptionOf(version, real, newId, version, renames).edits).toEqual([
    { do: 'editAttribute', attribute: { id: 'n', name: 'Name', renamed: 'Title', column: '' } },
  ]);
  // Without that answer, it is another column.
  expect(adoptionOf(version, real, newId, version).edits.map((edit) => edit.do)).toEqual([
    'addAttribute',
    'removeAttribute',
  ]);
  // Somebody has renamed the attribute meanwhile.
  const now = of(text('n', 'Label'), text('o', 'Other', { type: 'Int' }));
  expect(adoptionOf(version, real, newId, now, renames)).toEqual({
    edits: [],
    left: ['Aaa.Label has edits that are in no version yet, and stays as it is.'],
  });
  // Two of one kind for one: nothing tells which it is.
  const two = structureOf(of(text('t', 'title'), text('u', 'nick'), text('o', 'Other', { type: 'Int' })));
  expect(renamesBetween(structureOf(version), two)).toEqual([]);
});

it('says of a table that the model has which columns it has gained and lost since', () => {
  const attribute = (name: string): Attribute => ({ id: name, name, type: 'String', optional: true });
  const order = { id: 'o', name: 'Order', table: 'orders', isUuid: false };
  const model: Model = { ...noModel, entities: [{ ...order, attributes: ['Kept', 'Gone'].map(attribute) }] };
  const found = (names: readonly string[]) =>
    importOf(model, {
      model: { ...noModel, entities: [{ ...order, id: 'f', attributes: names.map(attribute) }] },
      notRepresentable: [],
    }).left;
  expect(found(['KEPT', 'Gone'])).toEqual(['Entity Order exists already and stays as it is.']);
  expect(found(['Kept', 'New one', 'Other'])).toEqual([
    'Entity Order exists already and stays as it is. What was found also has new_one, other, and lacks gone.',
  ]);
});
