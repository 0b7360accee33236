/** Every call of the contract that takes a body, with its schema and a valid body. */
import type { z } from 'zod';
import { contract, type Call } from '@quarterdeck/contract';
import { database, service } from '@quarterdeck/events';
import * as inputs from '@quarterdeck/events/inputs';
import { parentOf, plain, valuesOf } from '../backend/plain-nouns';
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

const page = { search: 'web', sort: '-name', filters: { name: 'web' }, page: 2, size: 10 };

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
  singlePage: true,
  maxBody: 100,
  maxHeader: 32,
  frames: 'deny',
  corsOrigins: 'https://shop.test',
};

const repository = { organization: 'acme', repo: 'shop' };
const siteOptions = { docker: false, ssl: true, gzip: true };
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface FuzzedCall {
  schema: z.ZodType;
  /** A body that the schema accepts. Ids in it do not exist. */
  valid: Json;
  /** A valid body creates something new, with one event. */
  adds?: true;
  /** A valid body changes something, with one event, or with none if nothing differs. */
  edits?: true;
  /** A valid body starts a run, which has its own events. */
  begins?: true;
}

const passkeyAnswer = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
};

const variable = { key: 'LOG_LEVEL', value: 'info', env: { id: 1 }, secret: true };
const variables = { product: { id }, service: { id }, env: 1 };
const imported = { ...variables, content: 'LOG_LEVEL=info', removeOthers: true, secrets: ['TOKEN'] };

