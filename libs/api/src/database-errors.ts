/** What an error of a database means to the caller of an API. It never repeats SQL, names of tables, or values. */
import type { Dialect } from '@quarterdeck/data-model';
import type { ApiEntity, ApiModel } from './api-model';

/** `fields`: what is wrong with attributes, by their names. `retryAfter`: seconds. */
interface DatabaseRefusal {
  readonly status: 400 | 409 | 422 | 503;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retryAfter?: number;
}

/** An error of `pg` or `mysql2`. */
interface Failure {
  code?: string;
  errno?: number;
  message: string;
  table?: string;
  column?: string;
  constraint?: string;
  detail?: string;
}

/** Another request changed the same rows. The same work may succeed at once. */
export const isConflictOfTransactions = (error: unknown): boolean => {
  const { code } = (error ?? {}) as Failure;
  return ['40001', '40P01', 'ER_LOCK_DEADLOCK'].includes(code ?? '');
};

const busy = (message: string, retryAfter = 1): DatabaseRefusal => ({ status: 503, message, retryAfter });
const wrongField = (field: string, message: string): DatabaseRefusal => ({
  status: 400,
  message,
  fields: { [field]: message },
});

const OUTDATED = ['42P01', '42703', 'ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR'];
const LATE = [
  '57014',
  '55P03',
  '25P03',
  'ER_QUERY_TIMEOUT',
  'ER_STATEMENT_TIMEOUT',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_QUERY_INTERRUPTED',
  'ETIMEDOUT',
];
const FULL = [
  '53100',
  '53200',
  '53300',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
];
const FORBIDDEN = [
  '42501',
  '25006',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
];
/** A value that the type of the column does not take. */
const UNFIT =
  /^22|^WARN_DATA_TRUNCATED$|^ER_(DATA_TOO_LONG|WARN_DATA_OUT_OF_RANGE|TRUNCATED|WRONG_VALUE|DATA_OUT_OF_RANGE|INVALID_JSON|TOO_BIG_PRECISION)/;

/** @returns undefined if it is a fault of ours, or the connection was lost */
export const databaseRefusalOf = (error: unknown, model: ApiModel): DatabaseRefusal | undefined => {
  if (!(error instanceof Error)) return undefined;
  const failure = error as Failure;
  const names = namesOf(model);
  const { code = '', errno } = failure;
  if (isConflictOfTransactions(error))
    return busy('other requests changed the same rows at the same time: try again');
  if (code === '23505' || code.startsWith('ER_DUP_ENTRY')) return ofUnique(failure, names);
  if (
    ['23503', '23001'].includes(code) ||
    code.startsWith('ER_NO_REFERENCED_ROW') ||
    code.startsWith('ER_ROW_IS_REFERENCED')
  )
    return ofForeignKey(failure, names);
  if (code === '23502' || code === 'ER_BAD_NULL_ERROR' || code === 'ER_NO_DEFAULT_FOR_FIELD') {
    const attribute = attributeOf(failure, names);
    return wrongField(attribute ?? 'data', `${attribute ?? 'a field'} is required, and cannot be empty`);
  }
  if (code === '23514' || code === '23P01' || /CHECK_CONSTRAINT|CONSTRAINT_FAILED/.test(code))
    return { status: 409, message: 'a rule of the database refuses these values' };
  if (UNFIT.test(code)) {
    const attribute = attributeOf(failure, names);
    const where =
      attribute === undefined ? 'a value does not fit its field' : `${attribute}: this value does not fit`;
    return wrongField(attribute ?? 'data', `${where}: it is too long, too large, or of another type`);
  }
  if (LATE.includes(code) || errno === 1969)
    return busy('the database took too long for this: ask for less, or try again', 5);
  if (code === 'ANSWER_TOO_LARGE')
    return { status: 422, message: 'the answer would be too large: ask for fewer rows or fields' };
  if (OUTDATED.includes(code))
    return busy('the database does not have the structure that this API describes: apply its data model', 60);
  if (FORBIDDEN.includes(code))
    return busy(
      'the database does not allow this to the user of the API: its rights have to be extended',
      60,
    );
  if (FULL.includes(code) || code.startsWith('53'))
    return busy('the database of this API is full or too busy', 10);
  return undefined;
};

