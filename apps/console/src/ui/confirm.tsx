/** `await confirmAction({...})`: a dialog that names the row and the effect. It can require typing the row's name. */
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { overlayPart } from './part';

export interface ConfirmOptions {
  title: string;
  body: ReactNode;
  /** The action: "Delete server". */
  confirmLabel: string;
  danger?: boolean;
  /** It cannot be done now: the body says why, and the dialog only closes. */
  held?: boolean;
  /** Enter confirms. For what is typed, asked about often and kept in the history. Default: Enter cancels. */
  eager?: boolean;
  /** Replaces "Cancel" where that could be mistaken for the action itself. */
  dismissLabel?: string;
  /** Name that must be typed. */
  typeToConfirm?: string;
}

export interface Question extends ConfirmOptions {
  id: number;
  settle: (answer: { confirmed: boolean; typed: string }) => void;
}

let open: Question | undefined;
let count = 0;
const listeners = new Set<() => void>();

const ask = (question: Question | undefined): void => {
  open = question;
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Like `confirmAction`, but also returns the typed text. */
export const confirmTyped = (options: ConfirmOptions): Promise<{ confirmed: boolean; typed: string }> =>
  new Promise((resolve) => {
    open?.settle({ confirmed: false, typed: '' });
    count += 1;
    ask({
      ...options,
      id: count,
      settle: (answer) => {
        ask(undefined);
        resolve(answer);
      },
    });
  });

export const confirmAction = async (options: ConfirmOptions): Promise<boolean> =>
  (await confirmTyped(options)).confirmed;

const ConfirmDialog = overlayPart(() => import('./ConfirmDialog'));

export function ConfirmHost() {
  const question = useSyncExternalStore(subscribe, () => open);
  // A question must not survive for the next person who signs in.
  useEffect(() => () => open?.settle({ confirmed: false, typed: '' }), []);
  // The dialog loads with the first question and stays mounted, so that it can fade out.
  wasAsked ||= question !== undefined;
  return wasAsked ? <ConfirmDialog question={question} /> : null;
}

let wasAsked = false;
