/** Every call of the API that takes a body, with its schema and a body that it accepts. */
import type { z } from 'zod';
import { contract, type Call } from '@quarterdeck/contract';
import * as inputs from '@quarterdeck/events/inputs';
import type { Json } from './hostile';

const id = '0193f0a0-0000-7000-8000-0000000000ff';
const editable = {
  alias: 'web-1',
  host: '127.0.0.1',
  port: 9,
  username: 'root',
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
};

const script = { name: 'Free space', body: 'df -h\n', changes: false, timeoutSeconds: 30 };

const location = {
  location: '/api/',
  match: 'prefix',
  url: 'http://app:3000/',
  deployLog: { id },
  env: 3,
  isRedirect: false,
  redirectCode: 301,
  is404: false,
  volumes: '/srv/static',
  isCorsEnabled: true,
  timeout: 60,
  websocket: true,
};

const siteOptions = { docker: false, ssl: true, gzip: true };
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface FuzzedCall {
  schema: z.ZodType;
  /** A body that the schema accepts, of a thing that does not exist. */
  valid: Json;
  /** What is accepted makes a new thing: one event each. */
  adds?: true;
  /** What is accepted changes a thing that is there: one event each, unless it was like that before. */
  edits?: true;
  /** What is accepted begins a run, which has events of its own. */
  begins?: true;
}

/** What a call of the contract accepts, when that is more than an id. */
const bodies: Record<string, Omit<FuzzedCall, 'schema'>> = {
  'script.insert': { valid: script, adds: true },
  'script.update': { valid: { id, data: script, revision: 3 } },
  'script.delete': { valid: { id, name: 'Free space' } },
};

const bodyOf = ({ id: call, input }: Call): Omit<FuzzedCall, 'schema'> => {
  const body = bodies[call];
  if (body) return body;
  if (input === inputs.nothing) return { valid: {} };
  if (input === inputs.byId) return { valid: { id } };
  throw new Error(`say in e2e/fuzz/calls.ts what ${call} accepts`);
};

const ofContract = Object.fromEntries(
  contract
    .filter(({ method }) => method === 'POST')
    .map((call) => [`/api/${call.path}`, { schema: call.input, ...bodyOf(call) }]),
);

