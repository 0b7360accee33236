/** The workspaces of the installation. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

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
    audience: catalogue.AudienceConfigured.schema,
    sourceHost: catalogue.SourceHostConfigured.schema,
    secondFactor: catalogue.SecondFactorConfigured.schema,
    retention: catalogue.RetentionConfigured.schema,
    mailServer: catalogue.MailServerConfigured.schema,
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Workspace' });
export interface WorkspaceView extends z.infer<typeof workspaceView> {}

/** Used until a workspace chooses its own. */
export const defaultHealthChecks: WorkspaceView['healthChecks'] = { everySeconds: 30, failures: 3, outOf: 4 };

/** The installation's resolvers, and no provider for records. */
export const defaultDns: WorkspaceView['dns'] = { resolvers: [], ttl: 300 };
/** The values of the specification. The monitor has no schedule until an administrator sets one. */
export const defaultSslMonitor: WorkspaceView['sslMonitor'] = {
  checkPauseMs: 100,
  renewPauseMs: 5000,
  concurrency: 4,
  expiringDays: 30,
};
export const defaultAlerts: WorkspaceView['alerts'] = { thresholds: [21, 14, 7] };
/** The operator chooses a server each time. */
export const defaultContainerFlow: WorkspaceView['containerFlow'] = {};
/** A workspace of operators, not of a product's users. */
export const defaultAudience: WorkspaceView['audience'] = {};
/** No templates: an administrator chooses them. */
export const defaultSourceHost: WorkspaceView['sourceHost'] = { isPrivate: true };
/** Each person chooses. */
export const defaultSecondFactor: WorkspaceView['secondFactor'] = { demanded: false };
/** How long e-mails are kept unless a workspace chooses: they are personal data. */
export const DEFAULT_EMAIL_DAYS = 90;
/** None: e-mails cannot be sent again until an administrator names a server. */
export const defaultMailServer: WorkspaceView['mailServer'] = {};
/** By default, run output is kept forever, and e-mails for `DEFAULT_EMAIL_DAYS`. */
export const defaultRetention: WorkspaceView['retention'] = {};

export const workspaces = defineProjection<WorkspaceView>({
  name: 'workspaces',
  version: 10,
  columns: { name: 'text' },
  indexes: ['(lower(name))'],
  ...rowPerStream('workspace'),
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
          audience: defaultAudience,
          sourceHost: defaultSourceHost,
          secondFactor: defaultSecondFactor,
          retention: defaultRetention,
          mailServer: defaultMailServer,
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
      case 'AudienceConfigured':
        return view && { ...view, audience: event.data, ...place };
      case 'SourceHostConfigured':
        return view && { ...view, sourceHost: event.data, ...place };
      case 'SecondFactorConfigured':
        return view && { ...view, secondFactor: event.data, ...place };
      case 'RetentionConfigured':
        return view && { ...view, retention: event.data, ...place };
      case 'MailServerConfigured':
        return view && { ...view, mailServer: event.data, ...place };
      default:
        return view;
    }
  },
});
