/** Rebuild, verify, cancel and retry; a refusal of any of them is shown on the page. */
import { superadmin } from '@quarterdeck/contract';
import type { MaintenanceKind, ParkedStream } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import type { ApiError } from '../../core/http';
import { useAction } from '../../ui/use-action';
import { readModelsInWords } from './superadmin-words';

export const useMaintenance = (lookAgain: () => void) => {
  const [rebuild] = useChange(superadmin.rebuild);
  const [verify] = useChange(superadmin.verify);
  const [sendCancel] = useChange(superadmin.cancel);
  const [sendRetry] = useChange(superadmin.retry);
  const { act, failure, dismiss } = useAction();

  const start = (kind: MaintenanceKind, readModel: string) => {
    const which = readModelsInWords(readModel);
    const rebuilds = kind === 'rebuild';
    return act({
      ask: {
        title: `${rebuilds ? 'Rebuild' : 'Verify'} ${which}?`,
        body: rebuilds
          ? 'They are rebuilt from the whole log beside the current ones, which stay in use until then. This needs as much disk space again, and can be cancelled.'
          : 'They are rebuilt from the whole log in separate tables and compared row by row with the current ones. Nothing changes, and it can be cancelled.',
        confirmLabel: rebuilds ? 'Rebuild' : 'Verify',
      },
      send: () => (rebuilds ? rebuild : verify)({ readModel }).unwrap().finally(lookAgain),
      failed: `${rebuilds ? 'The rebuild' : 'The verification'} of ${which} was refused`,
    });
  };

  const cancel = (maintenance: string) =>
    act({
      send: () => sendCancel({ maintenance }).unwrap().finally(lookAgain),
      failed: 'It could not be cancelled',
    });

  const sendAgain = async ({ projection, stream }: ParkedStream): Promise<void> => {
    const answer = await sendRetry({ readModel: projection, stream }).unwrap().finally(lookAgain);
    if (!answer.ok) throw { status: 409, msg: answer.error } satisfies Pick<ApiError, 'status' | 'msg'>;
  };
  const retry = (parked: ParkedStream) =>
    act({
      send: () => sendAgain(parked),
      done: `${parked.projection} contains ${parked.stream} again.`,
      failed: `${parked.stream} could not be folded into ${parked.projection}`,
    });

  return { start, cancel, retry, failure, dismiss };
};
