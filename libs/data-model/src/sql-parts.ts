/** The SQL of what imported tables have beyond columns. */
import type { Dialect, NativeNeed, NativePart } from './model';
import { isPortable, withPlaces } from './native';
import { quoted } from './quoted';
import type { NativeStructure } from './structure';

interface PartOf {
  readonly table: string;
  readonly part: NativePart;
  readonly dialect: Dialect;
  readonly as: string;
}

/** A part as it is in a dialect: names of columns stay marked. Undefined if only its own engine can have it. */
export function partIn(
  part: NativePart,
  from: Dialect,
  dialect: Dialect,
  as: string,
): NativePart | undefined {
  if (from === dialect) return part;
  if (!isPortable(part)) return undefined;
  const { kind, columns = [] } = part;
  const places = columns.map((name) => `⟦${name}⟧`);
  // Indexes of PostgreSQL share their names in a schema, and so do foreign keys of MySQL.
  const name = part.name.startsWith(as) ? part.name : `${as}_${part.name}`.slice(0, 63);
  if (kind === 'foreignKey') {
    const rules = [...part.text.matchAll(/ON (DELETE|UPDATE) (CASCADE|SET NULL|SET DEFAULT|RESTRICT)/g)]
      // MySQL refuses anyway, and MariaDB does not print it.
      .filter(([, , what]) => dialect === 'postgresql' || what !== 'RESTRICT')
      .map(([rule]) => rule);
    return {
      ...part,
      name,
      text: (dialect === 'mysql' ? rules.toSorted() : rules.toSorted().toReversed()).join(' '),
    };
  }
  const list = dialect === 'mysql' ? `(${places.join(',')})` : `(${places.join(', ')})`;
  if (kind === 'key')
    return dialect === 'mysql'
      ? { ...part, name: 'PRIMARY', text: list }
      : { ...part, name: `${as}_pkey`.slice(0, 63), text: `PRIMARY KEY ${list}` };
  if (kind === 'index') return { ...part, name, text: dialect === 'mysql' ? list : `USING "btree" ${list}` };
  return { ...part, kind: 'unique', name, text: dialect === 'mysql' ? list : `UNIQUE ${list}` };
}

const WORDS: Partial<Record<NativePart['kind'], string>> = {
  index: 'index',
  unique: 'unique index',
  fulltext: 'fulltext index',
  spatial: 'spatial index',
};

/** @param table in quotes */
const indexText = ({ kind, name, text }: NativePart, table: string, dialect: Dialect): string =>
  `create ${kind === 'index' ? '' : 'unique '}index ${quoted(name, dialect)} on ${table} ${withPlaces(text, (id) => quoted(id, dialect))};`;

/** The period of system time has a word instead of a name. */
const periodIn = (name: string, dialect: Dialect): string =>
  `period for ${name === 'SYSTEM_TIME' ? name : quoted(name, dialect)}`;

/** The clause of a part within `create table`, or after `add`. */
function clauseOf(
  { kind, name, text, columns = [], target = '', targetColumns = [] }: NativePart,
  dialect: Dialect,
) {
  const its = withPlaces(text, (id) => quoted(id, dialect));
  const list = (names: readonly string[]) => `(${names.map((one) => quoted(one, dialect)).join(', ')})`;
  const constraint = `constraint ${quoted(name, dialect)}`;
  if (kind === 'foreignKey') {
    // The table of another schema is already in quotes.
    const where = /^[`"].*\.[`"].*[`"]$/.test(target) ? target : quoted(target, dialect);
    return `${constraint} foreign key ${list(columns)} references ${where} ${list(targetColumns)} ${its}`.trimEnd();
  }
  if (dialect === 'postgresql') return `${constraint} ${its}`;
  if (kind === 'key') return `primary key ${its}`;
  if (kind === 'check') return `${constraint} check ${its}`;
  if (kind === 'period') return `${periodIn(name, dialect)} ${its}`;
  return `${WORDS[kind] ?? 'index'} ${quoted(name, dialect)} ${its}`;
}

