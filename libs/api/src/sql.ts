/** What statements are made of. Names come only from the model, values only from parameters. */
import { quoted, type Dialect } from '@quarterdeck/data-model';
import type { ApiAttribute, ApiEntity, ApiModel } from './api-model';
import type { Count } from './filters';
import type { From, Value } from './values';

export type Like = 'contains' | 'startsWith' | 'endsWith';

/** Values that an earlier statement of the same block gave. */
export type Earlier = 'keys' | 'newKey';

/** SQL in pieces. All but texts get their placeholders when a request comes. */
export type Piece =
  | string
  /** `lower`: in lower case. `isWritten`: it may be empty, and its length matters. */
  | { value: Value; of: ApiAttribute; like?: Like; isWritten?: true }
  /** One parameter in PostgreSQL, several between commas in MySQL. */
  | { list: From | readonly Value[]; of: ApiAttribute; lower: boolean; each: (place: string) => string }
  | { count: Count; least: number; most: number }
  | { tenant: ApiAttribute }
  | { earlier: Earlier; of: ApiAttribute }
  /** Once for each item of a list, between commas. */
  | { each: From; sql: Sql }
  | Guarded;
/**
 * A condition that depends on the request: `true` without an optional value, `false` for an empty one. In a write, an
 * empty value is refused, because it could be within a `not`.
 */
export interface Guarded {
  guarded: Sql;
  by: Value | From | readonly Value[];
  isList: boolean;
  /** Within update and delete: an empty value, list or text to search is refused. */
  isStrict: boolean;
  /** Looks for a part of a text. The empty text is a part of every text. */
  isSearch: boolean;
  /** For an empty list: `notIn` of nothing holds. */
  ofNothing: string;
}
export type Sql = readonly Piece[];

/** Places of the tables within a statement, and the engine that reads it. */
export interface Writing {
  readonly model: ApiModel;
  readonly dialect: Dialect;
  /** A new alias. No attribute begins with an underscore, so none is in the way. */
  readonly alias: () => string;
}

export const writingFor = (model: ApiModel): Writing => {
  let last = 0;
  return { model, dialect: model.dialect, alias: () => `_${(last += 1)}` };
};

export const column = (
  { dialect }: Pick<Writing, 'dialect'>,
  table: string,
  attribute: ApiAttribute,
): string => `${table}.${quoted(attribute.column, dialect)}`;

/** A table under an alias. Whoever names a table adds `ofTenant` for it. */
export const tableAs = ({ dialect }: Writing, entity: ApiEntity, alias: string): string =>
  `${quoted(entity.table, dialect)} ${alias}`;

/** Rows of other tenants do not exist, in any table that a statement touches. The only place that says so. */
export const ofTenant = (writing: Writing, entity: ApiEntity, table: string): Sql =>
  entity.tenant === undefined
    ? []
    : [
        ` and ${column(writing, table, entity.tenant)} = `,
        ...asParameter(writing.dialect, entity.tenant, { tenant: entity.tenant }),
      ];

/**
 * A parameter that is compared with a column. MySQL would compare numbers with texts as floating point numbers, which
 * lose digits.
 */
export const asParameter = (dialect: Dialect, attribute: ApiAttribute, piece: Piece): Sql => {
  const [before, after] = parameterWords(dialect, attribute);
  return [before, piece, after];
};

export const parameterWords = (dialect: Dialect, { type, native }: ApiAttribute): [string, string] => {
  if (dialect === 'postgresql') return ['', ''];
  switch (type) {
    case 'Int':
    case 'Long':
      return ['cast(', /unsigned/i.test(native ?? '') ? ' as unsigned)' : ' as signed)'];
    case 'BigDecimal':
      return ['cast(', ' as decimal(38,10))'];
    case 'LocalDate':
      return ['cast(', ' as date)'];
    case 'LocalDateTime':
      return ['cast(', ' as datetime(6))'];
    case 'LocalTime':
      return ['cast(', ' as time(6))'];
    default:
      return ['', ''];
  }
};

export const joined = (parts: readonly Sql[], by: string): Piece[] =>
  parts.flatMap((part, at) => (at === 0 ? [...part] : [by, ...part]));

/** Joins neighbouring texts, because a request walks over all pieces. */
export const packed = (sql: Sql): Sql => {
  const pieces: Piece[] = [];
  for (const piece of sql) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else if (piece !== '')
      pieces.push(
        typeof piece === 'object' && 'guarded' in piece
          ? { ...piece, guarded: packed(piece.guarded) }
          : piece,
      );
  }
  return pieces;
};

/** The empty ones come last, and first with `desc`: PostgreSQL's way. The key is added, so pages never overlap. */
export const ordered = (
  writing: Writing,
  entity: ApiEntity,
  table: string,
  order: readonly { by: string; desc?: boolean | undefined }[],
): string => {
  const named = order.flatMap(({ by, desc = false }) => {
    const attribute = entity.attributes.get(by);
    return attribute ? [{ attribute, desc }] : [];
  });
  const keys = entity.key
    .filter((key) => !named.some(({ attribute }) => attribute === key))
    .map((attribute) => ({ attribute, desc: false }));
  const by = [...named, ...keys].map(({ attribute, desc }) => {
    const col = column(writing, table, attribute);
    const word = desc ? ' desc' : '';
    return writing.dialect === 'mysql' && attribute.optional
      ? `${col} is null${word}, ${col}${word}`
      : `${col}${word}`;
  });
  return by.length === 0 ? '' : ` order by ${by.join(', ')}`;
};
