import { Modal } from '@mantine/core';
import type { HistoryView } from '@quarterdeck/projections';
import { useActorName } from '../actor';
import { DataView } from '../../ui/DataView';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { saysOf } from './event-words';
import classes from './drawers.module.css';
import { UndoForm } from './UndoForm';
import { useUndoPreviewQuery } from './undo.endpoints';
import { askUndo, useEventToUndo, type ToUndo } from './undoing';

export default function UndoDialog({ toUndo, opened }: { toUndo: ToUndo; opened: boolean }) {
  const nameOf = useActorName();
  const query = useEventToUndo(toUndo);
  const event = query.data;
  return (
    <Modal
      opened={useOpenedOnceThere(opened)}
      onClose={() => askUndo(undefined)}
      title={event ? `Undo: ${saysOf(event, nameOf)}` : 'Undo'}
      classNames={{ title: classes.asked }}
      size="lg"
      zIndex={440}
    >
      <DataView query={query} what="Event">
        {(found) => <Looked key={found.position} event={found} />}
      </DataView>
    </Modal>
  );
}

const Looked = ({ event }: { event: HistoryView }) => (
  <DataView query={useUndoPreviewQuery(event.position, { refetchOnMountOrArgChange: true })} what="Preview">
    {(preview) => <UndoForm event={event} preview={preview} />}
  </DataView>
);
