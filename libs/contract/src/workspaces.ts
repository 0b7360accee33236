/** The workspace of the session, and its settings. No call can access another workspace. */
import {
  nothing,
  workspaceAlerts,
  workspaceAudience,
  workspaceContainerFlow,
  workspaceDns,
  workspaceHealthChecks,
  workspaceMailServer,
  workspaceRetention,
  workspaceSecondFactor,
  workspaceSourceHost,
  workspaceSslMonitor,
} from '@quarterdeck/events/inputs';
import { workspaceView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

export const workspaces = calls('workspace', 'admin', {
  alerts: {
    summary:
      'Days before expiry at which alerts are raised, and the webhook; returns a newly made secret once',
    input: workspaceAlerts,
    example: {
      thresholds: [21, 7],
      webhook: { url: 'https://hooks.example.org/console', secret: 'sixteen characters' },
      revision: 1,
    },
    answer: ids.extend({ secret: z.string().optional() }),
    stales: 'workspaces',
    receipt: false,
  },
  sslMonitor: {
    summary: 'Pace, labels and schedule of the SSL monitor',
    path: 'ssl-monitor',
    input: workspaceSslMonitor,
    example: {
      checkPauseMs: 100,
      renewPauseMs: 5000,
      concurrency: 4,
      expiringDays: 30,
      schedule: '17 3 * * *',
      revision: 1,
    },
    answer: ids,
    stales: 'workspaces',
  },
  dns: {
    summary: 'DNS resolvers, and the provider that holds the records',
    input: workspaceDns,
    example: {
      resolvers: ['127.0.0.1:53'],
      parent: 'example.org',
      ttl: 300,
      provider: {
        kind: 'rfc2136',
        zone: 'example.org',
        server: '127.0.0.1',
        port: 53,
        keyName: 'console',
        algorithm: 'hmac-sha256',
        secret: 'c2VjcmV0',
      },
      revision: 1,
    },
    answer: ids,
    stales: 'workspaces',
  },
  detail: {
    summary: 'The workspace and its settings',
    input: nothing,
    answer: workspaceView,
    shows: 'workspaces',
    asOf: true,
  },
  healthChecks: {
    summary: 'How often servers are checked, and when one counts as unreachable',
    path: 'health-checks',
    input: workspaceHealthChecks,
    example: { everySeconds: 60, failures: 2, outOf: 3, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  containerFlow: {
    summary: 'The default server and product for containers',
    path: 'container-flow',
    input: workspaceContainerFlow,
    example: { server: { id: demo.server }, product: { id: demo.product }, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  audience: {
    summary: 'Whether the workspace belongs to operators, or to the users of a product',
    access: 'superadmin',
    input: workspaceAudience,
    example: { product: { id: demo.product }, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  sourceHost: {
    summary: 'Where new repositories are created, and the templates that they are created from',
    path: 'source-host',
    input: workspaceSourceHost,
    example: { organization: 'acme', serverTemplate: 'acme/server-template', isPrivate: true, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  secondFactor: {
    summary: 'Whether everybody in the workspace needs a second factor',
    path: 'second-factor',
    input: workspaceSecondFactor,
    example: { demanded: false, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  retention: {
    summary: 'Days after which the output of an ended run, and an e-mail, is removed',
    input: workspaceRetention,
    example: { runOutputDays: 90, emailDays: 30, revision: 1 },
    answer: ids,
    stales: 'workspaces',
  },
  mailServer: {
    summary: 'The server through which e-mails are sent again',
    path: 'mail-server',
    input: workspaceMailServer,
    example: {
      server: {
        host: 'smtp.example.org',
        port: 465,
        security: 'tls',
        username: 'console',
        password: 'a password',
      },
      revision: 1,
    },
    answer: ids,
    stales: 'workspaces',
    receipt: false,
  },
});
