/** The rows of a table in which all records of a noun are edited at once. Pure. */
import { set } from 'react-hook-form';
import type { InputField } from '../../../ui/form/fields';
import { draftOf, type Draft, type DraftValue } from '../../../ui/form/values';
import { sameValue } from '../../../ui/same-value';
import type { View } from '../record-fields';

type Messages = Readonly<Record<string, string>>;

/** What somebody typed into a row. A row that nobody touched has none. */
export interface TypedRow {
  readonly key: string;
  /** The record; a new row has none. */
  readonly of?: string;
  /** The revision upon which it was typed. */
  readonly revision?: number | undefined;
  readonly start: Draft;
  readonly draft: Draft;
  /** By field; `''` is the row as a whole. */
  readonly messages: Messages;
  /** Of pasted cells that could not be read, by field. Such a row is not saved until they are filled in. */
  readonly unread: Messages;
  /** A row that is being saved, or was saved, cannot be changed. */
  readonly is: 'typed' | 'saving' | 'saved';
  /** In milliseconds since 1970: it is shown until the list is read again. */
  readonly savedAt?: number;
}

export interface Sheet {
  readonly typed: readonly TypedRow[];
  /** How many new rows there were: the blank row is the next one. */
  readonly made: number;
}

export const emptySheet: Sheet = { typed: [], made: 0 };

/** A row as it is shown. */
export interface ShownRow {
  readonly key: string;
  readonly view?: View;
  readonly typed?: TypedRow;
  readonly draft: Draft;
}

/** Fields of a row that are typed, chosen or ticked. */
export type Cells = readonly InputField[];

/** The records as they were read last. */
export interface Listed {
  readonly views: readonly View[];
  /** In milliseconds since 1970. */
  readonly readAt: number;
}

/** The records in their order, the new rows, and one blank row. */
export const shownRows = (
  { typed, made }: Sheet,
  { views, readAt }: Listed,
  cells: Cells,
  blank: Draft,
): readonly ShownRow[] => {
  const open = typed.filter(({ savedAt }) => savedAt === undefined || savedAt > readAt);
  const byId = new Map(open.map((row) => [row.of, row]));
  return [
    ...views.map((view): ShownRow => {
      const row = byId.get(view.id);
      return { key: view.id, view, ...(row && { typed: row }), draft: row?.draft ?? draftOf(cells, view) };
    }),
    ...open
      .filter(({ of }) => of === undefined)
      .map((row): ShownRow => ({ key: row.key, typed: row, draft: row.draft })),
    { key: `new-${made}`, draft: blank },
  ];
};

export const isChanged = ({ typed }: Pick<ShownRow, 'typed'>): boolean =>
  typed?.is === 'typed' && (!sameValue(typed.draft, typed.start) || Object.keys(typed.unread).length > 0);

/** Whether it has a message: it was refused, or a pasted cell could not be read. */
export const isWrong = ({ typed }: Pick<ShownRow, 'typed'>): boolean =>
  typed?.is === 'typed' && [typed.messages, typed.unread].some((of) => Object.keys(of).length > 0);

export interface Change {
  readonly values: Readonly<Record<string, DraftValue>>;
  readonly unread?: Messages;
}

const without = (messages: Messages, names: readonly string[]): Messages =>
  Object.fromEntries(Object.entries(messages).filter(([name]) => name !== '' && !names.includes(name)));

/** With these values in a row. The cells that are typed lose their messages. */
export const withTyped = (sheet: Sheet, row: ShownRow, { values, unread = {} }: Change): Sheet => {
  if (row.typed && row.typed.is !== 'typed') return sheet;
  const names = Object.keys(values);
  const before: TypedRow = row.typed ?? {
    key: row.key,
    ...(row.view && { of: row.view.id, revision: row.view.revision }),
    start: row.draft,
    draft: row.draft,
    messages: {},
    unread: {},
    is: 'typed',
  };
  const after: TypedRow = {
    ...before,
    draft: nested(before.draft, values),
    messages: without(before.messages, names),
    unread: { ...without(before.unread, names), ...unread },
  };
  const isBlank = row.typed === undefined && row.view === undefined;
  return {
    typed: row.typed ? replaced(sheet.typed, after) : [...withoutRow(sheet, row.key).typed, after],
    made: sheet.made + (isBlank ? 1 : 0),
  };
};

const nested = (draft: Draft, values: Change['values']): Draft => {
  const copy = structuredClone(draft);
  for (const [path, value] of Object.entries(values)) set(copy, path, value);
  return copy;
};

const replaced = (typed: readonly TypedRow[], row: TypedRow): readonly TypedRow[] =>
  typed.map((one) => (one.key === row.key ? row : one));

export const withRow = (sheet: Sheet, key: string, change: Partial<TypedRow>): Sheet => ({
  ...sheet,
  typed: sheet.typed.map((row) => (row.key === key ? { ...row, ...change } : row)),
});

export const withoutRow = (sheet: Sheet, key: string): Sheet => ({
  ...sheet,
  typed: sheet.typed.filter((row) => row.key !== key),
});
