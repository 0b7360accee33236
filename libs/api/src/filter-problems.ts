/** What is wrong with filters, and whether they fit every row. */
import type { ApiAttribute, ApiEntity, ApiModel } from './api-model';
import { compared, EXPECTED } from './checks';
import { FILTER_WORDS, OPERATORS, type Filter, type Operators } from './filters';
import { LIMITS } from './limits';
import { meant } from './nearest';
import {
  attributeAt,
  entityAt,
  relationAt,
  valueProblems,
  type Path,
  type Surroundings,
} from './surroundings';
import { isFrom, isNow, isValue, type Value } from './values';

interface Reading {
  readonly path: Path;
  /** Whether an absent optional value may drop its condition here. */
  readonly mayDrop: boolean;
  readonly level: number;
}

export const isOperators = (given: object): given is Operators =>
  Object.keys(given).length > 0 && Object.keys(given).every((word) => (OPERATORS as string[]).includes(word));

/**
 * How one condition of an attribute is meant. An entity may have an attribute that is called like an operator: of a
 * relation, only words that are all operators are operators.
 */
export const readCondition = (
  attribute: ApiAttribute,
  given: unknown,
): { value: Value } | { operators: Operators } | { filter: Filter } =>
  isValue(given)
    ? { value: given }
    : attribute.to !== undefined && !isOperators(given as object)
      ? { filter: given as Filter }
      : { operators: given as Operators };

export function filterProblems(
  around: Surroundings,
  entity: ApiEntity,
  filter: Filter,
  reading: Reading,
): void {
  const { path, mayDrop, level } = reading;
  if (level > LIMITS.filterDepth) {
    around.report(path, `at most ${LIMITS.filterDepth} levels of filters`);
    return;
  }
  const deeper = { mayDrop, level: level + 1 };
  for (const word of ['and', 'or'] as const)
    for (const [at, one] of (filter[word] ?? []).entries())
      filterProblems(around, entity, one, { ...deeper, path: [...path, word, at] });
  if (filter.not)
    filterProblems(around, entity, filter.not, { ...deeper, mayDrop: false, path: [...path, 'not'] });
  for (const word of ['some', 'none', 'every'] as const)
    for (const [relation, one] of Object.entries(filter[word] ?? {})) {
      const here = [...path, word, relation];
      const found = relationAt(around, entity, relation, here);
      if (found && entityAt(around, found.child.name, here))
        filterProblems(around, found.child, one, {
          ...deeper,
          mayDrop: mayDrop && word === 'some',
          path: here,
        });
    }
  for (const [name, given] of conditionsIn(filter)) {
    const here = [...path, name];
    const attribute = attributeAt(around, entity, name, here);
    if (!attribute) continue;
    const read = readCondition(attribute, given);
    if ('value' in read) conditionProblems(around, attribute, 'eq', read.value, { ...reading, path: here });
    else if ('filter' in read) {
      const target = entityAt(around, attribute.to ?? '', here);
      if (target) filterProblems(around, target, read.filter, { ...deeper, path: here });
    } else operatorProblems(around, attribute, read.operators, { ...reading, path: here });
  }
}

/** The conditions of attributes, without the words that combine filters. */
export const conditionsIn = (filter: Filter): [string, unknown][] =>
  Object.entries(filter).filter(
    ([key, given]) => given !== undefined && !(FILTER_WORDS as readonly string[]).includes(key),
  );

function operatorProblems(
  around: Surroundings,
  attribute: ApiAttribute,
  operators: Operators,
  reading: Reading,
): void {
  const names = Object.keys(operators);
  if (names.length === 0) around.report(reading.path, `write a value, or operators: ${OPERATORS.join(', ')}`);
  if (names.length === 1 && names[0] === 'caseSensitive')
    around.report(reading.path, 'caseSensitive says how others compare: add eq, contains, …');
  for (const [operator, value] of Object.entries(operators))
    conditionProblems(around, attribute, operator, value, { ...reading, path: [...reading.path, operator] });
}

const OF_TEXTS = ['contains', 'startsWith', 'endsWith', 'caseSensitive'];
const WITHOUT_ORDER = ['Boolean', 'Uuid'];

