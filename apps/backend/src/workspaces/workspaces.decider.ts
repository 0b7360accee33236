import type { EventData, EventsOf } from '@quarterdeck/events';
import type { workspaceEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type WorkspaceEvent = EventsOf<typeof workspaceEvents>;
type HealthChecks = EventData<'HealthChecksConfigured'>;

export class CreateWorkspace extends command<'CreateWorkspace', { name: string }>('CreateWorkspace') {}
export class ConfigureHealthChecks extends command<'ConfigureHealthChecks', HealthChecks>(
  'ConfigureHealthChecks',
) {}

export interface WorkspaceState {
  name?: string;
  /** Absent: the default. */
  healthChecks?: HealthChecks;
}

const same = (a: HealthChecks | undefined, b: HealthChecks): boolean =>
  a?.everySeconds === b.everySeconds && a.failures === b.failures && a.outOf === b.outOf;

export const workspaceDecider: Decider<
  WorkspaceState,
  CreateWorkspace | ConfigureHealthChecks,
  WorkspaceEvent
> = {
  category: 'workspace',
  initial: {},
  opens: ['CreateWorkspace'],
  idempotent: ['CreateWorkspace', 'ConfigureHealthChecks'],
  decide: (given, state) => {
    if (given.type === 'CreateWorkspace') {
      if (state.name === undefined) return [{ type: 'WorkspaceCreated', data: { name: given.data.name } }];
      if (state.name === given.data.name) return [];
      throw new DomainError('conflict', `this workspace is called ${state.name}`);
    }
    if (state.name === undefined) throw notFound('workspace');
    return same(state.healthChecks, given.data) ? [] : [{ type: 'HealthChecksConfigured', data: given.data }];
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'WorkspaceCreated':
        return { ...state, name: event.data.name };
      case 'HealthChecksConfigured':
        return { ...state, healthChecks: event.data };
    }
  },
};
