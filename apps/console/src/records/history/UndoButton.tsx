/** Only opens the preview of the undo; changes nothing itself. */
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { isUndoable } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/past/in-past';
import { askUndo } from './undoing';

export const UndoButton = ({ event }: { event: HistoryView }) =>
  isUndoable(event.type) && (
    <DisabledInPast>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={() => askUndo(event)}
      >
        Undo…
      </Button>
    </DisabledInPast>
  );
