/**
 * `await withProof(work)`: if the server demands a fresh proof, a dialog asks for the second factor, and the work is
 * done again.
 */
import { STALE_PROOF } from '@quarterdeck/events';
import { useEffect, useSyncExternalStore } from 'react';
import { isApiError, type ApiError } from '../../core/http';
import { overlayPart } from '../../ui/part';

let open: ((given: boolean) => void) | undefined;
const listeners = new Set<() => void>();

const set = (next: typeof open): void => {
  open = next;
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const askForProof = (): Promise<boolean> =>
  new Promise((resolve) => {
    open?.(false);
    set((given) => {
      set(undefined);
      resolve(given);
    });
  });

const notGiven: ApiError = { status: 403, msg: 'Nothing was changed: the second factor was not given.' };

export const withProof = async <T,>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isApiError(error) || error.code !== STALE_PROOF) throw error;
    if (!(await askForProof())) throw notGiven;
    return work();
  }
};

const ProofDialog = overlayPart(() => import('./ProofDialog'));

/** Loads the dialog when it is first needed. */
export function ProofHost() {
  const settle = useSyncExternalStore(subscribe, () => open);
  // A question must not survive for the next person who signs in.
  useEffect(() => () => open?.(false), []);
  wasAsked ||= settle !== undefined;
  return wasAsked ? <ProofDialog settle={settle} /> : null;
}

let wasAsked = false;
