/** Converts the fields of a plain noun for tables and facts. Pure. */
import { labelOf, shownOf, type PlainNoun } from '@quarterdeck/events';
import { plainColumns, shownValue, type PlainRecord } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import type { Column } from '../../ui/DataTable';

export type View = PlainRecord & Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, unknown>>;

/** The ids of the parent records by category: `{ product: id, entity: id }`. */
export type Parents = Readonly<Record<string, string>>;

/** Custom rendering of fields, in the table and in the facts. */
export type Cells = Readonly<Record<string, (view: View) => ReactNode>>;

/** The part of a call's input that names the parent. */
export const inParent = ({ within }: Pick<PlainNoun, 'within'>, parents: Parents | undefined): object =>
  within === undefined ? {} : { [within]: { id: parents?.[within] } };

/** @param at where the record opens, below its detail page */
export const detailPath = (base: string, id: string, at: string | undefined): string =>
  [base, id, 'detail', ...(at === undefined ? [] : [at])].join('/');

/** The editable fields without secrets. */
export const valuesOf = ({ fields }: Pick<PlainNoun, 'fields'>, view: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { kind }]) => (kind === 'secret' ? [] : [[key, view[key]]])),
  );

export const nameIn = ({ named }: Pick<PlainNoun, 'named'>, view: Values): string => String(view[named]);

/** The one or two fields that a card on a narrow screen shows below the name, before the last change. */
export type OnCard = readonly [string, string?];

const PRIORITIES = [1, 2, 3] as const;

/** One column for each field, the name first. */
export const columnsOf = (noun: PlainNoun, cells: Cells = {}, onCard?: OnCard): readonly Column<View>[] => {
  const all = plainColumns(noun).filter(({ id }) => id in shownOf(noun));
  const ranked = [all[0]?.id, ...(onCard ?? [all[1]?.id])];
  return all.map((column) => {
    const cell = cells[column.id];
    const priority = PRIORITIES[ranked.indexOf(column.id)];
    return {
      ...column,
      header: labelOf(shownOf(noun), column.id),
      ...(cell && { cell: (view: View) => cell(view) ?? shownValue(noun, column.id, view) }),
      ...(priority && { priority }),
      ...(shownOf(noun)[column.id]?.kind === 'integer' && { align: 'right' as const }),
      ...(shownOf(noun)[column.id]?.onDemand && { onDemand: true as const }),
    };
  });
};
