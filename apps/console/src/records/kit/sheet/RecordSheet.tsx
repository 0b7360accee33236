/** All records of a noun in a table that is edited in place, filled from a spreadsheet, and continued at its end. */
import { ActionIcon } from '@mantine/core';
import type { PlainNoun } from '@quarterdeck/events';
import { IconArrowBackUp, IconDeviceFloppy } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Link, Navigate } from 'react-router';
import { useAsOf } from '../../../core/as-of/as-of-state';
import { Action } from '../../../ui/Action';
import { count } from '../../../ui/count';
import { DataView } from '../../../ui/DataView';
import { FieldInput } from '../../../ui/form/FieldInput';
import type { InputField } from '../../../ui/form/fields';
import { useLeaveGuard } from '../../../ui/form/use-leave-guard';
import { askedFor, parseDraft, valueAt } from '../../../ui/form/values';
import { sameValue } from '../../../ui/same-value';
import { Note } from '../../../ui/Note';
import { PageHeader } from '../../../ui/PageHeader';
import { PlainTable } from '../../../ui/PlainTable';
import styles from '../record.module.css';
import type { Parents, Values, View } from '../record-fields';
import { wordsOf } from '../use-record';
import { useOrderedQuery } from '../use-ordered';
import { cellsOf } from './pasted';
import { isChanged, isWrong, type Cells, type Listed, type ShownRow } from './rows';
import { useSheet } from './use-sheet';

/** Each row is a line of inputs. */
const MAX_ROWS = 300;

interface RecordSheetProps {
  noun: PlainNoun;
  /** Path of the list. */
  base: string;
  parents?: Parents | undefined;
  derived?: Derived | undefined;
}

/** What a field that is left empty becomes, from the others. */
export type Derived = Readonly<Record<string, (values: Values) => string | undefined>>;

export const RecordSheet = (props: RecordSheetProps) => {
  const { noun, base, parents } = props;
  const query = useOrderedQuery(noun, parents);
  const past = useAsOf();
  const { many, Many } = wordsOf(noun);
  if (past !== undefined) return <Navigate to={base} replace />;
  return (
    <DataView query={query} what={Many}>
      {(rows) =>
        rows.length > MAX_ROWS ? (
          <>
            <PageHeader title={Many} />
            <Note>
              A table takes up to {MAX_ROWS} rows, and there are {count(rows.length, 'row')}.{' '}
              <Link to={base}>Edit the {many} in the list</Link>
            </Note>
          </>
        ) : (
          <Sheet
            {...props}
            listed={{ views: rows as unknown as readonly View[], readAt: query.fulfilledTimeStamp ?? 0 }}
          />
        )
      }
    </DataView>
  );
};

const Sheet = ({ noun, base, parents, derived, listed }: RecordSheetProps & { listed: Listed }) => {
  const sheet = useSheet(noun, parents, listed);
  const { cells, rows, changed, wrong, problem, isSaving, save } = sheet;
  useLeaveGuard(changed.length > 0);
  const body = useRef<HTMLTableSectionElement>(null);
  const isNew = useRef(listed.views.length === 0);
  useEffect(() => {
    if (isNew.current) inputIn(body.current)?.focus();
  }, []);
  // After each attempt to save all rows. An effect, since the rows take input again by then.
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) wrongIn(body.current)?.focus();
  }, [attempts]);
  const saveAll = async (): Promise<void> => {
    await Promise.all(changed.map(save));
    setAttempts((before) => before + 1);
  };
  const { Many } = wordsOf(noun);
  return (
    <>
      <PageHeader
        title={Many}
        count={listed.views.length}
        description={
          <>
            Enter saves a row and goes to the next. Rows of a spreadsheet can be pasted into any cell, in the
            order {cells.map(({ label }) => label).join(', ')}, or below these names.{' '}
            <Link to={base}>Back to the list</Link>
          </>
        }
        actions={
          <>
            {wrong > 0 && (
              <Note role="alert" c="error">
                {count(wrong, 'row')} {wrong === 1 ? 'has' : 'have'} errors
              </Note>
            )}
            <Action icon={IconDeviceFloppy} disabled={changed.length === 0} loading={isSaving} does={saveAll}>
              {changed.length > 1 ? `Save ${count(changed.length, 'row')}` : 'Save row'}
            </Action>
          </>
        }
      />
      {problem !== undefined && (
        <Note role="alert" c="error" mb={8}>
          {problem}
        </Note>
      )}
      <div className={styles.sheet}>
        <PlainTable label={Many}>
          <thead>
            <tr>
              {cells.map(({ name, label }) => (
                <th key={name}>{label}</th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, at) => (
              <Line key={row.key} row={row} place={at + 1} cells={cells} derived={derived} sheet={sheet} />
            ))}
          </tbody>
        </PlainTable>
      </div>
    </>
  );
};

