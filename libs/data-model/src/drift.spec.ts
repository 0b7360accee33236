import { driftOf, hindering, repairOf } from './drift';
import type { Attribute, Model } from './model';
import { plan } from './plan';
import { structureOf, type Structure } from './structure';

const author = (attributes: Attribute[], name = 'Author'): Structure => {
  const model: Model = { entities: [{ id: 'a', name, isUuid: false, attributes }], optionSets: [] };
  return structureOf(model);
};
const text = (id: string, name: string): Attribute => ({ id, name, type: 'String', optional: true });

/** As it is read back: with names for ids. */
const found = (structure: Structure, extras: string[] = []): Structure => ({
  tables: structure.tables.map((table) => ({
    ...{ ...table, id: table.name, extras },
    columns: table.columns.map((column) => ({ ...column, id: column.name })),
  })),
});
const stepsOf = (recorded: Structure, to: Structure, actual: Structure) => {
  const repair = repairOf(to, actual, recorded);
  return plan(repair.from, repair.to).map((step) => Object.values(step).join(' '));
};

const was = author([text('m', 'Mail')]);
const will = author([text('m', 'Email')], 'Writer');

it('keeps the values of what a version renames, whatever else was changed by hand', () => {
  const byHand = found(author([text('m', 'Mail'), text('x', 'By hand')]), ['unique index one (mail)']);
  expect(stepsOf(was, will, byHand)).toEqual([
    'renameTable author writer',
    'renameColumn writer mail email',
    'dropColumn writer by_hand',
  ]);
});

it('goes on with a rename that an apply before did not come to', () => {
  expect(stepsOf(was, will, found(author([text('m', 'Mail')], 'Writer')))).toEqual([
    'renameColumn writer mail email',
  ]);
  expect(stepsOf(was, will, found(will))).toEqual([]);
});

it('is hindered by all drift but what no model can say', () => {
  const extra = driftOf(was, found(was, ['unique index one (mail)']));
  expect(extra).toHaveLength(1);
  expect(hindering(extra)).toEqual([]);
  expect(hindering(driftOf(was, found(author([]))))).toHaveLength(1);
});
