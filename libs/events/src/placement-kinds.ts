/** What a placement is, and those that events of the same noun have in common. */
import type { EventData, EventType } from './catalogue';
import type { Role } from './people.events';

/** A read model that screens show. Every event also makes `history` stale, which therefore needs no mention. */
export type ReadModel =
  | 'servers'
  | 'scripts'
  | 'runs'
  | 'history'
  | 'people'
  | 'workspaces'
  | 'domains'
  | 'deploys'
  | 'alerts'
  | 'credentials';

export interface Placement<T extends EventType> {
  stale: readonly Exclude<ReadModel, 'history'>[];
  /** The least role that is told. */
  audience: Role;
  /** The event in words, without actor and subject: "registered as web-1". */
  says: (data: EventData<T>) => string;
}

export const server = { stale: ['servers'], audience: 'admin' } as const;
export const script = { stale: ['scripts'], audience: 'admin' } as const;
export const deploy = { stale: ['deploys'], audience: 'admin' } as const;
export const run = { stale: ['runs'], audience: 'admin' } as const;
export const runOnServer = { stale: ['runs', 'servers'], audience: 'admin' } as const;
export const person = { stale: ['people'], audience: 'admin' } as const;
export const domain = { stale: ['domains'], audience: 'admin' } as const;
export const alert = { stale: ['alerts'], audience: 'admin' } as const;
export const credential = { stale: ['credentials'], audience: 'admin' } as const;
export const workspace = { stale: ['workspaces'], audience: 'admin' } as const;
export const installation = { stale: [], audience: 'superadmin' } as const;