export const calls: Record<string, FuzzedCall> = {
  ...ofContract,
  '/api/server/list': { schema: inputs.nothing, valid: {} },
  '/api/server/detail': { schema: inputs.byId, valid: { id } },
  '/api/server/insert': { schema: inputs.serverInsert, valid: { ...editable, privateKey: 'no key' } },
  '/api/server/update': { schema: inputs.serverUpdate, valid: { id, data: editable, revision: 3 } },
  '/api/server/update/private-key': { schema: inputs.serverKeyUpdate, valid: { id, privateKey: 'no key' } },
  '/api/server/private-key/download': { schema: inputs.byId, valid: { id } },
  '/api/server/delete': { schema: inputs.serverDelete, valid: { id, alias: 'web-1' } },
  '/api/server/execCmd': { schema: inputs.serverExecCmd, valid: { id, cmdType: 2, runId: id } },
  '/api/server/init': { schema: inputs.serverSetup, valid: { id, runId: id } },
  '/api/server/install-docker': { schema: inputs.serverSetup, valid: { id, runId: id } },
  '/api/server/contact': { schema: inputs.byId, valid: { id } },
  '/api/server/host-key/accept': {
    schema: inputs.serverHostKeyAccept,
    valid: { id, fingerprint: 'SHA256:x' },
  },
  '/api/fleet/start': {
    schema: inputs.fleetStart,
    valid: { servers: [id], script: id, version: 2, concurrency: 5, runId: id },
  },
  '/api/fleet/detail': { schema: inputs.byId, valid: { id } },
  '/api/fleet/rerun': { schema: inputs.fleetRerun, valid: { id, runId: id } },
  '/api/run/list': {
    schema: inputs.runList,
    valid: { subject: { kind: 'server', id }, state: 'running', limit: 5 },
  },
  '/api/run/detail': { schema: inputs.byId, valid: { id } },
  '/api/run/output': { schema: inputs.runOutput, valid: { id, after: 4 } },
  '/api/run/check': { schema: inputs.byId, valid: { id } },
  '/api/run/cancel': { schema: inputs.byId, valid: { id } },
  '/api/run/retry': { schema: inputs.byId, valid: { id } },
  '/api/history/list': {
    schema: inputs.historyList,
    valid: {
      text: 'web',
      types: ['ServerRenamed'],
      subject: { category: 'server', id },
      from: '2026-11-20T00:00:00Z',
      before: '9',
    },
  },
  '/api/history/detail': { schema: inputs.historyDetail, valid: { position: '1' } },
  '/api/history/undo/preview': { schema: inputs.historyUndoPreview, valid: { position: '1' } },
  '/api/history/undo': {
    schema: inputs.historyUndo,
    valid: { position: '1', seen: sha256, privateKey: 'no key', passphrase: '', secret: '' },
  },
  '/api/session/list': { schema: inputs.nothing, valid: {} },
  '/api/session/revoke': { schema: inputs.sessionRevoke, valid: { id } },
  '/api/session/revoke-others': { schema: inputs.nothing, valid: {} },
  '/api/auth/invitation': { schema: inputs.invitationAccept, valid: { code: 'code-1', name: 'Ada Marsh' } },
  '/api/moment/detail': { schema: inputs.momentDetail, valid: { at: '1' } },
  '/api/moment/difference': {
    schema: inputs.momentDifference,
    valid: { subject: { category: 'server', id }, from: '1', to: '2' },
  },
  '/api/moment/timeline': {
    schema: inputs.momentTimeline,
    valid: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', stretches: 24 },
  },
  '/api/account/list': { schema: inputs.nothing, valid: {} },
  '/api/account/connect': { schema: inputs.accountOf, valid: { provider: 'github' } },
  '/api/account/connected': {
    schema: inputs.accountConnected,
    valid: { provider: 'github', state: 'never given out', code: 'a code', iss: 'https://github.com' },
  },
  '/api/account/disconnect': { schema: inputs.accountOf, valid: { provider: 'google' } },
  '/api/person/list': { schema: inputs.nothing, valid: {} },
  '/api/person/role': { schema: inputs.personRole, valid: { id, role: 'member' } },
  '/api/person/remove': { schema: inputs.byId, valid: { id } },
  '/api/person/forget': { schema: inputs.byId, valid: { id } },
  '/api/person/sign-out': { schema: inputs.byId, valid: { id } },
  '/api/person/rename': { schema: inputs.personName, valid: { name: 'Ada Marsh' }, edits: true },
  '/api/invitation/list': { schema: inputs.nothing, valid: {} },
  '/api/invitation/insert': {
    schema: inputs.invitationInsert,
    valid: { role: 'member', via: 'email', email: 'grace@example.org' },
    adds: true,
  },
  '/api/invitation/withdraw': { schema: inputs.byId, valid: { id } },
  '/api/invitation/look': { schema: inputs.invitationCode, valid: { code: 'no such code' } },
  '/api/health/list': { schema: inputs.nothing, valid: {} },
  '/api/health/history': { schema: inputs.healthHistory, valid: { id, hours: 24 } },
  '/api/workspace/detail': { schema: inputs.nothing, valid: {} },
  '/api/workspace/health-checks': {
    schema: inputs.workspaceHealthChecks,
    valid: { everySeconds: 60, failures: 2, outOf: 3, revision: 1 },
    edits: true,
  },
  '/api/deploy/pull': {
    schema: inputs.deployPull,
    valid: { server: { id }, cdUrl: 'https://ci.example.org/deploy/shop', slug: 'shop' },
  },
  '/api/deploy/logs/list': { schema: inputs.deployLogs, valid: { filters: { server: { id } } } },
  '/api/deploy/logs/delete': { schema: inputs.byId, valid: { id } },
  '/api/workspace/container-flow': {
    schema: inputs.workspaceContainerFlow,
    valid: { server: { id }, revision: 1 },
    edits: true,
  },
  '/api/workspace/retention': {
    schema: inputs.workspaceRetention,
    valid: { runOutputDays: 90, revision: 1 },
    edits: true,
  },
  '/api/profile/gh-username/update': {
    schema: inputs.credentialValue['gh-username'],
    valid: { value: 'octocat' },
    edits: true,
  },
  '/api/profile/gh-token/update': {
    schema: inputs.credentialValue['gh-token'],
    valid: { value: 'ghp_0123456789' },
    edits: true,
  },
  '/api/alert/list': { schema: inputs.alertList, valid: { open: true } },
  '/api/alert/dismiss': { schema: inputs.byId, valid: { id } },
  // Before there is a webhook: nothing is called out to.
  '/api/alert/test': { schema: inputs.nothing, valid: {} },
  '/api/superadmin/overview': { schema: inputs.nothing, valid: {} },
  '/api/superadmin/foreign/acknowledge': {
    schema: inputs.foreignAcknowledgement,
    valid: { upTo: '9', reason: 'known' },
  },
  '/api/superadmin/workspaces': { schema: inputs.nothing, valid: {} },
  '/api/superadmin/people': { schema: inputs.nothing, valid: {} },
  '/api/superadmin/runs': { schema: inputs.superadminRuns, valid: { state: 'running', before: '9' } },
  '/api/superadmin/projections': { schema: inputs.nothing, valid: {} },
  '/api/superadmin/projections/rebuild': { schema: inputs.maintenanceStart, valid: { readModel: 'nothing' } },
  '/api/superadmin/projections/verify': { schema: inputs.maintenanceStart, valid: { readModel: 'nothing' } },
  '/api/superadmin/projections/cancel': { schema: inputs.maintenanceCancel, valid: { maintenance: id } },
  '/api/superadmin/projections/retry': {
    schema: inputs.parkedRetry,
    valid: { readModel: 'nothing', stream: `server-${id}` },
  },
  '/api/workspace/alerts': {
    schema: inputs.workspaceAlerts,
    valid: {
      thresholds: [21, 7],
      webhook: { url: 'https://hooks.example.org/console', secret: 'sixteen characters' },
      revision: 1,
    },
    edits: true,
  },
  '/api/workspace/dns': {
    schema: inputs.workspaceDns,
    valid: {
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
    edits: true,
  },
  '/api/dns/host/add': {
    schema: inputs.dnsHostAdd,
    valid: { name: 'shop', SLD: 'example', TLD: 'org', ip: '203.0.113.7', replace: true },
  },
  '/api/domain/listByServer': { schema: inputs.domainsByServer, valid: { server: { id } } },
  '/api/domain/detail': { schema: inputs.byId, valid: { id } },
  '/api/domain/insert': {
    schema: inputs.domainInsert,
    valid: { serverName: 'shop.example.org', server: { id } },
  },
  '/api/domain/update': {
    schema: inputs.domainUpdate,
    valid: { data: { serverName: 'shop.example.org', server: { id } }, filters: { id }, revision: 3 },
  },
  '/api/domain/delete': {
    schema: inputs.domainDelete,
    valid: { id, serverName: 'shop.example.org', keep: { config: true, certificate: true }, runId: id },
  },
  '/api/domain/dns/check': { schema: inputs.byId, valid: { id } },
  '/api/domain/renewal': { schema: inputs.byId, valid: { id } },
  '/api/domain/alerts': { schema: inputs.domainAlerts, valid: { id, thresholds: [21, 7] } },
  '/api/domain/location/list': { schema: inputs.locationList, valid: { domain: { id } } },
  '/api/domain/location/listByService': { schema: inputs.locationsByService, valid: { service: { id } } },
  '/api/domain/location/detail': { schema: inputs.byId, valid: { id } },
  '/api/domain/location/insert': {
    schema: inputs.locationInsert,
    valid: { domain: { id }, data: location, revision: 3 },
  },
  '/api/domain/location/update': {
    schema: inputs.locationUpdate,
    valid: { data: location, filters: { id }, revision: 3 },
  },
  '/api/domain/location/delete': { schema: inputs.byId, valid: { id } },
  '/api/domain/location/logs': {
    schema: inputs.locationLogs,
    valid: { id, lines: 100, seconds: 60, runId: id },
  },
  '/api/domain/location/inspect': { schema: inputs.locationInspect, valid: { id, runId: id } },
  '/api/nginx/generate': {
    schema: inputs.siteGenerate,
    valid: { id, options: siteOptions, draft: { id, data: location } },
  },
  '/api/nginx/exec': {
    schema: inputs.siteExec,
    valid: { id, options: siteOptions, seen: sha256, overwrite: sha256, runId: id },
  },
  '/api/nginx/restore': { schema: inputs.siteRestore, valid: { id, sha256, overwrite: sha256, runId: id } },
  '/api/nginx/applied': { schema: inputs.siteAdopt, valid: { id, sha256 } },
  '/api/nginx/adopt': { schema: inputs.siteAdopt, valid: { id, sha256 } },
  '/api/nginx/look': { schema: inputs.siteLook, valid: { id, runId: id } },
  '/api/nginx/remove': { schema: inputs.siteLook, valid: { id, runId: id } },
  '/api/nginx/certbot': { schema: inputs.certificateIssue, valid: { id, runId: id, force: true } },
  '/api/nginx/certbot-rm': { schema: inputs.certificateRemove, valid: { id, runId: id } },
  '/api/server/config': { schema: inputs.byId, valid: { id } },
  // Not called from here: it lies inside.
  '/api/dns/ssl/expiry': { schema: inputs.sslExpiry, valid: { host: '127.0.0.1:8443' } },
  '/api/ssl/status': { schema: inputs.nothing, valid: {} },
  '/api/ssl/checks': { schema: inputs.byId, valid: { id } },
  '/api/ssl/budget': { schema: inputs.nothing, valid: {} },
  '/api/workspace/ssl-monitor': {
    schema: inputs.workspaceSslMonitor,
    valid: {
      checkPauseMs: 100,
      renewPauseMs: 5000,
      concurrency: 4,
      expiringDays: 30,
      schedule: '17 3 * * *',
      revision: 3,
    },
    edits: true,
  },
  // Last: what it begins goes on for a moment.
  '/api/ssl/run': { schema: inputs.sslRunStart, valid: { runId: id, checkOnly: true }, begins: true },
};
