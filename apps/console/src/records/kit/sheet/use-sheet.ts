/** What is typed into the table of all records, and how its rows are saved: one call for each, in order. */
import type { PlainNoun } from '@quarterdeck/events';
import { fieldMessages } from '@quarterdeck/events/inputs';
import { fieldsInput } from '@quarterdeck/events/kit';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ask, useChange } from '../../../core/calls';
import { useAppDispatch } from '../../../core/hooks';
import { toApiError, type ApiError } from '../../../core/http';
import { count } from '../../../ui/count';
import type { InputField } from '../../../ui/form/fields';
import { differences, draftOf, parseDraft, unreadable, valueInWords } from '../../../ui/form/values';
import { anyCalls } from '../any-calls';
import { initialOf, nextOf, repeatedOf, useFormFields } from '../forms';
import { inParent, type Parents, type Values, type View } from '../record-fields';
import { changeOf, MAX_PASTED_ROWS, nameKey, namesIn, placed, type IdsByName, type Pasted } from './pasted';
import {
  emptySheet,
  isChanged,
  isWrong,
  shownRows,
  withoutRow,
  withRow,
  withTyped,
  type Cells,
  type Change,
  type Listed,
  type Sheet,
  type ShownRow,
} from './rows';

/** Names that are looked up one by one, because the list of their records is long. */
const MAX_SEARCHED = 50;

export const useSheet = (noun: PlainNoun, parents: Parents | undefined, listed: Listed) => {
  const { views } = listed;
  const dispatch = useAppDispatch();
  const fields = useFormFields(noun, parents);
  const cells = useMemo(
    () => fields.filter((field): field is InputField => field.type !== 'group' && field.type !== 'list'),
    [fields],
  );
  const [sheet, setSheet] = useState(emptySheet);
  const [problem, setProblem] = useState<string>();
  const [insert] = useChange(anyCalls(noun).insert);
  const [update] = useChange(anyCalls(noun).update);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  // A line that has not changed is not drawn again, and keeps the functions of an earlier look.
  const latest = useRef(listed);
  useEffect(() => {
    latest.current = listed;
  });
  const rows = shownRows(sheet, listed, cells, blankOf(noun, sheet, views, cells));

  const save = async (row: ShownRow): Promise<void> => {
    const { key, typed, view } = row;
    if (!typed) return;
    const { values, messages } = checked(noun, cells, row);
    if (!values) {
      setSheet((now) => withRow(now, key, { messages }));
      return;
    }
    setSheet((now) => withRow(now, key, { is: 'saving', messages: {} }));
    const send = async (): Promise<void> => {
      try {
        if (view) await update({ id: view.id, data: values, revision: typed.revision }).unwrap();
        else await insert({ data: values, ...inParent(noun, parents) } as { data: Values }).unwrap();
        setSheet((now) => withRow(now, key, { is: 'saved', savedAt: Date.now() }));
      } catch (thrown) {
        const refused = refusalOf(toApiError(thrown), cells, row);
        setSheet((now) => withRow(now, key, { is: 'typed', ...refused }));
      }
    };
    queue.current = queue.current.then(send);
    await queue.current;
  };

  const paste = async (from: ShownRow, field: InputField, lines: readonly (readonly string[])[]) => {
    const pasted = placed(lines, cells, cells.indexOf(field));
    setProblem(undefined);
    if (pasted.lines.length > MAX_PASTED_ROWS) {
      const given = count(pasted.lines.length, 'row');
      setProblem(`Nothing was pasted: at most ${MAX_PASTED_ROWS} rows can be, and there are ${given}.`);
      return;
    }
    const idsOf = await Promise.all(
      namesIn(pasted).map(async ([one, names]) => [one.name, await idsByName(one, names)] as const),
    );
    const ids: IdsByName = Object.fromEntries(idsOf);
    setSheet((now) => withPasted(now, from.key, pasted, ids));
  };

  /** The ids of the records with these names. */
  const idsByName = async ({ from }: InputField, names: readonly string[]) => {
    const found = new Map<string, string>();
    if (!from) return found;
    const look = async (asked: object): Promise<void> => {
      const question = dispatch(ask(from.page, { ...from.first, ...asked }));
      const { data } = await question;
      question.unsubscribe();
      for (const one of data?.rows ?? []) found.set(nameKey(from.labelOf(one)), one.id);
    };
    await look({});
    const missing = names.filter((name) => !found.has(nameKey(name)));
    await Promise.all(missing.slice(0, MAX_SEARCHED).map((search) => look({ search })));
    return found;
  };

  const withPasted = (now: Sheet, key: string, pasted: Pasted, ids: IdsByName): Sheet => {
    let after = now;
    const { current } = latest;
    const first = shownRows(now, current, cells, {}).findIndex((row) => row.key === key);
    for (const [at, line] of pasted.lines.entries()) {
      const all = shownRows(after, current, cells, blankOf(noun, after, current.views, cells));
      const row = all[first + at];
      if (row) after = withTyped(after, row, changeOf(pasted, line, ids));
    }
    return after;
  };

  return {
    cells,
    rows,
    problem,
    changed: rows.filter(isChanged),
    wrong: rows.filter(isWrong).length,
    isSaving: rows.some(({ typed }) => typed?.is === 'saving'),
    type: (row: ShownRow, change: Change) => setSheet((now) => withTyped(now, row, change)),
    drop: ({ key }: ShownRow) => setSheet((now) => withoutRow(now, key)),
    save,
    paste,
  };
};

/** The values of a row that is typed next. */
const blankOf = (noun: PlainNoun, { typed }: Sheet, views: readonly View[], cells: Cells) => {
  const drafts = typed.filter(({ of }) => of === undefined).map(({ draft }) => parseDraft(cells, draft));
  const before = [...views, ...drafts];
  return draftOf(cells, { ...initialOf(noun), ...nextOf(noun, before), ...repeatedOf(noun, before) });
};

interface Checked {
  values?: Values;
  messages: Readonly<Record<string, string>>;
}

const checked = (noun: PlainNoun, cells: Cells, { draft, typed, view }: ShownRow): Checked => {
  const schema = view ? fieldsInput(noun, 'editForm', view) : fieldsInput(noun);
  const judged = schema.safeParse(parseDraft(cells, draft));
  const messages = {
    ...(judged.success ? {} : fieldMessages(judged.error)),
    ...unreadable(cells, draft, schema),
    ...typed?.unread,
  };
  return judged.success && Object.keys(messages).length === 0
    ? { values: judged.data as Values, messages }
    : { messages };
};

/** If somebody else has changed the record, it is overwritten only when the row is saved a second time. */
const refusalOf = ({ status, msg, data = {}, current }: ApiError, cells: Cells, { draft }: ShownRow) => {
  const view = current as View | undefined;
  if (status === 409 && view?.revision !== undefined) {
    const theirs = differences(cells, draft, { ...view }).map(
      ({ field, theirs: value }) => `${field.label}: ${valueInWords(field, value)}`,
    );
    const words = theirs.length === 0 ? 'as you typed it' : theirs.join(', ');
    return {
      revision: view.revision,
      messages: { '': `It was changed meanwhile: ${words}. Save it again to replace that.` },
    };
  }
  const found = Object.entries(data).map(
    ([name, message]) => [name.replace(/^data\./, ''), message] as const,
  );
  const isPlaced = found.length > 0 && found.every(([name]) => cells.some((cell) => cell.name === name));
  const rest = found.map(([name, message]) => `${name}: ${message}`).join(', ');
  return {
    messages: isPlaced ? Object.fromEntries(found) : { '': rest === '' ? msg : `${msg}: ${rest}` },
  };
};
