/** What this tab remembers while its browser is at the provider. Nothing of it is a secret of the session. */
export interface OnTheWay {
  instance: string;
  /** `connect`: signed in already, to show that another account is one's own, too. */
  intent: 'in' | 'up' | 'connect';
  /** The page that was asked for before. */
  returnTo?: string | undefined;
  /** Code of an invitation's link, which is accepted on the way. */
  invitation?: string | undefined;
}

const KEY = 'quarterdeck.sign-in';

const isOnTheWay = (value: unknown): value is OnTheWay =>
  typeof value === 'object' && value !== null && 'instance' in value && typeof value.instance === 'string';

export const rememberWay = (way: OnTheWay): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(way));
  } catch {
    // Where nothing may be kept, one comes home instead of to the page that was asked for.
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
