/** Notices bottom right, on a narrow screen at the top: at most three, the rest counted. Errors are always shown on the page as well. */
import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useAsOf } from '../core/as-of/as-of-state';
import { DisabledInPast } from '../core/as-of/in-past';
import { useShortcut } from '../core/shortcuts';
import styles from './toast.module.css';
import { Note } from './Note';

/** A button in the notice, such as Undo. */
export interface Offer {
  label: string;
  onClick: () => void;
}

interface Notice {
  id: string;
  kind: 'success' | 'info' | 'failure' | 'banner';
  title?: string | undefined;
  message: ReactNode;
  offer?: Offer | undefined;
  onDismiss?: (() => void) | undefined;
}

const LIMIT = 3;
const STAYS_MS = { success: 5_000, info: 5_000, failure: 10_000, banner: undefined } as const;
/** Longer, since a person must read the offer, decide, and reach its button, perhaps by keyboard. */
const OFFER_STAYS_MS = 20_000;

let notices: readonly Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Notice[]): void => {
  notices = next;
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const remove = (id: string): void => set(notices.filter((notice) => notice.id !== id));

const add = (kind: Notice['kind'], message: ReactNode, title?: string, offer?: Offer): void => {
  count += 1;
  set([...notices, { id: `notice-${count}`, kind, message, title, offer }]);
};

export const toast = {
  success: (message: ReactNode, offer?: Offer): void => add('success', message, 'Success!', offer),
  info: (message: ReactNode, title?: string): void => add('info', message, title),
  failure: (message: ReactNode, title = 'Failed'): void => add('failure', message, title),
};

/** Called when another person signs in. */
export const clearNotices = (): void => set([]);

/** A yellow notice that stays until dismissed. Showing the same id again replaces it. */
export const banner = {
  show: (id: string, message: ReactNode, onDismiss?: () => void): void => {
    const notice: Notice = { id, kind: 'banner', message, onDismiss };
    set(
      notices.some((other) => other.id === id)
        ? notices.map((other) => (other.id === id ? notice : other))
        : [...notices, notice],
    );
  },
  hide: remove,
};

export function ToastHost() {
  const all = useSyncExternalStore(subscribe, () => notices);
  const waiting = all.length - LIMIT;
  return (
    <section className={styles.host} aria-label="Messages">
      {waiting > 0 && (
        <Note fz={12} ta="right" role="status">
          {waiting} more
        </Note>
      )}
      {all.slice(0, LIMIT).map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function NoticeBox({ notice }: { notice: Notice }) {
  const { id, kind, title, message, offer, onDismiss } = notice;
  const [held, setHeld] = useState(false);
  const accept =
    offer &&
    ((): void => {
      remove(id);
      // The notice takes the focused button with it. A dialog that opens now restores the focus to `main`.
      document.getElementById('main')?.focus({ preventScroll: true });
      offer.onClick();
    });
  const inPast = useAsOf() !== undefined;
  useShortcut('u', inPast ? undefined : accept);
  useEffect(() => {
    const stays = offer ? OFFER_STAYS_MS : STAYS_MS[kind];
    if (stays === undefined || held) return;
    const timer = setTimeout(() => remove(id), stays);
    return () => clearTimeout(timer);
  }, [id, kind, offer, held]);
  return (
    <div
      className={styles.notice}
      data-kind={kind}
      role={kind === 'failure' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.words}>
        {title && <strong>{title}</strong>}
        <div>{message}</div>
        {offer && (
          <DisabledInPast>
            <Button variant="default" mt={6} aria-keyshortcuts="u" onClick={accept}>
              {offer.label}
            </Button>
          </DisabledInPast>
        )}
      </div>
      <CloseButton
        size="sm"
        aria-label="Close"
        onClick={() => {
          remove(id);
          onDismiss?.();
        }}
      />
    </div>
  );
}
