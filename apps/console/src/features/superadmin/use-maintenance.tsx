/** Rebuild, verify, cancel and retry; a refusal of any of them is shown on the page. */
import { superadmin } from '@quarterdeck/contract';
import type { MaintenanceKind, ParkedStream } from '@quarterdeck/projections';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { confirmAction } from '../../ui/confirm';
import { toast } from '../../ui/toast';
import { readModelsInWords } from './superadmin-words';

export interface Refusal {
  what: string;
  error: ApiError;
}

export const useMaintenance = (lookAgain: () => void) => {
  const [rebuild] = useChange(superadmin.rebuild);
  const [verify] = useChange(superadmin.verify);
  const [sendCancel] = useChange(superadmin.cancel);
  const [sendRetry] = useChange(superadmin.retry);
  const [refusal, setRefusal] = useState<Refusal>();

  const send = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    setRefusal(undefined);
    try {
      await call();
    } catch (thrown) {
      setRefusal({ what, error: toApiError(thrown) });
    } finally {
      lookAgain();
    }
  };

  const start = async (kind: MaintenanceKind, readModel: string): Promise<void> => {
    const which = readModelsInWords(readModel);
    const rebuilds = kind === 'rebuild';
    const sure = await confirmAction({
      title: `${rebuilds ? 'Rebuild' : 'Verify'} ${which}?`,
      body: rebuilds
        ? 'They are rebuilt from the whole log beside the current ones, which stay in use until then. This needs as much disk space again, and can be cancelled.'
        : 'They are rebuilt from the whole log in separate tables and compared row by row with the current ones. Nothing changes, and it can be cancelled.',
      confirmLabel: rebuilds ? 'Rebuild' : 'Verify',
    });
    if (!sure) return;
    await send(`${rebuilds ? 'The rebuild' : 'The verification'} of ${which} was refused`, () =>
      (rebuilds ? rebuild : verify)({ readModel }).unwrap(),
    );
  };

  const cancel = (maintenance: string): Promise<void> =>
    send('It could not be cancelled', () => sendCancel({ maintenance }).unwrap());

  const retry = ({ projection, stream }: ParkedStream): Promise<void> =>
    send(`${stream} could not be folded into ${projection}`, async () => {
      const answer = await sendRetry({ readModel: projection, stream }).unwrap();
      if (answer.ok) toast.success(`${projection} contains ${stream} again.`);
      else throw { status: 409, msg: answer.error } satisfies Pick<ApiError, 'status' | 'msg'>;
    });

  return { start, cancel, retry, refusal, dismiss: () => setRefusal(undefined) };
};
