import * as fc from 'fast-check';
import { columnFrom, identifierProblem, tableFrom } from './identifiers';
import { columnOf, tableOf } from './model';

it.each([
  ['User', 'user_'],
  ['Order line', 'order_line'],
  ['orderLine', 'order_line'],
  ['HTTPRequest', 'http_request'],
  ['Größe (cm)', 'groesse_cm'],
  ['Élève', 'eleve'],
  ['2FA token', 'n2_fa_token'],
  ['Quarterdeck journal', 'the_quarterdeck_journal'],
  ['日本', ''],
])('derives the table of %s: %s', (name, table) => {
  expect(tableFrom(name)).toBe(table);
});

it('derives the column of a foreign key from what it points to', () => {
  expect(columnFrom('Role', true)).toBe('role_id');
  expect(columnFrom('roleId', true)).toBe('role_id');
  expect(columnFrom('Id', false)).toBe('the_id');
});

it('derives a table or a column only if the operator gave none', () => {
  expect(tableOf({ name: 'User', table: 'accounts' })).toBe('accounts');
  expect(tableOf({ name: 'Account', table: '' })).toBe('account');
  expect(columnOf({ name: 'Owner', column: '', type: 'ForeignKey' })).toBe('owner_id');
});

it.each([
  ['', 'no name for the table follows from this name: give the table a name'],
  ['order line', 'only the letters A to Z, digits and underscores are accepted'],
  ['größe', 'only the letters A to Z, digits and underscores are accepted'],
  ['a; drop table b', 'only the letters A to Z, digits and underscores are accepted'],
  ['2fa', 'the first character has to be a letter or an underscore'],
  ['User', 'User is a reserved word of SQL: choose another name, such as User_'],
  ['quarterdeck_journal', 'names that begin with quarterdeck_ belong to the console'],
])('refuses the table %j: %s', (table, message) => {
  expect(identifierProblem(table, 'table')).toBe(message);
});

it('refuses a name that an engine would cut or refuse, and a second column id', () => {
  expect(identifierProblem('a'.repeat(63), 'table')).toBeUndefined();
  expect(identifierProblem('a'.repeat(64), 'table')).toMatch(/^at most 63 characters/);
  expect(identifierProblem('ID', 'column')).toBe('every table already has a column id, its key');
  expect(identifierProblem('xMin', 'column')).toMatch(/^every table of PostgreSQL already has a column xmin/);
  expect([columnFrom('Xmin', false), identifierProblem('xmin', 'table')]).toEqual(['the_xmin', undefined]);
});

it('accepts every name that it derives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.boolean(), (name, isForeignKey) => {
      const table = tableFrom(name);
      const column = columnFrom(name, isForeignKey);
      if (table !== '') expect(identifierProblem(table, 'table')).toBeUndefined();
      if (column !== '') expect(identifierProblem(column, 'column')).toBeUndefined();
    }),
  );
});
