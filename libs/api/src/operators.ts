/** Operators on one attribute. An empty field makes every condition true or false, as people expect. */
import type { ApiAttribute } from './api-model';
import { asParameter, parameterWords, type Like, type Piece, type Sql, type Writing } from './sql';
import { isFrom, type From, type Value } from './values';

const COMPARED: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

export interface Condition {
  readonly attribute: ApiAttribute;
  /** The column, with its table. */
  readonly col: string;
  readonly operator: string;
  readonly given: unknown;
  readonly isExact: boolean;
  /** Whether the statement changes rows. */
  readonly isStrict: boolean;
}

export const conditionSql = (writing: Writing, condition: Condition): Sql => {
  const { operator, given, isStrict } = condition;
  const { col } = condition;
  if (operator === 'isNull') return [`${col} is ${given === true ? '' : 'not '}null`];
  if (given === null) return [`${col} is ${operator === 'eq' ? '' : 'not '}null`];
  const isList = operator === 'in' || operator === 'notIn';
  const guarded = isList ? listSql(writing, condition) : valueSql(writing, condition);
  const values = [given].flat();
  if (!isList && !values.some(isFrom)) return guarded;
  return [
    {
      guarded,
      by: given as Value | From | readonly Value[],
      isList,
      isStrict,
      isSearch: ['contains', 'startsWith', 'endsWith'].includes(operator),
      ofNothing: operator === 'notIn' ? 'true' : 'false',
    },
  ];
};

const valueSql = (writing: Writing, { attribute, col, operator, given, isExact }: Condition): Sql => {
  const { dialect } = writing;
  const isText = attribute.type === 'String';
  const value: Piece = { value: given as Value, of: attribute };
  const bytes = (text: string) => `binary convert(${text} using utf8mb4)`;
  const subject = attribute.asText ? `${col}::text` : col;
  switch (operator) {
    case 'eq':
      if (!isText) return [`${col} = `, ...asParameter(dialect, attribute, value)];
      if (dialect === 'postgresql')
        return isExact ? [`${subject} = `, value] : [`lower(${subject}) = lower(`, value, ')'];
      return isExact
        ? // The first condition uses an index, the second one compares exactly.
          [`(${col} = `, value, ` and ${bytes(col)} = binary `, value, ')']
        : [`${bytes(`lower(${col})`)} = binary lower(`, value, ')'];
    case 'neq':
      if (dialect === 'postgresql')
        return isExact || !isText
          ? [`${subject} is distinct from `, value]
          : [`lower(${subject}) is distinct from lower(`, value, ')'];
      if (!isText) return [`not (${col} <=> `, ...asParameter(dialect, attribute, value), ')'];
      return isExact
        ? [`not (${bytes(col)} <=> binary `, value, ')']
        : [`not (${bytes(`lower(${col})`)} <=> binary lower(`, value, '))'];
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      const like: Piece = { value: given as Value, of: attribute, like: operator satisfies Like };
      if (dialect === 'postgresql') return [`${subject} ${isExact ? 'like' : 'ilike'} `, like, ` escape '!'`];
      const text = `convert(${col} using utf8mb4)`;
      return isExact
        ? [`${text} collate utf8mb4_bin like `, like, ` escape '!'`]
        : [`lower(${text}) collate utf8mb4_bin like lower(`, like, `) escape '!'`];
    }
    default:
      return [`${subject} ${COMPARED[operator]} `, ...asParameter(dialect, attribute, value)];
  }
};

const listSql = (writing: Writing, { attribute, col, operator, given, isExact }: Condition): Sql => {
  const { dialect } = writing;
  const isText = attribute.type === 'String';
  const lower = isText && !isExact;
  const [before, after] = parameterWords(dialect, attribute);
  const list = (each: (place: string) => string = (place) => before + place + after): Piece => ({
    list: given as From | readonly Value[],
    of: attribute,
    lower,
    each,
  });
  const plain = attribute.asText ? `${col}::text` : col;
  const subject = lower ? `lower(${plain})` : plain;
  if (dialect === 'postgresql')
    return operator === 'in'
      ? [`${subject} = any(`, list(), ')']
      : [`(${col} is null or ${subject} <> all(`, list(), '))'];
  if (!isText)
    return operator === 'in'
      ? [`${col} in (`, list(), ')']
      : [`(${col} is null or ${col} not in (`, list(), '))'];
  const bytes = `binary convert(${subject} using utf8mb4)`;
  const exact: Sql = [`${bytes} in (`, list((place) => `binary ${place}`), ')'];
  if (operator === 'notIn') return [`(${col} is null or not `, ...exact, ')'];
  return lower ? exact : [`(${col} in (`, list(), ') and ', ...exact, ')'];
};