const attributeOf = ({ table, column, message }: Failure, names: Names): string | undefined => {
  const found = column ?? /(?:[Cc]olumn|[Ff]ield) '([^']+)'/.exec(message)?.[1];
  return found === undefined ? undefined : names.attribute(table ?? '', found);
};

/** PostgreSQL names the columns, MySQL only the index, which is often called like its column. */
const ofUnique = ({ table = '', detail = '', message }: Failure, names: Names): DatabaseRefusal => {
  const [, columns] = /^Key \((.+?)\)=/s.exec(detail) ?? [];
  const index = /for key '(?:[^'.]+\.)?([^']+)'$/.exec(message)?.[1];
  const attributes = (columns?.split(', ') ?? []).flatMap(
    (column) => names.attribute(table, column.replaceAll('"', '')) ?? [],
  );
  if (index !== undefined)
    attributes.push(...[index === 'PRIMARY' ? 'id' : names.indexed(index)].flatMap((one) => one ?? []));
  if (attributes.length === 0)
    return { status: 409, message: 'a row with such a value exists already, and the value has to be unique' };
  const field = attributes.join(' and ');
  const says = `a row with this ${field} exists already: give another one`;
  return { status: 409, message: says, fields: Object.fromEntries(attributes.map((one) => [one, says])) };
};

const ofForeignKey = (
  { code = '', table = '', detail = '', message }: Failure,
  names: Names,
): DatabaseRefusal => {
  // MySQL: (`shop`.`order`, CONSTRAINT `x` FOREIGN KEY (`customer`) REFERENCES `customer` (`id`) …)
  const mysql = /\(`[^`]+`\.`([^`]+)`, .*FOREIGN KEY \(`([^`]+)`\) REFERENCES `([^`]+)`/s.exec(message);
  const isUsed = code.startsWith('ER_ROW_IS_REFERENCED') || /is still referenced/.test(detail);
  if (isUsed) {
    const by = names.entity(mysql?.[1] ?? /from table "([^"]+)"/.exec(detail)?.[1] ?? '');
    return {
      status: 409,
      message: `${by === undefined ? 'other rows' : `rows of ${by}`} refer to this one: change or delete them first`,
    };
  }
  const column = mysql?.[2] ?? /^Key \("?(.+?)"?\)=/s.exec(detail)?.[1] ?? '';
  const attribute = names.attribute(mysql?.[1] ?? table, column);
  const target = names.entity(mysql?.[3] ?? /in table "([^"]+)"/.exec(detail)?.[1] ?? '');
  const says = `there is no ${target ?? 'row'} with this id`;
  return attribute === undefined
    ? { status: 409, message: says }
    : { status: 409, message: `${attribute}: ${says}`, fields: { [attribute]: says } };
};

/** Names of the data model, by those of the database. */
interface Names {
  /** Undefined: it is no table of the model. */
  entity(table: string): string | undefined;
  attribute(table: string, column: string): string | undefined;
  /** The attribute that an index is about. */
  indexed(index: string): string | undefined;
}

const namesOf = ({ entities }: ApiModel): Names => {
  const all = [...entities.values()];
  const named = (table: string): ApiEntity | undefined => all.find((one) => one.table === table);
  return {
    entity: (table) => named(table)?.name,
    attribute: (table, column) => {
      const within = table === '' ? all : [named(table)].filter((one) => one !== undefined);
      for (const { attributes } of within)
        for (const one of attributes.values()) if (one.column === column) return one.name;
      return undefined;
    },
    // As operators call indexes: `customer_email` is about the email of customers.
    indexed: (index) => {
      for (const { table, attributes } of all)
        for (const { column, name } of attributes.values())
          if (index === column || index.endsWith(`${table}_${column}`)) return name;
      return undefined;
    },
  };
};

/** What a session has to say first, so that both engines read and write the same. */
export const sessionOf = (dialect: Dialect): string[] =>
  dialect === 'mysql'
    ? [
        "set session sql_mode = 'STRICT_ALL_TABLES'",
        "set session time_zone = '+00:00'",
        'set session transaction isolation level read committed',
        // A server may have another default: then a statement without a transaction would never be committed.
        'set session autocommit = 1',
      ]
    : [
        "set time zone 'UTC'",
        "set datestyle = 'ISO'",
        "set default_transaction_isolation = 'read committed'",
      ];
