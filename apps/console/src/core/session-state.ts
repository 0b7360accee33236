/** The signed-in session, in the store and in localStorage: set together, cleared together. */
import type { FactorLack } from '@quarterdeck/events';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface Profile {
  id: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  /** `product` is set if the workspace holds the users of that product instead of operators. */
  instance: { uuid: string; name: string; product?: { id: string } };
  permissions: string[];
  locale: string;
}

export interface SessionValue {
  profile: Profile;
  permissions: string[];
  locale: string;
  instance: { uuid: string; name: string };
  version?: string;
  /** Until the second factor is given or set up, the server answers nothing else. */
  lacks?: FactorLack;
  /** When somebody else removed the person's second factors. */
  secondFactorResetAt?: string;
}

export interface SessionState {
  value?: SessionValue;
  /** Why the last session ended; shown on the sign-in page. */
  endedBecause?: string;
}

const KEY = 'quarterdeck.session';

const isSession = (value: unknown): value is SessionValue =>
  typeof value === 'object' &&
  value !== null &&
  'profile' in value &&
  'permissions' in value &&
  'instance' in value;

/** Identifies a person within a workspace. */
export const whoOf = ({ profile, instance }: SessionValue): string => `${instance.uuid} ${profile.id}`;

export const recallSession = (): SessionState => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isSession(kept) ? { value: kept } : {};
  } catch {
    return {};
  }
};

/** Private windows may refuse storage. The session is then only in the store. */
export const keepSession = ({ value }: SessionState): void => {
  try {
    if (value) localStorage.setItem(KEY, JSON.stringify(value));
    else localStorage.removeItem(KEY);
  } catch {
    return;
  }
};

const slice = createSlice({
  name: 'session',
  initialState: recallSession,
  reducers: {
    sessionStarted: (_state, { payload }: PayloadAction<SessionValue>): SessionState => ({ value: payload }),
    sessionLacks: (state, { payload }: PayloadAction<FactorLack>): SessionState =>
      state.value ? { value: { ...state.value, lacks: payload } } : state,
    /** The payload is the reason, unless the operator signed out. */
    sessionEnded: (state, { payload }: PayloadAction<string | undefined>): SessionState => {
      if (payload === undefined) return {};
      // Pending calls also fail once the session has ended, and must not replace the first reason.
      return state.value ? { endedBecause: payload } : state;
    },
  },
});

export const { sessionStarted, sessionLacks, sessionEnded } = slice.actions;
export const sessionReducer = slice.reducer;
export const sessionKey = KEY;
