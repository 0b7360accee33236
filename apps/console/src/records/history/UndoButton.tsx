/** Only opens the preview of the undo; changes nothing itself. */
import { IconArrowBackUp } from '@tabler/icons-react';
import { isUndoable } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/as-of/in-past';
import { askUndo } from './undoing';
import { Action } from '../../ui/Action';

export const UndoButton = ({ event }: { event: HistoryView }) =>
  isUndoable(event.type) && (
    <DisabledInPast>
      <Action icon={IconArrowBackUp} variant="default" does={() => askUndo(event)}>
        Undo…
      </Action>
    </DisabledInPast>
  );
