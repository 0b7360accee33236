/** Hosts the undo dialog for all pages, because a notice that offers an undo outlives its page. */
import { useEffect, useState } from 'react';
import { overlayPart } from '../../ui/part';
import { askUndo, useAskedUndo } from './undoing';

const UndoDialog = overlayPart(() => import('./UndoDialog'));

export const UndoHost = () => {
  const asked = useAskedUndo();
  // Loads the dialog when first asked, and keeps the last event so that its text stays while the dialog fades out.
  const [last, setLast] = useState(asked);
  if (asked && asked !== last) setLast(asked);
  useEffect(() => () => askUndo(undefined), []);
  return last && <UndoDialog toUndo={last} opened={asked !== undefined} />;
};
