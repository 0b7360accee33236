import { database, fieldsOfKind, type PlainNoun } from '@quarterdeck/events';
import { plain, valuesOf } from './plain-nouns';

/**
 * Questions for the routes that do not simply name one thing. Every route has to be listed here or name one thing. A
 * route in neither list fails the test, so whoever adds a route has to say how tenants are kept apart.
 */
export interface Question {
  method: 'GET' | 'POST';
  /** Includes the query. */
  path: string;
  body?: object;
}

const post = (path: string, body: object = {}): Question => ({ method: 'POST', path: `/api/${path}`, body });
const get = (path: string): Question => ({ method: 'GET', path: `/api/${path}` });

/**
 * Everything that answers with data of a workspace, in every way in which another workspace's data could be requested.
 */
export const lists = (ids: Record<string, string>, text: string): Question[] => {
  const server = { id: ids.server };
  return [
    get('session'),
    get('domain/list'),
    get('profile/gh-token/get'),
    get('profile/gh-username/get'),
    get('profile/token/validity'),
    get('history/export?format=jsonl'),
    get(`history/export?format=csv&category=server&id=${ids.server}`),
    post('server/list'),
    post('server/page'),
    post('server/page', { search: text }),
    post('domain/page'),
    post('domain/page', { search: text }),
    post('domain/expiries'),
    post('script/list'),
    post('script/page'),
    post('script/page', { search: text }),
    ...plain.flatMap(({ path }) => [post(`${path}/list`), post(`${path}/page`, { search: text })]),
    post('product/listWServices'),
    post('run/list'),
    post('run/list', { subject: { kind: 'server', id: ids.server } }),
    post('run/list', { requestedBy: ids.person }),
    post('history/list'),
    post('history/list', { subject: { category: 'server', id: ids.server } }),
    post('history/list', { actor: ids.person }),
    post('history/list', { text }),
    post('moment/timeline'),
    post('home/overview'),
    post('notice/memory'),
    post('person/list'),
    post('person/page'),
    post('person/page', { former: false, search: text }),
    post('session/list'),
    post('account/list'),
    post('second-factor/list'),
    get('second-factor/state'),
    post('invitation/list'),
    post('health/list'),
    post('workspace/detail'),
    post('deploy/logs/list'),
    post('deploy/logs/list', { filters: { server } }),
    post('deploy/release/list'),
    post('deploy/release/list', { service: { id: ids.service } }),
    post('deploy/release/list', { product: { id: ids.product } }),
    post('deploy/release/list', { server: { id: ids.server } }),
    post('deploy/logs/page', { server, search: text }),
    post('deploy/release/page', { service: { id: ids.service }, search: text }),
    post('deploy/release/running'),
    post('deploy/release/running', { product: { id: ids.product } }),
    post('alert/list'),
    post('alert/list', { open: false }),
    post('alert/page'),
    post('alert/page', { search: text }),
    post('ssl/status'),
    post('ssl/budget'),
  ];
};

const withoutSecrets = (noun: PlainNoun): object => {
  const secrets = new Set(fieldsOfKind(noun.fields, 'secret').map(([key]) => key));
  return Object.fromEntries(Object.entries(valuesOf(noun, 'shop')).filter(([key]) => !secrets.has(key)));
};

/** Routes with an id outside the required field, and a body that contains one. */
export const inPassing: Record<string, { noun: string; body: (id: string, fresh: string) => object }> = {
  // Without a password, so the stored one is looked up.
  '/api/database/try': { noun: 'database', body: (id) => ({ id, data: withoutSecrets(database) }) },
  '/api/env-var/insert': {
    noun: 'service',
    body: (id) => ({ data: { key: 'STOLEN', value: 'x', env: { id: 1 } }, serviceDeploy: { id } }),
  },
  '/api/deploy/release/compare': { noun: 'release', body: (id) => ({ from: id, to: id }) },
  '/api/fleet/start': {
    noun: 'server',
    body: (id, fresh) => ({ servers: [id], cmdType: 1, runId: fresh }),
  },
  '/api/moment/difference': {
    noun: 'server',
    body: (id) => ({ subject: { category: 'server', id }, from: new Date().toISOString() }),
  },
  '/api/service/workflows/trigger': { noun: 'service', body: (id) => ({ serviceId: id, workflowId: 1 }) },
  '/api/workspace/audience': { noun: 'product', body: (id) => ({ product: { id } }) },
  '/api/workspace/container-flow': { noun: 'server', body: (id) => ({ server: { id } }) },
};