const leftOut = (what: string, name: string, table: string, from: Dialect): string => {
  const engine = from === 'mysql' ? 'MySQL' : 'PostgreSQL';
  const words = `${what} ${name} of ${table} is known for ${engine} alone`.replaceAll(/['\\]/g, '');
  return `select '${words}' as left_out;`;
};

/** Of a part that the engine of this dialect can have. */
const written =
  (statement: (part: NativePart, where: string, dialect: Dialect) => string) =>
  ({ table, part: original, dialect: from, as }: PartOf, dialect: Dialect): string => {
    const part = partIn(original, from, dialect, as);
    return part
      ? statement(part, quoted(table, dialect), dialect)
      : leftOut(
          original.kind,
          withPlaces(original.name, (id) => id),
          table,
          from,
        );
  };

const inQuotes = (text: string, dialect: Dialect): string => withPlaces(text, (id) => quoted(id, dialect));

/** The name of a comment is that of its column, or empty. */
const commentOn = ({ name }: NativePart, where: string, dialect: Dialect): string =>
  `comment on ${name === '' ? `table ${where}` : `column ${where}.${inQuotes(name, dialect)}`}`;

export const addPart = written((part, where, dialect) => {
  const its = inQuotes(part.text, dialect);
  switch (part.kind) {
    case 'index':
    case 'uniqueIndex':
      if (dialect === 'mysql') break;
      return indexText(part, where, dialect);
    case 'comment':
      return `${commentOn(part, where, dialect)} is ${its};`;
    case 'sequence':
      return `alter sequence ${quoted(part.name, dialect)} owned by ${where}.${its};`;
    case 'partition':
      return `create table ${quoted(part.name, dialect)} partition of ${where} ${its};`;
    case 'inherits':
      return `alter table ${where} inherit ${quoted(part.name, dialect)};`;
    default:
  }
  return `alter table ${where} add ${clauseOf(part, dialect)};`;
});

export const dropPart = written((part, where, dialect) => {
  const name = quoted(part.name, dialect);
  const mysql = dialect === 'mysql';
  switch (part.kind) {
    case 'key':
      return mysql
        ? `alter table ${where} drop primary key;`
        : `alter table ${where} drop constraint ${name};`;
    case 'foreignKey':
      return `alter table ${where} drop ${mysql ? 'foreign key' : 'constraint'} ${name};`;
    case 'check':
      return `alter table ${where} drop constraint ${name};`;
    case 'period':
      return `alter table ${where} drop ${periodIn(part.name, dialect)};`;
    case 'comment':
      return `${commentOn(part, where, dialect)} is null;`;
    case 'sequence':
      return `alter sequence ${name} owned by none;`;
    case 'partition':
      return `alter table ${where} detach partition ${name};`;
    case 'inherits':
      return `alter table ${where} no inherit ${name};`;
    case 'unique':
      return mysql
        ? `alter table ${where} drop index ${name};`
        : `alter table ${where} drop constraint ${name};`;
    default:
      return mysql ? `alter table ${where} drop index ${name};` : `drop index ${name};`;
  }
});

/** Changes nothing where the type or the sequence exists: several tables may need it. */
export function needText({ kind, name, text }: NativeNeed, from: Dialect, dialect: Dialect): string {
  if (from !== dialect) return leftOut(kind, name, 'the schema', from);
  const what = quoted(name, dialect);
  if (kind === 'sequence') return `create sequence if not exists ${what} ${text};`;
  const create = kind === 'enum' ? `create type ${what} as enum ${text}` : `create domain ${what} ${text}`;
  // A value of an enum could be the quote itself.
  let quote = '$quarterdeck$';
  while (create.includes(quote)) quote = quote.replace(/\$$/, '_$');
  return `do ${quote} begin ${create}; exception when duplicate_object then null; end ${quote};`;
}

export function createImported(
  table: string,
  columns: readonly string[],
  { dialect: from, as, options, parts }: Omit<NativeStructure, 'needs'>,
  dialect: Dialect,
): string {
  const all = parts.flatMap((part) => partIn(part, from, dialect, as) ?? []);
  // PostgreSQL makes an index apart.
  const isApart = ({ kind }: NativePart): boolean => dialect === 'postgresql' && kind === 'index';
  const clauses = all.filter((part) => !isApart(part)).map((part) => clauseOf(part, dialect));
  const later = all.filter(isApart).map((part) => indexText(part, table, dialect));
  const own = from === dialect;
  const said = own && options !== undefined ? ` ${withPlaces(options, (id) => quoted(id, dialect))}` : '';
  const end = dialect === 'mysql' && !own ? ' engine=InnoDB default charset=utf8mb4' : said;
  const unlogged = dialect === 'postgresql' && /^ UNLOGGED\b/.test(end);
  const lines = [...columns, ...clauses];
  return `create ${unlogged ? 'unlogged ' : ''}table ${table} (${lines.length === 0 ? '' : `\n  ${lines.join(',\n  ')}\n`})${unlogged ? end.replace(' UNLOGGED', '') : end};${later.map((one) => `\n${one}`).join('')}`;
}
