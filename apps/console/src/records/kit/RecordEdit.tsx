import type { ReactNode } from 'react';
import { EditInPlace } from '../../ui/EditInPlace';
import { RecordEditForm, type RecordEditFormProps } from './parts';
import { nameIn, type View } from './record-fields';
import { wordsOf } from './use-record';

/** The record's facts, edited in place. */
export const RecordEdit = ({
  noun,
  view,
  parents,
  checking,
  facts,
}: RecordEditFormProps<View> & { facts: ReactNode }) => (
  <section aria-label={nameIn(noun, view)}>
    <EditInPlace
      title={wordsOf(noun).One}
      view={facts}
      form={(done) => (
        <RecordEditForm noun={noun} view={view} parents={parents} onDone={done} checking={checking} />
      )}
    />
  </section>
);
