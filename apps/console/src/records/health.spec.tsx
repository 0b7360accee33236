/** covers: SRV-16 */
import { waitFor } from '@testing-library/react';
import type { NewestHealth } from '@quarterdeck/projections';
import { LoopbackSocket } from '../testing/loopback-socket';
import { sessionOf } from '../testing/render';
import { healthTold } from './health';
import { startLive } from '../core/live';
import { sessionEnded, sessionStarted } from '../core/session-state';
import { createStore } from '../app/store';

const sample = (at: string, more: Partial<NewestHealth> = {}): NewestHealth => ({
  server: 'web-1',
  at: `2026-11-20T12:${at}.000Z`,
  ok: true,
  tookMs: 20,
  ...more,
});

const signedIn = () => {
  const store = createStore();
  store.dispatch(sessionStarted(sessionOf('admin')));
  return { store, newest: () => store.getState().health['web-1'] };
};

test('keeps the newest sample, whether it was fetched or pushed', () => {
  const { store, newest } = signedIn();
  store.dispatch(healthTold([sample('00:30', { load1: 2 })]));
  // The answer to a request made before that push.
  store.dispatch(healthTold([sample('00:00', { load1: 1 })]));
  expect(newest()).toMatchObject({ load1: 2 });
  store.dispatch(healthTold([sample('01:00', { load1: 3 })]));
  expect(newest()).toMatchObject({ load1: 3, seenAt: '2026-11-20T12:01:00.000Z' });
});

test('keeps the time a server was last seen when later checks fail', () => {
  const { store, newest } = signedIn();
  store.dispatch(healthTold([sample('00:30')]));
  store.dispatch(healthTold([sample('01:00', { ok: false, reason: 'refused' })]));
  store.dispatch(healthTold([sample('01:30', { ok: false, reason: 'refused' })]));
  expect(newest()).toMatchObject({ ok: false, seenAt: '2026-11-20T12:00:30.000Z' });
});

test('shows pushed samples at once, and forgets them on sign-out', async () => {
  const { store, newest } = signedIn();
  const socket = new LoopbackSocket();
  const stop = startLive(store, async () => socket.client);
  await waitFor(() => expect(socket.connected).toBe(true));
  socket.push('health', { samples: [sample('00:30')] });
  expect(newest()).toMatchObject({ at: '2026-11-20T12:00:30.000Z' });
  store.dispatch(sessionEnded());
  expect(newest()).toBeUndefined();
  stop();
});
