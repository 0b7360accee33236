/** Checks the certificates of a server's domains one after another; a failure does not stop the others. */
import type { DomainRow } from '@quarterdeck/projections';
import { useEffect, useRef, useState } from 'react';
import { toApiError, type ApiError } from '../../../core/http';
import { useCheckExpiryMutation, type Expiry } from '../site.endpoints';

/** From the specification: with fewer days left, a certificate is urgent on the server's page. */
export const URGENT_DAYS = 5;

type Named = Pick<DomainRow, 'id' | 'serverName'>;

export type Checked = Named & ({ expiry: Expiry } | { failed: string });

/** The specification's states: idle (1), running (2), result (3). */
export interface ExpiryCheck {
  state: 'idle' | 'running' | 'result';
  /** Number of domains to check. */
  asked: number;
  checked: readonly Checked[];
  /** Why the list of domains could not be fetched. */
  failure: ApiError | undefined;
  run: (find: () => Promise<readonly Named[]>) => Promise<void>;
}

export const useExpiryCheck = (): ExpiryCheck => {
  const [check] = useCheckExpiryMutation();
  const [state, setState] = useState<ExpiryCheck['state']>('idle');
  const [asked, setAsked] = useState(0);
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const [failure, setFailure] = useState<ApiError>();
  const running = useRef(false);
  const there = useRef(false);
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);

  const run = async (find: () => Promise<readonly Named[]>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setState('running');
    setAsked(0);
    setChecked([]);
    setFailure(undefined);
    const domains = await find().catch((thrown: unknown) => void setFailure(toApiError(thrown)));
    if (!domains) {
      running.current = false;
      setState('idle');
      return;
    }
    setAsked(domains.length);
    for (const { id, serverName } of domains) {
      const { data, error } = await check(serverName);
      // Nobody looks at what would come of the others.
      if (!there.current) {
        running.current = false;
        return;
      }
      const found: Checked =
        data === undefined
          ? { id, serverName, failed: toApiError(error).msg }
          : { id, serverName, expiry: data };
      setChecked((before) => [...before, found]);
    }
    running.current = false;
    setState('result');
  };

  return { state, asked, checked, failure, run };
};

/** Whether the result needs action soon. */
export const isUrgent = (found: Checked): boolean =>
  'expiry' in found &&
  (!found.expiry.valid ||
    found.expiry.daysRemaining === undefined ||
    found.expiry.daysRemaining < URGENT_DAYS);
