/** Shows or edits a row in the same place; the mode is in the address. */
import { SegmentedControl } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { DisabledInPast } from '../core/as-of/in-past';
import { withParams } from './params';
import { Head } from './Card';
import { Note } from './Note';

interface EditInPlaceProps {
  title: string;
  /** Identifies it in the address if a page has several. */
  name?: string;
  /** Explanation below the title. */
  note?: ReactNode;
  view: ReactNode;
  /** Replaces `view` in edit mode; `done` switches back. */
  form: (done: () => void) => ReactNode;
}

export const EditInPlace = ({ title, name = 'edit', note, view, form }: EditInPlaceProps) => {
  const [params, setParams] = useSearchParams();
  const mode = params.get('mode') === name ? 'edit' : 'view';
  const setMode = (to: string) =>
    setParams((before) => withParams(before, { mode: to === 'edit' ? name : undefined }), {
      preventScrollReset: true,
    });
  const control = useRef<HTMLDivElement>(null);
  const done = (): void => {
    // The form goes away, and the focus returns to where it was opened.
    control.current?.querySelector<HTMLInputElement>('input[value="view"]')?.focus();
    setMode('view');
  };
  return (
    <>
      <Head title={title} mb={note === undefined ? 12 : 4}>
        <DisabledInPast>
          <SegmentedControl
            ref={control}
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
      </Head>
      {note !== undefined && <Note mb={12}>{note}</Note>}
      {mode === 'edit' ? form(done) : view}
    </>
  );
};

interface Revised {
  revision: number;
}

const isRevised = (value: unknown): value is Revised =>
  typeof value === 'object' && value !== null && 'revision' in value;

/**
 * The version that an edit is based on: the row as it was when something was first typed, since later pushes are other
 * people's changes. `revision` is newer only if none of the edited fields changed (`same`), or if a conflict with
 * `current` was resolved. While the form is untouched (`touch`), and once it is again, `opened` follows the row. A form
 * that stays open after a save passes the saved version to `adopt`.
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