/** Valid bodies of calls that need more than an id. */
const bodies: Record<string, Omit<FuzzedCall, 'schema'>> = {
  'data-model.attribute.listWEntity': { valid: { product: { id } } },
  'data-model.entity.visualization': { valid: { product: { id } } },
  'data-model.version.update': { valid: { uuid: id, data: { env: { id: 2 } } } },
  'data-model.version.difference': { valid: { product: { id }, from: 0, to: 1 } },
  'data-model.version.plan': { valid: { uuid: id, database: { id } } },
  'data-model.version.apply': {
    valid: { uuid: id, database: { id }, seal: sha256, repair: true, name: 'Shop', runId: id },
  },
  'data-model.version.adopt': { valid: { uuid: id, database: { id }, seal: sha256 } },
  'data-model.version.get': { valid: { uuid: id, dialect: 'mysql' } },
  'data-model.migration.list': { valid: { product: { id }, version: { uuid: id } } },
  'env-var.list': { valid: { product: { id }, service: { deploy: { id } }, env: 1 } },
  'env-var.prints': { valid: variables },
  'env-var.insert': { valid: { data: variable, product: { id }, serviceDeploy: { id } } },
  'env-var.update': { valid: { id, data: variable, revision: 3 } },
  'env-var.preview': { valid: imported },
  'env-var.import': { valid: { ...imported, seen: sha256 } },
  'env-var.generateExport': { valid: variables },
  'env-var.getAppToken': { valid: { ...variables, env: { id: 3 } } },
  'env-var.tokens': { valid: { product: { id }, service: { id } } },
  'data-model.version.preview': { valid: { product: { id }, structure: { id: 1 } } },
  'data-model.version.import': { valid: { product: { id }, structure: { id: 1 } } },
  'data-model.version.init': {
    valid: { product: { id }, password: 'x', email: 'a', database: { id }, runId: id },
  },
  'database.test': { valid: { id, runId: id } },
  'database.try': { valid: { data: valuesOf(database, 'Shop') as Json, id } },
  'database.create': { valid: { id, administrator: { username: 'root', password: 'x' }, runId: id } },
  'database.reveal': { valid: { id, field: 'password' } },
  'registry.reveal': { valid: { id, field: 'token' } },
  'script.insert': { valid: script, adds: true },
  'script.update': { valid: { id, data: script, revision: 3 } },
  'script.delete': { valid: { id, name: 'Free space' } },
  'server.insert': { valid: { ...editable, privateKey: 'no key' } },
  'server.update': { valid: { id, data: editable, revision: 3 } },
  'server.replaceKey': { valid: { id, privateKey: 'no key' } },
  'server.delete': { valid: { id, alias: 'web-1' } },
  'server.execCmd': { valid: { id, cmdType: 2, runId: id } },
  'server.init': { valid: { id, runId: id } },
  'server.installDocker': { valid: { id, runId: id } },
  'server.acceptHostKey': { valid: { id, fingerprint: 'SHA256:x' } },
  'fleet.start': { valid: { servers: [id], script: id, version: 2, concurrency: 5, runId: id } },
  'fleet.rerun': { valid: { id, runId: id } },
  'run.list': {
    valid: { subject: { kind: 'server', id }, state: 'running', search: 'docker images', limit: 5 },
  },
  'run.output': { valid: { id, after: 4 } },
  'history.list': {
    valid: {
      text: 'web',
      types: ['ServerRenamed'],
      subject: { category: 'server', id },
      from: '2026-11-20T00:00:00Z',
      before: '9',
    },
  },
  'history.detail': { valid: { position: '1' } },
  'history.preview': { valid: { position: '1' } },
  'history.undo': {
    valid: { position: '1', seen: sha256, privateKey: 'no key', passphrase: '', secret: '' },
  },
  'session.revoke': { valid: { id } },
  'second-factor.totpConfirm': { valid: { id, name: 'Phone', code: '123456' } },
  'second-factor.passkeyConfirm': {
    valid: {
      name: 'Laptop',
      answer: {
        ...passkeyAnswer,
        response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
      },
    },
  },
  'second-factor.rename': { valid: { id, name: 'Old phone' } },
  'second-factor.giveTotp': { valid: { code: '123456' } },
  'second-factor.giveRecovery': { valid: { code: 'ABCD-EFGH-IJKL-MNOP' } },
  'second-factor.givePasskey': {
    valid: {
      answer: {
        ...passkeyAnswer,
        response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
      },
    },
  },
  'auth.invitation': { valid: { code: 'code-1', name: 'Ada Marsh' } },
  'moment.detail': { valid: { at: '1' } },
  'moment.difference': { valid: { subject: { category: 'server', id }, from: '1', to: '2' } },
  'moment.timeline': { valid: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', stretches: 24 } },
  'account.connect': { valid: { provider: 'github' } },
  'account.connected': {
    valid: { provider: 'github', state: 'never given out', code: 'a code', iss: 'https://github.com' },
  },
  'account.disconnect': { valid: { provider: 'google' } },
  'person.page': { valid: { former: false, ...page } },
  'person.role': { valid: { id, role: 'member' } },
  'person.rename': { valid: { name: 'Ada Marsh' }, edits: true },
  'notice.remember': { valid: { notices: [{ id: 'credentials', mark: 'missing' }], state: 'seen' } },
  'invitation.insert': { valid: { role: 'member', via: 'email', email: 'grace@example.org' }, adds: true },
  'invitation.look': { valid: { code: 'no such code' } },
  'health.history': { valid: { id, hours: 24 } },
  'workspace.healthChecks': { valid: { everySeconds: 60, failures: 2, outOf: 3, revision: 1 }, edits: true },
  'deploy.pull': {
    valid: {
      server: { id },
      cdUrl: 'https://ci.example.org/deploy/shop',
      slug: 'shop',
      serviceDeploy: { id },
    },
  },
  'deploy.page': { valid: { server: { id }, ...page } },
  'deploy.list': { valid: { filters: { server: { id } } } },
  'deploy.deploy': {
    valid: {
      id,
      packageId: id,
      env: 2,
      healthPath: '/health',
      healthSeconds: 30,
      keep: 3,
      why: 'A fix',
      runId: id,
    },
  },
  'deploy.releasePage': { valid: { service: { id }, ...page } },
  'deploy.releases': { valid: { service: { id }, product: { id }, limit: 5 } },
  'deploy.running': { valid: { service: { id }, product: { id } } },
  'deploy.compare': { valid: { from: id, to: id } },
  'deploy.keptValues': { valid: { service: { id } } },
  'deploy.destroyValue': { valid: { service: { id }, env: 3, key: 'STRIPE_KEY' } },
  'deploy.rollback': { valid: { id, today: true, why: 'It is slow', runId: id } },
  'deploy.stopRelease': { valid: { id, forget: true, runId: id } },
  'workspace.containerFlow': { valid: { server: { id }, revision: 1 }, edits: true },
  'workspace.audience': { valid: { product: { id }, revision: 1 }, edits: true },
  'workspace.sourceHost': {
    valid: { organization: 'acme', serverTemplate: 'acme/server-template', isPrivate: true, revision: 1 },
    edits: true,
  },
  'github.cloneFromTemplate': { valid: { ...repository, clientOrServer: 'server' } },
  'github.init': { valid: { ...repository, name: 'Shop' } },
  'github.addModel': { valid: { ...repository, product: { id } } },
  'github.release': { valid: { ...repository, isNpm: false } },
  'gh-action.client': { valid: { org: 'acme', repo: 'shop' } },
  'gh-action.server': { valid: { org: 'acme', repo: 'shop' } },
  'service.create': {
    valid: {
      data: valuesOf(service, 'Shop') as Json,
      product: { id },
      fromTemplate: { server: true, client: false },
      runId: id,
    },
  },
  'service.deployService': { valid: { uuid: id } },
  'service.cleanUp': { valid: { id, runId: id } },
  'service.trigger': { valid: { serviceId: id, workflowId: 1, ref: 'main' } },
  'workspace.secondFactor': { valid: { demanded: false, revision: 1 }, edits: true },
  'workspace.retention': { valid: { runOutputDays: 90, revision: 1 }, edits: true },
  'profile.gh-username.update': { valid: { value: 'octocat' }, edits: true },
  'profile.gh-token.update': { valid: { value: 'ghp_0123456789' }, edits: true },
  'alert.list': { valid: { open: true } },
  'backup.configure': {
    valid: {
      target: { kind: 'folder', path: '/tmp/quarterdeck-fuzz' },
      schedule: { at: '02:30' },
      keep: { days: 7, weeks: 4, months: 12 },
      recipients: [],
    },
    edits: true,
  },
  'backup.take': { valid: { full: true }, edits: true },
  'backup.cancel': { valid: { work: id } },
  'superadmin.acknowledge': { valid: { upTo: '9', reason: 'known' } },
  'superadmin.runs': { valid: { state: 'running', search: 'docker', before: '9' } },
  'superadmin.rebuild': { valid: { readModel: 'nothing' } },
  'superadmin.verify': { valid: { readModel: 'nothing' } },
  'superadmin.cancel': { valid: { maintenance: id } },
  'superadmin.retry': { valid: { readModel: 'nothing', stream: `server-${id}` } },
  'workspace.alerts': {
    valid: {
      thresholds: [21, 7],
      webhook: { url: 'https://hooks.example.org/console', secret: 'sixteen characters' },
      revision: 1,
    },
    edits: true,
  },
  'workspace.dns': {
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
  'dns.addHost': { valid: { name: 'shop', SLD: 'example', TLD: 'org', ip: '203.0.113.7', replace: true } },
  'domain.listByServer': { valid: { server: { id } } },
  'domain.pageByServer': { valid: { server: { id }, ...page } },
  'domain.expiries': { valid: { month: '2026-12' } },
  'domain.insert': { valid: { serverName: 'shop.example.org', server: { id } } },
  'domain.update': {
    valid: { data: { serverName: 'shop.example.org', server: { id } }, filters: { id }, revision: 3 },
  },
  'domain.delete': {
    valid: { id, serverName: 'shop.example.org', keep: { config: true, certificate: true }, runId: id },
  },
  'domain.names': { valid: { id, names: [{ name: 'www.fuzz.example', does: 'redirects' }] } },
  'domain.settings': { valid: { id, settings: { hsts: 'off', trustedProxies: '10.0.0.0/8' } } },
  'domain.removeLeft': { valid: { id, serverName: 'shop.example.org', server: { id }, runId: id } },
  'domain.alerts': { valid: { id, thresholds: [21, 7] } },
  'domain.location.list': { valid: { domain: { id } } },
  'domain.location.listByService': { valid: { service: { id } } },
  'domain.location.insert': { valid: { domain: { id }, data: location, revision: 3 } },
  'domain.location.update': { valid: { data: location, filters: { id }, revision: 3 } },
  'domain.location.logs': { valid: { id, lines: 100, seconds: 60, runId: id } },
  'domain.location.inspect': { valid: { id, runId: id } },
  'nginx.generate': {
    valid: { id, options: siteOptions, draft: { id, data: location }, lineage: { take: 'own' } },
  },
  'nginx.exec': { valid: { id, options: siteOptions, seen: sha256, overwrite: sha256, runId: id } },
  'nginx.restore': { valid: { id, sha256, overwrite: sha256, runId: id } },
  'nginx.appliedText': { valid: { id, sha256 } },
  'nginx.adopt': { valid: { id, sha256 } },
  'nginx.look': { valid: { id, runId: id } },
  'nginx.remove': { valid: { id, runId: id } },
  'nginx.lineage': { valid: { id } },
  'nginx.issueCertificate': {
    valid: { id, runId: id, force: true, newAccount: true, lineage: { take: 'adopt', webroot: '/srv/shop' } },
  },
  'nginx.removeCertificate': { valid: { id, runId: id, leave: true, lineage: 'shop.example.org' } },
  // An internal address, which the back end refuses to connect to.
  'dns.expiry': { valid: { host: '127.0.0.1:8443' } },
  'workspace.sslMonitor': {
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
  'ssl.checks': { valid: { id, problems: 5 } },
  'ssl.checksPage': { valid: { id, ...page } },
  // Last: its run continues for a moment.
  'ssl.run': { valid: { runId: id, checkOnly: true }, begins: true },
};

for (const noun of plain) {
  const { path, named, within } = noun;
  const data = valuesOf(noun, 'Shop');
  const calls = path.replaceAll('/', '.');
  // Nouns within a parent are refused, because the parent does not exist.
  const adds = within === undefined ? { adds: true as const } : {};
  bodies[`${calls}.list`] = { valid: parentOf(noun, id) as Json };
  bodies[`${calls}.page`] = { valid: { ...(parentOf(noun, id) as object), ...page } as Json };
  bodies[`${calls}.insert`] = { valid: { data, ...parentOf(noun, id) } as Json, ...adds };
  bodies[`${calls}.update`] = { valid: { id, data, revision: 3 } as Json };
  bodies[`${calls}.delete`] = { valid: { id, [named]: 'Shop' } };
}

const bodyOf = ({ id: call, input }: Call): Omit<FuzzedCall, 'schema'> => {
  const body = bodies[call];
  if (body) return body;
  if (input === inputs.nothing) return { valid: {} };
  if (input === inputs.listPage) return { valid: page };
  if (input === inputs.serverPage) return { valid: { ...page, ids: [id] } };
  if (input === inputs.byId) return { valid: { id } };
  if (input === inputs.byUuid) return { valid: { uuid: id } };
  throw new Error(`say in e2e/fuzz/calls.ts what ${call} accepts`);
};

/** Calls that are rate limited on purpose, or that end the caller's session. */
const apart = ['auth/link', 'auth/logout'];

/** By path. Calls that start a run come last, because the run continues for a moment. */
export const calls: Record<string, FuzzedCall> = Object.fromEntries(
  contract
    .filter(({ method, path }) => method === 'POST' && !apart.includes(path))
    .map((call) => ({ ...bodyOf(call), schema: call.input, path: call.path }))
    .sort((a, b) => Number(a.begins ?? false) - Number(b.begins ?? false))
    .map(({ path, ...call }) => [`/api/${path}`, call]),
);