interface LineProps {
  row: ShownRow;
  place: number;
  cells: Cells;
  derived: Derived | undefined;
  sheet: Pick<ReturnType<typeof useSheet>, 'type' | 'drop' | 'save' | 'paste'>;
}

/** Typing in one of many lines draws that one alone. */
const isSameLine = (a: LineProps, b: LineProps): boolean =>
  a.place === b.place &&
  a.cells === b.cells &&
  a.derived === b.derived &&
  a.row.typed === b.row.typed &&
  a.row.view === b.row.view &&
  sameValue(a.row.draft, b.row.draft);

const Line = memo(({ row, place, cells, derived, sheet }: LineProps) => {
  const { draft, typed } = row;
  const asked = new Set(askedFor(cells, draft));
  const isFixed = typed !== undefined && typed.is !== 'typed';
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    const { target, currentTarget } = event;
    const isInput = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    // In an open list, Enter chooses.
    if (event.key !== 'Enter' || !isInput || target.ariaExpanded === 'true') return;
    event.preventDefault();
    if (isChanged(row)) void sheet.save(row);
    inputIn(currentTarget.nextElementSibling)?.focus();
  };
  const pasteInto = (field: InputField) => (event: ClipboardEvent) => {
    const lines = cellsOf(event.clipboardData.getData('text/plain'));
    if (!lines) return;
    event.preventDefault();
    void sheet.paste(row, field, lines);
  };
  const placeholderOf = ({ name, placeholder }: InputField): string | undefined =>
    derived?.[name]?.(parseDraft(cells, draft)) ?? placeholder;
  const whole = typed?.messages[''];
  return (
    <tr
      onKeyDown={onKeyDown}
      data-changed={isChanged(row) || undefined}
      data-wrong={isWrong(row) || undefined}
      inert={isFixed}
    >
      {cells.map((field) => (
        <td key={field.name} onPaste={pasteInto(field)}>
          {asked.has(field) && (
            <FieldInput
              field={withPlaceholder(field, placeholderOf(field))}
              accessibleName={`${field.label}, row ${place}`}
              name={`${row.key}.${field.name}`}
              value={(valueAt(draft, field.name) as string | boolean | undefined) ?? ''}
              message={typed?.unread[field.name] ?? typed?.messages[field.name]}
              onChange={(value) => sheet.type(row, { values: { [field.name]: value } })}
            />
          )}
        </td>
      ))}
      <td>
        {isChanged(row) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Discard row ${place}`}
            title={row.view ? 'Discard these changes' : 'Discard this row'}
            onClick={() => sheet.drop(row)}
          >
            <IconArrowBackUp size={16} aria-hidden />
          </ActionIcon>
        )}
        {whole !== undefined && (
          <Note role="alert" c="error" fz={12}>
            {whole}
          </Note>
        )}
      </td>
    </tr>
  );
}, isSameLine);

const withPlaceholder = (field: InputField, placeholder: string | undefined): InputField =>
  placeholder === undefined ? field : { ...field, placeholder };

/** The first cell with a message, or the first one of a row that was refused as a whole. */
const wrongIn = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>('[data-wrong] [aria-invalid="true"]') ??
  body?.querySelector<HTMLElement>('[data-wrong] :is(input, select)');

/** The first input that is empty: some have a value that was proposed. */
const inputIn = (within: Element | null) => {
  const inputs = within?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select');
  return [...(inputs ?? [])].find(({ value }) => value === '') ?? inputs?.[0];
};
