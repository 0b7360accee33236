/** The certificates of a server's domains, looked at one after another; the failure of one never stops the others. */
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../core/http';
import { useCheckExpiryMutation, type Expiry } from '../site.endpoints';

/** Of the specification: fewer days left than this are told as urgent on the server's page. */
export const URGENT_DAYS = 5;

export type Checked = { serverName: string } & ({ expiry: Expiry } | { failed: string });

/** Idle (1), running (2), result (3). */
export interface ExpiryCheck {
  state: 'idle' | 'running' | 'result';
  checked: readonly Checked[];
  run: (names: readonly string[]) => Promise<void>;
}

export const useExpiryCheck = (): ExpiryCheck => {
  const [check] = useCheckExpiryMutation();
  const [state, setState] = useState<ExpiryCheck['state']>('idle');
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const running = useRef(false);
  const there = useRef(false);
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);

  const run = async (names: readonly string[]): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setState('running');
    setChecked([]);
    for (const serverName of names) {
      const { data, error } = await check(serverName);
      // Nobody looks at what would come of the others.
      if (!there.current) return;
      const found: Checked =
        data === undefined ? { serverName, failed: toApiError(error).msg } : { serverName, expiry: data };
      setChecked((before) => [...before, found]);
    }
    running.current = false;
    setState('result');
  };

  return { state, checked, run };
};

/** Of one look: whether something has to be done soon. */
export const isUrgent = (found: Checked): boolean =>
  'expiry' in found &&
  (!found.expiry.valid ||
    found.expiry.daysRemaining === undefined ||
    found.expiry.daysRemaining < URGENT_DAYS);
