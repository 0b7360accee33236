import { Modal } from '@mantine/core';
import { secondFactors } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { GiveFactor } from './GiveFactor';
import { Note } from '../../ui/Note';

export default function ProofDialog({ settle }: { settle: ((given: boolean) => void) | undefined }) {
  const query = useAnswer(secondFactors.state, {}, { refetchOnMountOrArgChange: true });
  return (
    <Modal
      opened={useOpenedOnceThere(settle !== undefined)}
      onClose={() => settle?.(false)}
      title="Give your second factor"
      size="md"
      centered
      zIndex={450}
    >
      <Note m="0 0 12px">This change needs a second factor that was given in the last ten minutes.</Note>
      <DataView query={query} what="Ways to give it">
        {(state) => <GiveFactor state={state} onGiven={() => settle?.(true)} />}
      </DataView>
    </Modal>
  );
}