function conditionProblems(
  around: Surroundings,
  attribute: ApiAttribute,
  operator: string,
  given: unknown,
  { path, mayDrop }: Reading,
): void {
  const { report } = around;
  const { name, type, comparable } = attribute;
  if (!(OPERATORS as string[]).includes(operator)) {
    report(
      path,
      `${operator} is not an operator${meant(operator, OPERATORS) || `: use ${OPERATORS.join(', ')}`}`,
    );
    return;
  }
  if (operator === 'isNull' || operator === 'caseSensitive') {
    if (operator === 'caseSensitive' && type !== 'String')
      report(path, `caseSensitive needs a text, not a ${type}`);
    return;
  }
  if (!comparable && !(operator === 'eq' && given === null))
    report(
      path,
      `${name} is ${type === 'JSON' ? 'JSON' : 'of a type that nothing compares'}: only isNull can be asked`,
    );
  else if (OF_TEXTS.includes(operator) && type !== 'String')
    report(path, `${operator} needs a text, not a ${type}`);
  else if (['lt', 'lte', 'gt', 'gte'].includes(operator) && WITHOUT_ORDER.includes(type))
    report(path, `${operator} needs a number, a text or a time, not a ${type}`);
  else if (['in', 'notIn'].includes(operator) && Array.isArray(given))
    for (const [at, one] of given.entries()) literal(one, [...path, at], false);
  else literal(given, path, ['eq', 'neq'].includes(operator));
  for (const one of [given].flat())
    if (isFrom(one) && one.optional) {
      if (!mayDrop)
        report(
          path,
          `${name} cannot be optional here: an absent value would ${around.sources.includes('item') ? 'fit' : 'drop'} the condition`,
        );
      else if (Array.isArray(given)) report(path, 'a value in a list cannot be optional');
      if (one.default !== undefined) report(path, 'a value has a default or is optional, not both');
    }
  for (const [at, one] of Array.isArray(given) ? given.entries() : [[undefined, given] as const])
    valueProblems(around, one, at === undefined ? path : [...path, at]);

  function literal(one: unknown, where: Path, mayBeNull: boolean): void {
    if (isNow(one)) {
      const fits = { date: 'LocalDate', dateTime: 'LocalDateTime', time: 'LocalTime' }[one.$now];
      if (fits !== type) report(where, `$now: ${one.$now} is a ${fits}, and ${name} is a ${type}`);
      return;
    }
    const value = isFrom(one) ? one.default : one;
    if (value === undefined) return;
    if (value === null) {
      if (!mayBeNull) report(where, 'null can only be asked with eq, neq or isNull');
    } else if (compared(attribute, value) === undefined) report(where, `${name}: expected ${EXPECTED[type]}`);
  }
}

/**
 * Whether filters fit every row, however they are written: `{}`, `{ and: [{}] }`, an `or` with an empty filter, a
 * required relation without conditions, `every` alone, which also fits rows without children.
 */
export function isEmpty(model: ApiModel, entity: ApiEntity, filter: Filter): boolean {
  const within = (one: Filter): boolean => isEmpty(model, entity, one);
  if (filter.and && !filter.and.every(within)) return false;
  if (filter.or && !filter.or.some(within)) return false;
  if (filter.not || Object.keys(filter.some ?? {}).length > 0 || Object.keys(filter.none ?? {}).length > 0)
    return false;
  return conditionsIn(filter).every(([name, given]) => {
    const attribute = entity.attributes.get(name);
    if (!attribute) return false;
    const read = readCondition(attribute, given);
    if ('filter' in read) {
      const target = model.entities.get(attribute.to ?? '');
      return !attribute.optional && target !== undefined && isEmpty(model, target, read.filter);
    }
    if ('value' in read) return false;
    return Object.entries(read.operators).every(
      ([operator, value]) =>
        operator === 'caseSensitive' ||
        (!attribute.optional &&
          ((operator === 'isNull' && value === false) || (operator === 'neq' && value === null))) ||
        (operator === 'notIn' && Array.isArray(value) && value.length === 0) ||
        (!attribute.optional && ['contains', 'startsWith', 'endsWith'].includes(operator) && value === ''),
    );
  });
}
