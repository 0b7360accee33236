/** What a changed column keeps in MySQL and MariaDB, whose `modify column` drops all that it does not repeat. Pure. */
import { charsetOf } from './charsets';
import type { ColumnShape } from './steps';
import { definedType } from './sql';
import type { ColumnType, ExactColumn } from './structure';

const TEXT = /^(string|(?:tiny|medium|long)?text|(?:var)?char.*|enum.*|set.*)$/i;
const WHOLE = /^(int|long|(?:tiny|small|medium|big)?int\b.*)$/i;

/**
 * The new definition with what the old one has besides: character set, default, numbers of its own, generation, ON
 * UPDATE, visibility, comment and check.
 *
 * @returns undefined if there is nothing besides
 */
export function keptColumn({ type, rest = '' }: ExactColumn, from: ColumnType, to: ColumnShape) {
  const charset = TEXT.test(from) && TEXT.test(to.type) ? charsetOf(type) : '';
  // MariaDB adds that check to each column of the type JSON.
  const others = rest.replace(/ ?\bCHECK \(json_valid\(⟦[^⟧]*⟧\)\)/i, '');
  const kept = WHOLE.test(to.type) ? others : others.replace(/\bAUTO_INCREMENT\b ?/, '');
  if (charset === '' && kept === '') return undefined;
  const native: ExactColumn = {
    dialect: 'mysql',
    type: `${definedType(to, 'mysql')}${charset}`,
    rest: kept.trim(),
  };
  return { ...to, native };
}
