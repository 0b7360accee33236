/** State that this tab keeps while the browser is at the provider. It contains no session secret. */
export interface OnTheWay {
  instance: string;
  /** `connect`: already signed in, and adding another account. */
  intent: 'in' | 'up' | 'connect';
  /** The page requested before signing in. */
  returnTo?: string | undefined;
  /** Code of an invitation link, which signing in accepts. */
  invitation?: string | undefined;
}

const KEY = 'quarterdeck.sign-in';

const isOnTheWay = (value: unknown): value is OnTheWay =>
  typeof value === 'object' && value !== null && 'instance' in value && typeof value.instance === 'string';

export const rememberWay = (way: OnTheWay): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(way));
  } catch {
    // Without storage, the person returns to the start page instead of the requested one.
  }
};

export const recallWay = (): OnTheWay | undefined => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isOnTheWay(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
};

export const forgetWay = (): void => {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
};
