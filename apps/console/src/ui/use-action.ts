/**
 * What a button does that changes something: it asks, sends, and then gives notice, opens a page, or keeps the refusal
 * for the page to show.
 */
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { toApiError, type ApiError } from '../core/http';
import { confirmTyped, type ConfirmOptions } from './confirm';
import { toast, type Offer } from './toast';

/** A refused action. */
export interface Failed {
  /** What was not done: "web-1 could not be deleted". */
  what: string;
  error: ApiError;
}

interface Action<A> {
  /** The question to confirm first. One that has to be fetched is a function, and a failure of it is a refusal. */
  ask?: ConfirmOptions | (() => Promise<ConfirmOptions>);
  /** Throws what `.unwrap()` throws. Receives the text that the question had typed. */
  send: (typed: string) => Promise<A>;
  /** Title of the refusal. */
  failed: string;
  /** The notice of success, or what follows. */
  done?: string | ((answer: A) => unknown);
  /** A button in the notice. */
  offer?: Offer;
  /** The page to open then. */
  to?: string;
  /** Id of the row that it is about: `busyWith` has it until the answer is there. */
  row?: string;
}

/** @returns whether it was confirmed, sent and accepted */
export type Act = <A>(action: Action<A>) => Promise<boolean>;

const sure = { confirmed: true, typed: '' };

/** Actions of one page share it: the page shows the last refusal, and a new attempt clears it. */
export const useAction = () => {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [busyWith, setBusyWith] = useState<readonly string[]>([]);
  const [failure, refuse] = useState<Failed>();
  const act: Act = useCallback(
    async ({ ask, send, failed, done, offer, to, row }) => {
      try {
        const question = typeof ask === 'function' ? await ask() : ask;
        const { confirmed, typed } = question ? await confirmTyped(question) : sure;
        if (!confirmed) return false;
        refuse(undefined);
        setBusy(true);
        if (row !== undefined) setBusyWith((rows) => [...rows, row]);
        const answer = await send(typed);
        if (typeof done === 'string') toast.success(done, offer);
        else done?.(answer);
      } catch (thrown) {
        refuse({ what: failed, error: toApiError(thrown) });
        return false;
      } finally {
        setBusy(false);
        setBusyWith((rows) => rows.filter((one) => one !== row));
      }
      if (to !== undefined) await navigate(to);
      return true;
    },
    [navigate],
  );
  const dismiss = useCallback(() => refuse(undefined), []);
  return { act, busy, busyWith, failure, refuse, dismiss };
};
