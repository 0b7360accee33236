/**
 * The tab's only socket. It reports stale data to the cache, and follows the output of runs. After a lost connection it
 * resumes at the last known log position, since socket.io's own recovery loses events.
 */
import type { Store, UnknownAction } from '@reduxjs/toolkit';
import type { Socket } from 'socket.io-client';
import { Backoff, comparePositions, type Position } from '@quarterdeck/events';
import { askSession } from './ask-session';
import { connectionChanged } from './connection';
import type { OutputChunk } from '@quarterdeck/projections';
import type { CoreDispatch, CoreState } from './hooks';
import type { LiveCache, PushedEvent } from './live-cache';
import { retryParts, untilLoaded } from './parts';
import { sessionEnded } from './session-state';

interface Watch {
  run: string;
  /** Number of the last chunk that the listener received, so that none is delivered twice. */
  seq: number;
  onChunks: (chunks: OutputChunk[]) => void;
  onError?: (message: string) => void;
}

type Frame = { events: PushedEvent[]; position: Position };
type Resumed = Frame | { resync: true; position: Position };

/** The store that the socket works with. */
export interface LiveStore extends Omit<Store<CoreState>, 'dispatch'> {
  dispatch: CoreDispatch;
  liveCache: LiveCache;
  /** Actions for data that only the socket delivers, by message name. */
  pushed: Pushed;
}

export type Pushed = Readonly<Record<string, (payload: unknown) => UnknownAction>>;

const PING_MS = 20_000;
/** Shorter interruptions are not reported as offline. */
const OFFLINE_AFTER_MS = 15_000;
/** How long after the server asked for it a tab moves to another server process. */
const LEAVES_WITHIN_MS = 500;
/** A longer move is shown as a lost connection. */
const MOVES_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;
const AGAIN_AT_LEAST_EVERY_MS = 8_000;

const watches = new Set<Watch>();
let socket: Socket | undefined;

/** The server keeps one watch per run, so it starts after the earliest position among the listeners. */
const ask = (run: string): void => {
  const listening = [...watches].filter((watch) => watch.run === run);
  const after = Math.min(...listening.map(({ seq }) => seq));
  socket?.emit('watch', { run, ...(after >= 0 && { after }) }, (answer?: { error?: string }) => {
    if (answer?.error) for (const watch of listening) watch.onError?.(answer.error);
  });
};

/**
 * Follows the output of a run: first the stored chunks after `after`, then new ones, across lost connections, each
 * chunk once. Returns a function that stops it.
 */
export const watchRun = (
  run: string,
  onChunks: Watch['onChunks'],
  options: { after?: number; onError?: Watch['onError'] } = {},
): (() => void) => {
  const watch: Watch = {
    run,
    seq: options.after ?? -1,
    onChunks,
    ...(options.onError && { onError: options.onError }),
  };
  watches.add(watch);
  if (socket?.connected) ask(run);
  return () => {
    watches.delete(watch);
    if (![...watches].some((other) => other.run === run)) socket?.emit('unwatch', { run });
  };
};

const onSockets = new Set<(socket: Socket) => void>();

/** Calls a part of the page with the socket each time that it has connected. Returns a function that stops it. */
export const whenConnected = (listener: (socket: Socket) => void): (() => void) => {
  onSockets.add(listener);
  if (socket?.connected) listener(socket);
  return () => void onSockets.delete(listener);
};

const deliver = ({ run, chunks }: { run: string; chunks: OutputChunk[] }): void => {
  for (const watch of watches) {
    if (watch.run !== run) continue;
    const fresh = chunks.filter((chunk) => chunk.seq > watch.seq);
    if (fresh.length === 0) continue;
    watch.seq = fresh.at(-1)?.seq ?? watch.seq;
    watch.onChunks(fresh);
  }
};

