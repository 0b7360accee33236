/** `await confirmAction({...})`: a question that names the thing and what happens. The strongest ask to type its name. */
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { overlayPart } from './part';

export interface ConfirmOptions {
  title: string;
  body: ReactNode;
  /** The verb: "Delete server". */
  confirmLabel: string;
  danger?: boolean;
  /** Where "Cancel" could be taken for the deed itself. */
  dismissLabel?: string;
  /** What has to be typed, letter for letter. */
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

/** As `confirmAction`, and what was typed. */
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
  // What was asked of one person is not for the next who signs in here.
  useEffect(() => () => open?.settle({ confirmed: false, typed: '' }), []);
  // The dialog is loaded with the first question, and stays to fade away after the last.
  wasAsked ||= question !== undefined;
  return wasAsked ? <ConfirmDialog question={question} /> : null;
}

let wasAsked = false;
