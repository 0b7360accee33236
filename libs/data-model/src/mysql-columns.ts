/** What MySQL and MariaDB say about names and columns, beyond what both dialects say. Pure. */
import type { ColumnType } from './structure';

/** Parts of a column's definition that `modify column` drops unless it repeats them. */
export interface Keeps {
  /** Follows the type: character set and collation, if they are not those of the table. */
  readonly charset?: string;
  /** Follows `null` or `not null`: default, ON UPDATE, visibility, comment, check. */
  readonly rest?: string;
}

export interface DefinitionRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly data_type: string;
  /** Quoted by the server: `quote(…)`. */
  readonly literal: string | null;
  readonly expression: string | null;
  readonly extra: string;
  /** Quoted by the server; null if there is none. */
  readonly comment: string | null;
  readonly charset: string | null;
  readonly collation: string;
  /** MariaDB writes defaults as SQL, MySQL writes them as values. */
  readonly maria: boolean | number | string;
}

export const mysqlQuestions = {
  // 1 and 2: the server compares the names of tables without case.
  names: 'select @@lower_case_table_names <> 0 as caseless',
  definitions: `
    select c.table_name as table_name, c.column_name as column_name, c.data_type as data_type,
           quote(c.column_default) as literal, c.column_default as expression, c.extra as extra,
           if(c.column_comment = '', null, quote(c.column_comment)) as comment,
           if(c.collation_name = t.table_collation, null, c.character_set_name) as charset,
           c.collation_name as collation, version() like '%mariadb%' as maria
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = database() and t.table_type = 'BASE TABLE'
      and (c.column_default <> 'NULL' or c.extra <> '' or c.column_comment <> ''
        or c.collation_name <> t.table_collation)
    order by c.table_name, c.ordinal_position`,
};

/** @param check of the column itself, which only MariaDB has */
export function keepsFrom(row: DefinitionRow, check: string | undefined): Keeps | undefined {
  const fallback = defaultOf(row);
  const update = /on update \S+/i.exec(row.extra)?.[0];
  const rest = [
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    ...(update === undefined ? [] : [update]),
    ...(/\binvisible\b/i.test(row.extra) ? ['invisible'] : []),
    ...(row.comment === null ? [] : [`comment ${row.comment}`]),
    ...(check === undefined || Number(row.maria) === 0 ? [] : [`check (${check})`]),
  ].join(' ');
  const charset = row.charset === null ? '' : `character set ${row.charset} collate ${row.collation}`;
  if (rest === '' && charset === '') return undefined;
  return { ...(charset !== '' && { charset }), ...(rest !== '' && { rest }) };
}

const NOW = /^(current_timestamp|now)(\(\d*\))?$/i;
/** A quoted text, a number, or bits. */
const LITERAL = /^(?:[bx]?'(?:[^'\\]|''|\\.)*'|-?[\d.]+(?:e[-+]?\d+)?)$/is;

function defaultOf({ expression, literal, extra, data_type, maria }: DefinitionRow): string | undefined {
  if (expression === null || /auto_increment/i.test(extra) || /\bgenerated\b/i.test(withoutDefault(extra)))
    return undefined;
  const isMaria = Number(maria) !== 0;
  if (isMaria && expression === 'NULL') return undefined;
  if (NOW.test(expression)) return expression;
  if (isMaria) return LITERAL.test(expression) ? expression : `(${expression})`;
  // MySQL escapes the quotes within an expression.
  if (/default_generated/i.test(extra)) return `(${expression.replaceAll(String.raw`\'`, "'")})`;
  return /^(bit|binary|varbinary)$/i.test(data_type) && /^(b'|0x)/i.test(expression)
    ? expression
    : (literal ?? undefined);
}

const withoutDefault = (extra: string): string => extra.replace(/default_generated/i, '');

const TEXT = /^(string|(?:tiny|medium|long)?text|(?:var)?char.*|enum.*|set.*)$/i;

/** The parts of the column that fit its new type. */
export const keptBy = (keeps: Keeps, from: ColumnType, to: ColumnType): Required<Keeps> => ({
  charset: keeps.charset !== undefined && TEXT.test(from) && TEXT.test(to) ? ` ${keeps.charset}` : '',
  rest: keeps.rest === undefined ? '' : ` ${keeps.rest}`,
});
