import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import type { NewestHealth, SslMonitorStatus } from '@quarterdeck/projections';
import { api } from '../core/api';
import { refusalListener } from '../core/ask-session';
import { connectionReducer } from '../core/connection';
import { pastReducer } from '../core/past/past-state';
import { healthForgotten, healthReducer, healthTold } from '../records/health';
import type { Pushed } from '../core/live';
import { answerListener, createLiveCache } from '../core/live-cache';
import { keepSession, recallSession, sessionReducer, whoOf, type SessionState } from '../core/session-state';
import { sslForgotten, sslReducer, sslTold } from '../records/ssl-monitor';

/** For whom the answers are: the person, and what they may see. */
const eyesOf = ({ value }: SessionState): string | undefined =>
  value && [whoOf(value), ...value.permissions].join(' ');

const pushed: Pushed = {
  health: (payload) => healthTold((payload as { samples: NewestHealth[] }).samples),
  ssl: (payload) => sslTold(payload as SslMonitorStatus),
};

export const createStore = () => {
  const liveCache = createLiveCache();
  const store = configureStore({
    // Private keys and tokens pass through here: no extension of the browser records them.
    devTools: false,
    reducer: {
      [api.reducerPath]: api.reducer,
      session: sessionReducer,
      connection: connectionReducer,
      health: healthReducer,
      sslMonitor: sslReducer,
      past: pastReducer,
    },
    // Read at creation, not at import: a store made later starts from what is kept then.
    preloadedState: { session: recallSession() },
    middleware: (defaults) =>
      // Answers are plain JSON and frozen; checking that on every action takes longer than the action.
      defaults({ immutableCheck: false, serializableCheck: false }).concat(
        api.middleware,
        answerListener(liveCache),
        refusalListener,
      ),
  });
  liveCache.attach(store);
  // Without it the store does not know that the tab is hidden, and polls all the same.
  setupListeners(store.dispatch);
  /** What was shown until now is not for what comes. */
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
    // What one person was shown is not kept for the next one, nor for the same person in another role.
    forgetAnswers();
  });
  return Object.assign(store, { liveCache, pushed });
};

export type AppStore = ReturnType<typeof createStore>;
