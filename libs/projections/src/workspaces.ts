/** The workspaces of the installation. */
import { streamParts } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection } from './define-projection';

export const workspaceView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    name: z.string(),
    createdAt: z.string(),
    healthChecks: catalogue.HealthChecksConfigured.schema,
    dns: catalogue.DnsConfigured.schema,
    sslMonitor: catalogue.SslMonitorConfigured.schema,
    alerts: catalogue.AlertsConfigured.schema,
    containerFlow: catalogue.ContainerFlowConfigured.schema,
    retention: catalogue.RetentionConfigured.schema,
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Workspace' });
export interface WorkspaceView extends z.infer<typeof workspaceView> {}

/** Used until a workspace chooses its own. */
export const defaultHealthChecks: WorkspaceView['healthChecks'] = { everySeconds: 30, failures: 3, outOf: 4 };

/** The installation's resolvers, and no provider for records. */
export const defaultDns: WorkspaceView['dns'] = { resolvers: [], ttl: 300 };
/** The values of the specification. Runs on a schedule only after an administrator has set one. */
export const defaultSslMonitor: WorkspaceView['sslMonitor'] = {
  checkPauseMs: 100,
  renewPauseMs: 5000,
  concurrency: 4,
  expiringDays: 30,
};
export const defaultAlerts: WorkspaceView['alerts'] = { thresholds: [21, 14, 7] };
/** The operator chooses a server each time. */
export const defaultContainerFlow: WorkspaceView['containerFlow'] = {};
/** By default nothing is ever deleted. */
export const defaultRetention: WorkspaceView['retention'] = {};

export const workspaces = defineProjection<WorkspaceView>({
  name: 'workspaces',
  version: 6,
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
          dns: defaultDns,
          sslMonitor: defaultSslMonitor,
          alerts: defaultAlerts,
          containerFlow: defaultContainerFlow,
          retention: defaultRetention,
          ...place,
        };
      case 'HealthChecksConfigured':
        return view && { ...view, healthChecks: event.data, ...place };
      case 'DnsConfigured':
        return view && { ...view, dns: event.data, ...place };
      case 'SslMonitorConfigured':
        return view && { ...view, sslMonitor: event.data, ...place };
      case 'AlertsConfigured':
        return view && { ...view, alerts: event.data, ...place };
      case 'ContainerFlowConfigured':
        return view && { ...view, containerFlow: event.data, ...place };
      case 'RetentionConfigured':
        return view && { ...view, retention: event.data, ...place };
      default:
        return view;
    }
  },
});
