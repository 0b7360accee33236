import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import type { NewestHealth, SslMonitorStatus } from '@quarterdeck/projections';
import { api } from '../core/api';
import { refusalListener } from '../core/ask-session';
import { connectionReducer } from '../core/connection';
import { asOfReducer } from '../core/as-of/as-of-state';
import { healthForgotten, healthReducer, healthTold } from '../records/health';
import type { Pushed } from '../core/live';
import { answerListener, createLiveCache } from '../core/live-cache';
import { keepSession, recallSession, sessionReducer, whoOf, type SessionState } from '../core/session-state';
import { sslForgotten, sslReducer, sslTold } from '../records/ssl-monitor';

/** Identifies the person and their permissions, on which the cached answers depend. */
const eyesOf = ({ value }: SessionState): string | undefined =>
  value && [whoOf(value), ...value.permissions].join(' ');

const pushed: Pushed = {
  health: (payload) => healthTold((payload as { samples: NewestHealth[] }).samples),
  ssl: (payload) => sslTold(payload as SslMonitorStatus),
};

export const createStore = () => {
  const liveCache = createLiveCache();
  const store = configureStore({
    // Off, since private keys and tokens pass through the store and no browser extension may record them.
    devTools: false,
    reducer: {
      [api.reducerPath]: api.reducer,
      session: sessionReducer,
      connection: connectionReducer,
      health: healthReducer,
      sslMonitor: sslReducer,
      past: asOfReducer,
    },
    // Read when the store is created, not at import, so that a later store starts from the session stored by then.
    preloadedState: { session: recallSession() },
    middleware: (defaults) =>
      // The checks are off: answers are frozen plain JSON, and checking them takes longer than the action itself.
      defaults({ immutableCheck: false, serializableCheck: false }).concat(
        api.middleware,
        answerListener(liveCache),
        refusalListener,
      ),
  });
  liveCache.attach(store);
  // Tells the store when the tab is hidden, so that it stops polling.
  setupListeners(store.dispatch);
  /** Drops all answers, for when the instant, the person or their role changes. */
  const forgetAnswers = (): void => {
    liveCache.clear();
    store.dispatch(healthForgotten());
    store.dispatch(sslForgotten());
    store.dispatch(api.util.resetApiState());
  };
  let instant = store.getState().past.at;
  store.subscribe(() => {
    const { at } = store.getState().past;
    if (at === instant) return;
    instant = at;
    forgetAnswers();
  });
  let kept = store.getState().session;
  store.subscribe(() => {
    const { session } = store.getState();
    if (session === kept) return;
    const left = kept.value !== undefined && eyesOf(kept) !== eyesOf(session);
    kept = session;
    keepSession(session);
    if (!left) return;
    // Answers for one person are not kept for the next one, nor for the same person in another role.
    forgetAnswers();
  });
  return Object.assign(store, { liveCache, pushed });
};

export type AppStore = ReturnType<typeof createStore>;
