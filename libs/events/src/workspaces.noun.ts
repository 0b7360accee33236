import { defineNoun } from './define-noun';
import type { workspaceEvents } from './workspaces.events';
import { list, days, inDays } from './placement-words';

export const workspace = defineNoun<typeof workspaceEvents>()({
  category: 'workspace',
  words: { many: 'Workspace', one: 'Workspace' },
  rows: 'workspaces',
  audience: 'admin',
  named: { WorkspaceCreated: (d) => d.name },
  events: {
    WorkspaceCreated: (d) => `created workspace ${d.name}`,
    HealthChecksConfigured: (d) =>
      `set health checks to every ${d.everySeconds} s, unreachable when ${d.failures} of ${d.outOf} fail`,
    DnsConfigured: (d) =>
      `set DNS to ${d.resolvers.length === 0 ? "the installation's resolvers" : list(d.resolvers)}${d.provider ? `, records of ${d.provider.zone} through ${d.provider.kind}` : ''}`,
    SslMonitorConfigured: (d) =>
      `set the SSL monitor to ${d.schedule === undefined ? 'run on request' : `run at ${d.schedule}`}, ${d.checkPauseMs} ms between checks, ${d.renewPauseMs} ms between renewals${d.onlyExpired ? ', renewing only what has expired' : ''}`,
    AlertsConfigured: (d) =>
      `set alerts to ${days(d.thresholds)}${d.webhook ? `, sent to ${d.webhook.url}` : ''}`,
    ContainerFlowConfigured: (d) =>
      d.product
        ? `chose the default product${d.server ? ' and server' : ''} for containers`
        : d.server
          ? 'chose the default server for containers'
          : 'removed the default server for containers',
    AudienceConfigured: (d) =>
      d.product
        ? 'assigned the workspace to the users of a product: only superadmins can sign in'
        : 'assigned the workspace to operators: all members can sign in',
    SourceHostConfigured: (d) =>
      `set new repositories to ${[
        d.organization === undefined ? 'any organization' : `the organization ${d.organization}`,
        d.isPrivate ? 'private' : 'public',
        ...(d.serverTemplate === undefined ? [] : [`servers from ${d.serverTemplate}`]),
        ...(d.clientTemplate === undefined ? [] : [`clients from ${d.clientTemplate}`]),
      ].join(', ')}`,
    SecondFactorConfigured: (d) =>
      d.demanded
        ? 'set a second factor to be needed by everybody in the workspace'
        : 'set a second factor to be the choice of each person',
    RetentionConfigured: (d) =>
      `${
        d.runOutputDays === undefined
          ? 'set the output of runs to be kept forever'
          : `set the output of runs to be removed after ${inDays(d.runOutputDays)}`
      }${d.emailDays === undefined ? '' : `, and e-mails after ${inDays(d.emailDays)}`}`,
    MailServerConfigured: (d) =>
      d.server
        ? `set the server for e-mails that are sent again to ${d.server.host}:${d.server.port}`
        : 'removed the server for e-mails that are sent again',
  },
  undo: [
    'HealthChecksConfigured',
    'DnsConfigured',
    'SslMonitorConfigured',
    'AlertsConfigured',
    'ContainerFlowConfigured',
    'SourceHostConfigured',
    'RetentionConfigured',
  ],
});