/** Connects for as long as somebody is signed in. Returns a function that disconnects. */
export const startLive = (store: LiveStore, openSocket: () => Promise<Socket> = open): (() => void) => {
  const { liveCache, pushed, dispatch } = store;
  let position: Position | undefined;
  let stopped = false;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let againTimer: ReturnType<typeof setTimeout> | undefined;
  /** Set while the connection moves to another server process, which is not worth telling unless it takes long. */
  let moving: ReturnType<typeof setTimeout> | undefined;
  let leaveTimer: ReturnType<typeof setTimeout> | undefined;
  let times = 0;
  const backoff = new Backoff(AGAIN_AFTER_MS, AGAIN_AT_LEAST_EVERY_MS);
  let wasThere = false;

  const advance = ({ events, position: reached }: Frame): void => {
    const since = position;
    const fresh =
      since === undefined ? events : events.filter((event) => comparePositions(event.position, since) > 0);
    if (fresh.length > 0) liveCache.push(fresh);
    if (since === undefined || comparePositions(reached, since) > 0) {
      position = reached;
      dispatch(connectionChanged({ position: reached }));
    }
  };

  const resume = (): void => {
    const from = position ?? liveCache.firstAnswer();
    if (!socket?.connected || from === undefined) return;
    const asked = performance.now();
    // A callback instead of a promise: a push right after the answer must not be handled before it.
    socket.timeout(10_000).emit('resume', { after: from }, (unanswered: Error | null, answer?: Resumed) => {
      // The next reconnect or ping tries again.
      if (unanswered || !answer || !('position' in answer)) return;
      dispatch(connectionChanged({ state: 'live', lagMs: Math.round(performance.now() - asked) }));
      if ('resync' in answer) {
        position = answer.position;
        dispatch(connectionChanged({ position }));
        liveCache.resync(position);
      } else {
        position ??= from;
        dispatch(connectionChanged({ position }));
        advance(answer);
      }
    });
  };

  const onVisible = (): void => {
    if (document.visibilityState !== 'visible') return;
    liveCache.flush();
    if (socket && !socket.connected) socket.connect();
    else resume();
  };

  /**
   * Socket.io does not reconnect by itself after the server refused or closed the connection. Retries at growing,
   * randomized intervals, so that not all tabs reconnect at once.
   */
  const comeBack = (opened: Socket): void => {
    if (stopped || opened.active) return;
    clearTimeout(againTimer);
    againTimer = setTimeout(() => opened.connect(), backoff.next());
  };

  const tellLost = (): void => {
    moving = undefined;
    dispatch(connectionChanged({ state: 'reconnecting', since: new Date().toISOString() }));
    offlineTimer = setTimeout(() => dispatch(connectionChanged({ state: 'offline' })), OFFLINE_AFTER_MS);
  };

  const move = (opened: Socket): void => {
    if (stopped || !opened.connected) return;
    moving = setTimeout(tellLost, MOVES_WITHIN_MS);
    opened.disconnect();
    opened.connect();
  };

  const wire = (opened: Socket): void => {
    socket = opened;
    opened.on('connect', () => {
      for (const timer of [offlineTimer, againTimer, leaveTimer, moving]) clearTimeout(timer);
      moving = undefined;
      backoff.reset();
      times += 1;
      dispatch(connectionChanged({ state: 'live', since: undefined, times }));
      // The person's role may have changed meanwhile.
      if (wasThere) void askSession(dispatch);
      wasThere = true;
      liveCache.retryFailed();
      retryParts();
      resume();
      for (const run of new Set([...watches].map((watch) => watch.run))) ask(run);
      for (const listener of onSockets) listener(opened);
    });
    opened.on('disconnect', () => {
      if (stopped || moving) return;
      tellLost();
      comeBack(opened);
    });
    // The server process is about to end. At a random moment, so that not all tabs move at once.
    opened.on('leaving', () => {
      leaveTimer = setTimeout(() => move(opened), Math.random() * LEAVES_WITHIN_MS);
    });
    opened.on('connect_error', (error) => {
      if (error.message === 'unauthorized')
        return dispatch(sessionEnded('Your session has ended. Sign in again.'));
      if (!moving && store.getState().connection.state === 'live')
        dispatch(connectionChanged({ state: 'reconnecting' }));
      comeBack(opened);
    });
    opened.on('changes', advance);
    opened.on('output', deliver);
    for (const [name, actionOf] of Object.entries(pushed))
      opened.on(name, (payload: unknown) => void dispatch(actionOf(payload)));
    opened.on('session-ended', () => dispatch(sessionEnded('Your session was ended.')));
    opened.connect();
  };

  liveCache.onFirstAnswer(() => resume());
  dispatch(connectionChanged({ state: 'reconnecting' }));
  void openSocket().then((opened) => {
    if (stopped) opened.close();
    else wire(opened);
  });
  const ping = setInterval(() => resume(), PING_MS);
  document.addEventListener('visibilitychange', onVisible);

  return () => {
    stopped = true;
    clearInterval(ping);
    for (const timer of [offlineTimer, againTimer, leaveTimer, moving]) clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
    socket?.close();
    socket = undefined;
    dispatch(
      connectionChanged({ state: 'offline', position: undefined, lagMs: undefined, since: undefined }),
    );
  };
};

/** Loads socket.io when first needed: the sign-in page does not use it. */
async function open(): Promise<Socket> {
  const { io } = await untilLoaded(() => import('socket.io-client'));
  return io({
    autoConnect: false,
    transports: ['websocket', 'polling'],
    reconnectionDelayMax: 3_000,
    randomizationFactor: 0.5,
  });
}
