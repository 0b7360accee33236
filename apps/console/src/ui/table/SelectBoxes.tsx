import { Button } from '@mantine/core';
import { useState } from 'react';
import { toApiError } from '../../core/http';
import { toast } from '../toast';
import styles from '../DataTable.module.css';
import around from './around-table.module.css';
import { allToggled, chosenOf, toggled, type TableSelection } from './chosen-rows';

interface SelectBoxProps<Row> {
  selection: TableSelection<Row>;
  row: Row;
  id: string;
}

/** A native checkbox, since ten thousand rows may each have one. */
export function SelectBox<Row>({ selection, row, id }: SelectBoxProps<Row>) {
  const { chosen, onChange, nameOf } = selection;
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={chosen.has(id)}
        onChange={() => onChange(toggled(chosen, id))}
      />
    </label>
  );
}

interface SelectAllBoxProps<Row> {
  selection: TableSelection<Row>;
  foundKeys: readonly string[];
}

export function SelectAllBox<Row>({ selection, foundKeys }: SelectAllBoxProps<Row>) {
  const { chosen, onChange } = selection;
  const state = chosenOf(chosen, foundKeys);
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={`Select all ${foundKeys.length} shown`}
        checked={state === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some';
        }}
        onChange={() => onChange(allToggled(chosen, foundKeys))}
      />
    </label>
  );
}

/** Number of selected rows, including hidden ones, and the actions on them. */
export function SelectionNote<Row>({
  selection,
  foundKeys,
  found,
  narrow,
}: SelectAllBoxProps<Row> & { found: number; narrow: boolean }) {
  const { chosen, onChange, actions, allFound } = selection;
  const [fetching, setFetching] = useState(false);
  // The header's checkbox selects the page; once it is selected, a button offers all found rows.
  const others =
    allFound && found > foundKeys.length && chosenOf(chosen, foundKeys) === 'all' && chosen.size < found;
  const chooseAll = async (): Promise<void> => {
    setFetching(true);
    try {
      onChange(new Set([...chosen, ...((await allFound?.()) ?? [])]));
    } catch (error) {
      toast.failure(`They could not be selected: ${toApiError(error).msg}`);
    } finally {
      setFetching(false);
    }
  };
  const hidden = chosen.size - foundKeys.filter((id) => chosen.has(id)).length;
  return (
    <div className={around.selected}>
      {/* Cards have no header row with a checkbox for all. */}
      {narrow && chosenOf(chosen, foundKeys) !== 'all' && (
        <Button variant="subtle" color="gray" onClick={() => onChange(allToggled(chosen, foundKeys))}>
          Select all {foundKeys.length}
        </Button>
      )}
      {others && (
        <Button variant="subtle" color="gray" loading={fetching} onClick={() => void chooseAll()}>
          Select all {found}
        </Button>
      )}
      <span role="status">
        {chosen.size > 0 && `${chosen.size} selected`}
        {hidden > 0 && `, ${hidden} not shown`}
      </span>
      {chosen.size > 0 && (
        <>
          <Button variant="subtle" color="gray" onClick={() => onChange(new Set())}>
            Clear
          </Button>
          {actions}
        </>
      )}
    </div>
  );
}
