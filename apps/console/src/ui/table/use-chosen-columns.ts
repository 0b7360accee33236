/** The columns that a person chose to see. The browser remembers the choice for each table. */
import { useState } from 'react';
import type { Column } from './columns';

const KEY = 'quarterdeck.columns';

/** Visibility by column id, only where it differs from the default. */
type Choice = Readonly<Record<string, boolean>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const recall = (): Record<string, unknown> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return isRecord(kept) ? kept : {};
  } catch {
    return {};
  }
};

const remember = (table: string, choice: Choice): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), [table]: choice }));
  } catch {
    // Without storage, the choice lasts until the person leaves the page.
  }
};

const choiceFor = (table: string | undefined): Choice => {
  const kept = table === undefined ? undefined : recall()[table];
  return isRecord(kept)
    ? Object.fromEntries(Object.entries(kept).map(([id, chosen]) => [id, chosen === true]))
    : {};
};

export interface ChosenColumns<Row> {
  shown: readonly Column<Row>[];
  choose: (shown: readonly string[]) => void;
  /** Restores the default; `undefined` if nothing differs from it. */
  reset: (() => void) | undefined;
}

/** @param table the name under which the choice is stored; without it, all columns are shown */
export const useChosenColumns = <Row>(
  table: string | undefined,
  columns: readonly Column<Row>[],
): ChosenColumns<Row> => {
  const [choice, setChoice] = useState(() => choiceFor(table));
  const change = (next: Choice): void => {
    setChoice(next);
    if (table !== undefined) remember(table, next);
  };
  const atFirst = (column: Column<Row>): boolean => table === undefined || column.onDemand !== true;
  return {
    // The first column names the row, so it is always shown.
    shown: columns.filter((column, at) => at === 0 || (choice[column.id] ?? atFirst(column))),
    choose: (shown) =>
      change(
        Object.fromEntries(
          columns
            .map((column) => [column, shown.includes(column.id)] as const)
            .filter(([column, is]) => is !== atFirst(column))
            .map(([column, is]) => [column.id, is]),
        ),
      ),
    reset: Object.keys(choice).length === 0 ? undefined : () => change({}),
  };
};
