/** The differences between what two models say in the words of an engine, in words for operators. */
import type { NativeColumn, NativeTable } from './model';
import { pairs } from './pairs';
import { bodyOf, nameOfPart, partWords } from './part-words';
import { identified, isSamePart } from './plan-parts';
import { textOf } from './structure';

/** As a text that is the same for the same column, whatever the order of its fields. */
export const exactly = (native: NativeColumn | undefined): string =>
  native ? JSON.stringify([native.dialect, native.as, native.type, native.rest ?? '']) : '';

export function exactWords(had: NativeColumn | undefined, has: NativeColumn | undefined): string {
  const [before, after] = [had && textOf(had), has && textOf(has)];
  if (before === undefined) return `the exact type is now ${after}`;
  if (after === undefined) return `the exact type ${before} is dropped`;
  return before === after
    ? `the exact type ${before} is now of ${has?.dialect}, for the column ${has?.as}`
    : `the exact type ${before} is now ${after}`;
}

export function* changesOfTable(was?: NativeTable, is?: NativeTable): Generator<string> {
  if (!was && !is) return;
  if (!was || !is) {
    yield is ? `the table is now described exactly, for ${is.dialect}` : 'the exact table is dropped';
    return;
  }
  let isSame = true;
  for (const words of differences(was, is)) {
    isSame = false;
    yield words;
  }
  if (isSame && namesOf(was) !== namesOf(is)) yield 'the names in the exact table have changed';
}

function* differences(was: NativeTable, is: NativeTable): Generator<string> {
  const parts = pairs(identified(was.parts), identified(is.parts));
  for (const { part } of parts.gone) yield `${nameOfPart(part)} removed`;
  for (const [{ part: one }, { part: other }] of parts.kept)
    if (!isSamePart(one, other)) yield `the ${nameOfPart(one)} ${bodyOf(one)} is now ${bodyOf(other)}`;
  for (const { part } of parts.added) yield `${partWords(part)} added`;
  if ((was.options ?? '') !== (is.options ?? ''))
    yield `the options ${was.options || 'none'} are now ${is.options || 'none'}`;
  const needs = pairs(needsOf(was), needsOf(is));
  for (const { id } of needs.gone) yield `the ${id} is no longer needed`;
  for (const [{ id, text }, other] of needs.kept)
    if (text !== other.text) yield `the ${id} ${text} is now ${other.text}`;
  for (const { id, text } of needs.added) yield `the ${id} ${text} is needed`;
}

const needsOf = ({ needs = [] }: NativeTable) =>
  needs.map(({ kind, name, text }) => ({ id: `${kind} ${name}`, name, text }));

const namesOf = ({ dialect, as, columns, key }: NativeTable): string =>
  JSON.stringify([dialect, as, columns, key]);
