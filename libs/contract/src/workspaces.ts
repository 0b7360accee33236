/** The workspace of the session, and its settings. No call names another one. */
import {
  nothing,
  workspaceAlerts,
  workspaceContainerFlow,
  workspaceDns,
  workspaceHealthChecks,
  workspaceRetention,
  workspaceSslMonitor,
} from '@quarterdeck/events/inputs';
import { workspaceView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const workspaces = calls('workspace', {
  alerts: {
    summary:
      'Days before the end at which alerts are raised, and the webhook; answers a secret that was made, once',
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
    summary: 'Whom to ask about names, and who may write records',
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
    summary: 'How often servers are probed, and when one counts as unreachable',
    access: 'admin',
    path: 'health-checks',
    input: workspaceHealthChecks,
    answer: ids,
    stales: 'workspaces',
  },
  containerFlow: {
    summary: 'Which server containers are deployed to unless somebody chooses another',
    access: 'admin',
    path: 'container-flow',
    input: workspaceContainerFlow,
    answer: ids,
    stales: 'workspaces',
  },
  retention: {
    summary: 'How many days after its end the output of a run is removed',
    access: 'admin',
    input: workspaceRetention,
    answer: ids,
    stales: 'workspaces',
  },
});
