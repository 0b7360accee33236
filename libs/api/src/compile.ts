/** Compiles the blocks of an endpoint to statements, once for each definition. */
import type { Dialect } from '@quarterdeck/data-model';
import type { ApiEntity, ApiModel } from './api-model';
import type { Block, ReadBlock } from './blocks';
import type { Endpoint } from './endpoint';
import { LIMITS } from './limits';
import { problemsOf } from './problems';
import { selectSql, statementsIn, type Tree } from './reads-mysql';
import { columnsSql } from './reads-postgresql';
import { ofTenant, ordered, packed, tableAs, writingFor, type Piece, type Sql, type Writing } from './sql';
import type { Problem } from './surroundings';
import { whereSql } from './where';
import { changingSql, checksOf, insertSql, newKeyOf, rereadSql, type Check } from './writes';
import type { From, Value } from './values';

/** An endpoint has problems, so there is nothing to compile. */
export class Uncompilable extends Error {
  constructor(readonly problems: readonly Problem[]) {
    const [first] = problems;
    super(`${first?.path.join('.')}: ${first?.message}`);
  }
}

/**
 * `json`: the only column of each row is the JSON of a row (PostgreSQL); of a list, of all rows. `tree`: columns that a
 * row's JSON is made of (MySQL).
 */
export type Reading = { readonly sql: Sql } & ({ readonly json: true } | { readonly tree: Tree });

export type CompiledBlock = {
  readonly name?: string | undefined;
  readonly chainBlockMap: Readonly<Record<string, Value>>;
} & (
  | {
      readonly type: 'list' | 'detail';
      readonly dialect: Dialect;
      readonly entity: string;
      readonly reading: Reading;
    }
  | {
      readonly type: 'insert';
      readonly dialect: Dialect;
      readonly entity: string;
      readonly checks: readonly Check[];
      /** MySQL: inserts, and `reading` reads the row afterwards. PostgreSQL: `reading` does both. */
      readonly sql?: Sql | undefined;
      /** MySQL: where the key of the new row comes from. `uuid`: made by the caller. */
      readonly newKey?: 'uuid' | 'insertId' | undefined;
      readonly reading: Reading;
    }
  | {
      readonly type: 'update' | 'delete' | 'insertMultiple';
      readonly dialect: Dialect;
      readonly entity: string;
      readonly checks: readonly Check[];
      readonly sql: Sql;
      readonly each?: From | undefined;
    }
  | { readonly type: 'snippet'; readonly ts: string }
);

export interface CompiledEndpoint {
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly blocks: readonly CompiledBlock[];
  /** It changes rows. A snippet may write as well. */
  readonly writes: boolean;
  /** All that it sends is one statement, which is a transaction by itself. */
  readonly isOneStatement: boolean;
}

/** @throws Uncompilable with what `problemsOf` says */
export function compile(endpoint: Endpoint, model: ApiModel): CompiledEndpoint {
  const problems = problemsOf(endpoint, model);
  if (problems.length > 0) throw new Uncompilable(problems);
  const blocks = endpoint.blocks.map((block) => compiledBlock(block, model));
  return {
    endpoint,
    status: endpoint.statusOut ?? 200,
    blocks,
    writes: endpoint.blocks.some(({ type }) => type !== 'list' && type !== 'detail'),
    isOneStatement:
      blocks.every(({ type }) => type !== 'snippet') && blocks.flatMap(statementsOf).length === 1,
  };
}

/**
 * A block that a snippet asks for, with its values written into it.
 *
 * @throws Uncompilable
 */
export function compileCall(block: Block, model: ApiModel): CompiledBlock {
  const endpoint: Endpoint = { method: 'POST', path: '/', permissions: ['app'], blocks: [block] };
  return compile(endpoint, model).blocks[0] as CompiledBlock;
}

function compiledBlock(block: Block, model: ApiModel): CompiledBlock {
  const common = {
    ...(block.name !== undefined && { name: block.name }),
    chainBlockMap: block.chainBlockMap ?? {},
  };
  if (block.type === 'snippet') return { ...common, type: 'snippet', ts: block.ts };
  const writing = writingFor(model);
  const entity = model.entities.get(block.entity) as ApiEntity;
  const of = { ...common, dialect: model.dialect, entity: entity.name };
  switch (block.type) {
    case 'list':
    case 'detail':
      return { ...of, type: block.type, reading: readingOf(writing, entity, block) };
    case 'insert':
      return {
        ...of,
        type: 'insert',
        checks: checksOf(writing, entity, block.data),
        ...(model.dialect === 'postgresql'
          ? { reading: { json: true, sql: packed(insertSql(writing, entity, block)) } }
          : {
              sql: packed(insertSql(writing, entity, block)),
              newKey: newKeyOf(entity, block.data),
              reading: rereadSql(writing, entity, block.data),
            }),
      };
    case 'insertMultiple':
      return {
        ...of,
        type: 'insertMultiple',
        checks: checksOf(writing, entity, block.data),
        each: block.each,
        sql: packed(insertSql(writing, entity, block)),
      };
    case 'update':
    case 'delete':
      return {
        ...of,
        type: block.type,
        checks: block.type === 'update' ? checksOf(writing, entity, block.data) : [],
        sql: packed(changingSql(writing, entity, block)),
      };
  }
}

function readingOf(writing: Writing, entity: ApiEntity, block: ReadBlock): Reading {
  const table = writing.alias();
  const isList = block.type === 'list';
  const filtered: Sql = [
    ' where (',
    ...whereSql(writing, entity, table, block.filters ?? {}, false),
    ')',
    ...ofTenant(writing, entity, table),
    // A detail reads two rows at most, to tell one from several.
    ...(isList ? pageOf(writing, entity, table, block) : [' limit 2']),
  ];
  if (writing.dialect === 'mysql') return selectSql(writing, entity, table, block, filtered);
  const made = writing.alias();
  return {
    json: true,
    sql: packed([
      isList
        ? `select coalesce(json_agg(${made}), '[]'::json)::text as j from (select `
        : `select row_to_json(${made})::text as j from (select `,
      ...columnsSql(writing, entity, table, block),
      ` from ${tableAs(writing, entity, table)}`,
      ...filtered,
      `) ${made}`,
    ]),
  };
}

const pageOf = (
  writing: Writing,
  entity: ApiEntity,
  table: string,
  { order = [], take = LIMITS.takeByDefault, skip = 0 }: Extract<ReadBlock, { type: 'list' }>,
): Piece[] => [
  ordered(writing, entity, table, [order].flat()),
  ' limit ',
  { count: take, least: 1, most: LIMITS.take },
  ' offset ',
  { count: skip, least: 0, most: LIMITS.skip },
];

/** Every statement of a block, for tests that walk them. */
export const statementsOf = (block: CompiledBlock): Sql[] => {
  if (block.type === 'snippet') return [];
  const all: Sql[] = 'sql' in block && block.sql ? [block.sql] : [];
  if ('checks' in block) all.push(...block.checks.map(({ sql }) => sql));
  if ('reading' in block) {
    all.push(block.reading.sql);
    if ('tree' in block.reading) all.push(...statementsIn(block.reading.tree));
  }
  return all;
};
