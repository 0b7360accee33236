/** The workspace of the session, and its settings. No call can access another workspace. */
import {
  nothing,
  workspaceAlerts,
  workspaceAudience,
  workspaceContainerFlow,
  workspaceDns,
  workspaceHealthChecks,
  workspaceRetention,
  workspaceSecondFactor,
  workspaceSourceHost,
  workspaceSslMonitor,
} from '@quarterdeck/events/inputs';
import { workspaceView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const workspaces = calls('workspace', {
  alerts: {
    summary:
      'Days before expiry at which alerts are raised, and the webhook; returns a newly made secret once',
    access: 'admin',
    input: workspaceAlerts,
    answer: ids.extend({ secret: z.string().optional() }),
    stales: 'workspaces',
    receipt: false,
  },
  sslMonitor: {
    summary: 'Pace, labels and schedule of the SSL monitor',
    access: 'admin',
    path: 'ssl-monitor',
    input: workspaceSslMonitor,
    answer: ids,
    stales: 'workspaces',
  },
  dns: {
    summary: 'DNS resolvers, and the provider that holds the records',
    access: 'admin',
    input: workspaceDns,
    answer: ids,
    stales: 'workspaces',
  },
  detail: {
    summary: 'The workspace and its settings',
    access: 'admin',
    input: nothing,
    answer: workspaceView,
    shows: 'workspaces',
    asOf: true,
  },
  healthChecks: {
    summary: 'How often servers are checked, and when one counts as unreachable',
    access: 'admin',
    path: 'health-checks',
    input: workspaceHealthChecks,
    answer: ids,
    stales: 'workspaces',
  },
  containerFlow: {
    summary: 'The default server for containers',
    access: 'admin',
    path: 'container-flow',
    input: workspaceContainerFlow,
    answer: ids,
    stales: 'workspaces',
  },
  audience: {
    summary: 'Whether the workspace belongs to operators, or to the users of a product',
    access: 'superadmin',
    input: workspaceAudience,
    answer: ids,
    stales: 'workspaces',
  },
  sourceHost: {
    summary: 'Where new repositories are created, and the templates that they are created from',
    access: 'admin',
    path: 'source-host',
    input: workspaceSourceHost,
    answer: ids,
    stales: 'workspaces',
  },
  secondFactor: {
    summary: 'Whether everybody in the workspace needs a second factor',
    access: 'admin',
    path: 'second-factor',
    input: workspaceSecondFactor,
    answer: ids,
    stales: 'workspaces',
  },
  retention: {
    summary: 'Days after which the output of an ended run is removed',
    access: 'admin',
    input: workspaceRetention,
    answer: ids,
    stales: 'workspaces',
  },
});
