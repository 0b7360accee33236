/** Who is signed in, in the store and in localStorage: set together, cleared together. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface Profile {
  id: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  /** `product`: its users are kept here, and it is not the workspace of operators. */
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
}

export interface SessionState {
  value?: SessionValue;
  /** Why the last one ended, for the sign-in page to say. */
  endedBecause?: string;
}

const KEY = 'quarterdeck.session';

const isSession = (value: unknown): value is SessionValue =>
  typeof value === 'object' &&
  value !== null &&
  'profile' in value &&
  'permissions' in value &&
  'instance' in value;

/** Who it is: somebody in a workspace. */
export const whoOf = ({ profile, instance }: SessionValue): string => `${instance.uuid} ${profile.id}`;

export const recallSession = (): SessionState => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isSession(kept) ? { value: kept } : {};
  } catch {
    return {};
  }
};

/** Private windows may refuse storage; the store alone then carries the session. */
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
    /** The payload is why, when the operator did not ask for it. */
    sessionEnded: (state, { payload }: PayloadAction<string | undefined>): SessionState => {
      if (payload === undefined) return {};
      // What was still under way is refused after the end, and has nothing to add to its reason.
      return state.value ? { endedBecause: payload } : state;
    },
  },
});

export const { sessionStarted, sessionEnded } = slice.actions;
export const sessionReducer = slice.reducer;
export const sessionKey = KEY;