const own = 'changes the asker’s own workspace or record, and takes no id';
const byToken = 'asks the source-code host with the asker’s own token, and takes no id';
const nobody = 'answers without a session, with nothing of a workspace that the asker has not named himself';
const installation = 'superadministrators see the whole installation there: e2e/superadmin';

/** Routes that cannot name anything of another workspace, and why. */
export const apart: Record<string, string> = {
  'POST /api/account/connect': own,
  'POST /api/account/connected': own,
  'POST /api/account/disconnect': own,
  'POST /api/alert/test': own,
  'GET /api/backup/archive': installation,
  'POST /api/backup/cancel': installation,
  'POST /api/backup/configure': installation,
  'GET /api/backup/download': installation,
  'POST /api/backup/drill': installation,
  'POST /api/backup/overview': installation,
  'POST /api/backup/release': installation,
  'POST /api/backup/take': installation,
  'POST /api/history/detail': 'takes a position: asked by a test of its own',
  'POST /api/history/undo': 'takes a position: asked by a test of its own',
  'POST /api/history/undo/preview': 'takes a position: asked by a test of its own',
  'POST /api/invitation/insert': own,
  'POST /api/invitation/look': 'the code of a link is what opens it, to whoever has it',
  'POST /api/moment/detail': 'an instant, answered with the asker’s own event by then: e2e/time-travel',
  'POST /api/notice/remember': own,
  'POST /api/person/rename': own,
  'GET /api/profile/gh-token/delete': own,
  'POST /api/profile/gh-token/update': own,
  'GET /api/profile/gh-username/delete': own,
  'POST /api/profile/gh-username/update': own,
  'POST /api/script/insert': own,
  ...Object.fromEntries(
    plain.filter(({ within }) => within === undefined).map(({ path }) => [`POST /api/${path}/insert`, own]),
  ),
  'POST /api/server/insert': own,
  'POST /api/session/revoke-others': own,
  'POST /api/second-factor/totp/begin': own,
  'POST /api/second-factor/passkey/begin': own,
  'POST /api/second-factor/passkey/confirm': own,
  'POST /api/second-factor/recovery-codes': own,
  'POST /api/second-factor/give/totp': own,
  'POST /api/second-factor/give/recovery': own,
  'POST /api/second-factor/give/passkey/begin': own,
  'POST /api/second-factor/give/passkey': own,
  'POST /api/ssl/run': own,
  'POST /api/workspace/alerts': own,
  'POST /api/workspace/dns': own,
  'POST /api/workspace/health-checks': own,
  'POST /api/workspace/retention': own,
  'POST /api/workspace/second-factor': own,
  'POST /api/workspace/ssl-monitor': own,
  'POST /api/workspace/source-host': own,
  'POST /api/github/repo/cloneFromTemplate': byToken,
  'POST /api/github/repo/init': byToken,
  'POST /api/github/release/new': byToken,
  'GET /api/github/container/list': byToken,
  'GET /api/github/limit': byToken,
  'POST /api/gh-action/publish-package': byToken,
  'POST /api/gh-action/server/publish-package': byToken,
  'GET /api/service/workflows/:serviceId/list':
    'has the id in its path: e2e/repositories asks for a foreign one',
  'GET /api/auth/logout': own,
  'POST /api/auth/logout': own,
  'POST /api/dns/host/add': 'a record in the zone of the asker’s own provider',
  'GET /api/dns/ipFromHostname': 'a public name, looked up',
  'POST /api/dns/ssl/expiry': 'a public host, looked at',
  'GET /api/auth/instance/exists': nobody,
  'POST /api/auth/invitation': nobody,
  'POST /api/auth/link': nobody,
  'GET /api/auth/providers': nobody,
  'GET /api/auth/sso/:provider/redirect': nobody,
  'GET /api/auth/sso/:provider/url': nobody,
  'GET /api/env-var/own': 'the token of an app is what opens it, to whoever has it',
  'GET /api/docs': nobody,
  'GET /api/docs-json': nobody,
  'GET /api/health/live': nobody,
  'GET /api/health/ready': nobody,
  'GET /api/metrics': 'figures of the process, to the machine itself',
  'POST /api/superadmin/foreign/acknowledge': installation,
  'POST /api/superadmin/overview': installation,
  'POST /api/superadmin/people': installation,
  'POST /api/superadmin/projections': installation,
  'POST /api/superadmin/projections/cancel': installation,
  'POST /api/superadmin/projections/rebuild': installation,
  'POST /api/superadmin/projections/retry': installation,
  'POST /api/superadmin/projections/verify': installation,
  'POST /api/superadmin/runs': installation,
  'POST /api/superadmin/workspaces': installation,
};
