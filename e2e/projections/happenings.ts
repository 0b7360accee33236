/** Events about servers to fill a log with, and read models that reveal a missing or duplicated event. */
import type { AppEvent, NewEvent } from '@quarterdeck/events';
import { defineProjection, history, servers, type AnyProjection } from '@quarterdeck/projections';
import { v7 as uuid } from 'uuid';

export const WORKSPACE = '0193f0a0-0000-7000-8000-0000000000c0';
const KEY = { ref: WORKSPACE, fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519' };
const PATHS = { root: '/root', path: '/root/static', nginxPath: '/root/nginx' };

export const registered = (alias: string) =>
  ({
    type: 'ServerRegistered',
    data: { alias, host: '192.0.2.1', port: 22, username: 'root', ...PATHS, key: KEY },
  }) satisfies AppEvent;
export const renamed = (alias: string) => ({ type: 'ServerRenamed', data: { alias } }) satisfies AppEvent;
export const moved = (port: number) =>
  ({ type: 'ServerMoved', data: { host: '192.0.2.2', port, username: 'root' } }) satisfies AppEvent;
export const removed = (alias: string) => ({ type: 'ServerRemoved', data: { alias } }) satisfies AppEvent;

export const newEvent = (event: AppEvent, workspace = WORKSPACE): NewEvent => {
  const id = uuid();
  const at = new Date().toISOString();
  return {
    ...event,
    meta: { id, at, actor: 'system', workspace, correlationId: id, causationId: id, v: '1' },
  };
};

/** One row for the whole workspace, changed by every event: its sums reveal duplicated or missing events. */
export const tally = defineProjection<{ workspace: string; events: number; last: string; sum: number }>({
  name: 'tally',
  version: 1,
  columns: { events: 'bigint' },
  indexes: ['(workspace)'],
  keys: (event) => [event.meta.workspace],
  evolve: (view, event, key) => ({
    workspace: key,
    events: (view?.events ?? 0) + 1,
    last: event.position,
    sum: (view?.sum ?? 0) + Number(event.position),
  }),
});

/** The same in the lane that follows later. */
export const ledger = { ...tally, name: 'ledger', later: true } as const;

export const PROJECTIONS: readonly AnyProjection[] = [servers, tally, ledger, history];
