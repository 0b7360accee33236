/**
 * Parts of the console are loaded when they are first shown. If a part fails to load, it is retried as soon as the
 * connection is back, and otherwise at growing intervals. After a new release its file no longer exists, so only a
 * reload of the page helps.
 */
import { Backoff } from '@quarterdeck/events';
import { useSyncExternalStore } from 'react';

/** Why a part has not loaded. */
export type Lateness = 'no-connection' | 'released' | 'failing';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

let lateness: Lateness | undefined;
const listeners = new Set<() => void>();
/** One retry function for each part that waits for its next attempt. */
const waiting = new Set<() => void>();

const setLateness = (to: Lateness | undefined): void => {
  lateness = to;
  listeners.forEach((tell) => tell());
};

export const useLateness = (): Lateness | undefined =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => lateness,
  );

/** Called when the connection is back, or when somebody presses "Try again now". */
export const retryParts = (): void => waiting.forEach((retry) => retry());

/** Browsers word this error differently. Any other error was thrown by the part itself and would be thrown again. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script/i.test(error.message);

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Compares the entry script of the page that the server sends now with the running one. */
export const judgeRelease = async (): Promise<Lateness> => {
  try {
    const answer = await fetch(new URL('/', window.location.origin), { cache: 'no-store' });
    if (!answer.ok) return 'failing';
    const newest = ENTRY.exec(await answer.text())?.[1];
    const running = document.querySelector('script[type="module"][src]')?.getAttribute('src');
    return newest !== undefined && newest !== running ? 'released' : 'failing';
  } catch {
    return 'no-connection';
  }
};

const nextAttempt = (pauseMs: number): Promise<void> =>
  new Promise((resolve) => {
    const retry = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
      waiting.delete(retry);
      resolve();
    };
    const timer = setTimeout(retry, pauseMs);
    window.addEventListener('online', retry);
    waiting.add(retry);
  });

/** Never fails because of the network: it retries until the part has loaded. */
export const untilLoaded = async <T>(load: () => Promise<T>): Promise<T> => {
  for (const backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS); ;) {
    try {
      const loaded = await load();
      if (waiting.size === 0) setLateness(undefined);
      return loaded;
    } catch (error) {
      if (!isMissingPart(error)) throw error;
      const attempt = nextAttempt(backoff.next());
      setLateness(await judgeRelease());
      await attempt;
    }
  }
};
