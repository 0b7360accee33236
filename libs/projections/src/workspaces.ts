/** The workspaces of the installation. */
import { streamParts, type EventData, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface WorkspaceView {
  id: string;
  workspace: string;
  name: string;
  createdAt: string;
  healthChecks: EventData<'HealthChecksConfigured'>;
  revision: number;
  position: Position;
}

/** Until a workspace chooses its own. */
export const defaultHealthChecks: WorkspaceView['healthChecks'] = { everySeconds: 30, failures: 3, outOf: 4 };

export const workspaces = defineProjection<WorkspaceView>({
  name: 'workspaces',
  version: 2,
  columns: { name: 'text' },
  indexes: ['(lower(name))'],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'workspace' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const place = { revision: event.revision, position: event.position };
    switch (event.type) {
      case 'WorkspaceCreated':
        return {
          id: key,
          workspace: key,
          name: event.data.name,
          createdAt: event.meta.at,
          healthChecks: defaultHealthChecks,
          ...place,
        };
      case 'HealthChecksConfigured':
        return view && { ...view, healthChecks: event.data, ...place };
      default:
        return view;
    }
  },
});
