/**
 * Every statement that the compiler can make carries the tenant's condition, for every table that it touches.
 *
 * covers: API-04
 */
import { compileCall, statementsOf, Uncompilable, type ApiModel, type CompiledBlock } from '@quarterdeck/api';
import { quoted, type Dialect } from '@quarterdeck/data-model';
import { dice, randomCall, randomModel } from './random';

type Sql = ReturnType<typeof statementsOf>[number];

const textOf = (sql: Sql): string =>
  sql
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('guarded' in piece) return textOf(piece.guarded);
      if ('each' in piece && 'sql' in piece) return textOf(piece.sql);
      return 'tenant' in piece ? '<tenant>' : '<value>';
    })
    .join('');

/** Tables of tenants that a statement names without the condition. */
function openTables(text: string, model: ApiModel, dialect: Dialect): { open: string[]; closed: number } {
  const open: string[] = [];
  let closed = 0;
  for (const { table, tenant } of model.entities.values()) {
    if (!tenant) continue;
    const [name, column] = [table, tenant.column].map((one) => quoted(one, dialect)) as [string, string];
    const inserted = new RegExp(String.raw`insert into ${name} \(([^)]*)\) values \((.*?)\)`).exec(text);
    if (inserted) {
      const places = (inserted[2] ?? '').split(', ');
      const place = (inserted[1] ?? '').split(', ').indexOf(column);
      if (places[place] === '<tenant>') closed += 1;
      else open.push(`insert into ${table}`);
    }
    for (const [, alias = ''] of text.matchAll(new RegExp(`${name} (_\\d+)`, 'g')))
      if (new RegExp(String.raw`and ${alias}\.${column} = (cast\()?<tenant>`).test(text)) closed += 1;
      else open.push(`${table} ${alias}`);
  }
  return { open, closed };
}

test.each<Dialect>(['postgresql', 'mysql'])('of %s', (dialect) => {
  let seen = 0;
  const types = new Set<string>();
  for (let seed = 1; seed <= 60; seed += 1) {
    const d = dice(seed);
    const { api } = randomModel(d, dialect);
    if (api.tenant === undefined) continue;
    for (let call = 0; call < 60; call += 1) {
      const { block } = randomCall(d, api);
      let compiled: CompiledBlock;
      try {
        compiled = compileCall(block, api);
      } catch (error) {
        if (error instanceof Uncompilable) continue;
        throw error;
      }
      for (const sql of statementsOf(compiled)) {
        const text = textOf(sql);
        const { open, closed } = openTables(text, api, dialect);
        expect({ open, text }).toEqual({ open: [], text });
        seen += closed;
        if (closed > 0) types.add(compiled.type);
      }
    }
  }
  expect(seen).toBeGreaterThan(1000);
  expect([...types].toSorted()).toEqual(['delete', 'detail', 'insert', 'insertMultiple', 'list', 'update']);
});
