/** A thing's facts, seen or edited in the same place; which of the two is in the address. */
import { SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { DisabledInPast } from '../core/past/in-past';
import classes from './EditInPlace.module.css';
import { Heading } from './heading';

interface EditInPlaceProps {
  title: string;
  /** Tells it apart in the address, where several stand on a page. */
  name?: string;
  /** What it is for, between its title and the rest. */
  note?: ReactNode;
  view: ReactNode;
  /** Shown instead while it is edited; `done` leads back. */
  form: (done: () => void) => ReactNode;
}

export const EditInPlace = ({ title, name = 'edit', note, view, form }: EditInPlaceProps) => {
  const [params, setParams] = useSearchParams();
  const mode = params.get('mode') === name ? 'edit' : 'view';
  const setMode = (to: string) =>
    setParams(
      (before) => {
        const params = new URLSearchParams(before);
        if (to === 'edit') params.set('mode', name);
        else params.delete('mode');
        return params;
      },
      { preventScrollReset: true },
    );
  return (
    <>
      <div className={classes.head}>
        <Heading least={2}>{title}</Heading>
        <DisabledInPast>
          <SegmentedControl
            aria-label={name === 'edit' ? 'Mode' : `Mode of ${title}`}
            size="xs"
            value={mode}
            onChange={setMode}
            data={[
              { value: 'view', label: 'View' },
              { value: 'edit', label: 'Edit' },
            ]}
          />
        </DisabledInPast>
      </div>
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {mode === 'edit' ? form(() => setMode('view')) : view}
    </>
  );
};

interface Revised {
  revision: number;
}

const isRevised = (value: unknown): value is Revised =>
  typeof value === 'object' && value !== null && 'revision' in value;

/**
 * What an edit is made against: the thing as it was when something was first typed, since what comes by push afterwards
 * is somebody else's change. Unless only something else of it changed (`same`), or a conflict was shown and `current` was
 * decided on. While the form says that it is untouched (`touch`), and once it is so again, both follow. A form that stays
 * open takes what it saved as its next base (`adopt`).
 */
export const useEditBase = <T extends Revised>(latest: T, same: (a: T, b: T) => boolean) => {
  const [opened, open] = useState(latest);
  const [seen, see] = useState(latest);
  const [touched, touch] = useState(true);
  const [behind, setBehind] = useState(false);
  const adopt = (next: T): void => {
    open(next);
    setBehind(false);
  };
  if (!same(seen, latest)) {
    see(latest);
    if (touched) setBehind(true);
    else adopt(latest);
  } else if (behind && !touched) adopt(latest);
  const revision = (current: unknown): number =>
    (isRevised(current) ? current : same(opened, latest) ? latest : opened).revision;
  return { opened, revision, adopt, touch };
};
