/** Where what can be put back is asked about: one place for all pages, since a notice that offers it outlives its page. */
import { useEffect, useState } from 'react';
import { overlayPart } from '../../ui/part';
import { askUndo, useAskedUndo } from './undoing';

const UndoDialog = overlayPart(() => import('./UndoDialog'));

export const UndoHost = () => {
  const asked = useAskedUndo();
  // The dialog is loaded with the first question, and stays to fade away with its words after the last.
  const [last, setLast] = useState(asked);
  if (asked && asked !== last) setLast(asked);
  useEffect(() => () => askUndo(undefined), []);
  return last && <UndoDialog toUndo={last} opened={asked !== undefined} />;
};
