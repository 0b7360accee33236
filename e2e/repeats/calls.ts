/**
 * A body for every call that changes something, and what has to be there first: for the test that repeats each. A call
 * that is not in `bodies` has to be in `apart`, with the reason.
 */
import { randomUUID } from 'node:crypto';
import type { PlainNoun } from '@quarterdeck/events';
import { parentOf, plain, valuesOf } from '../backend/plain-nouns';
import { fieldsOf, idleKey, nowhere, registerAt } from '../backend/world';
import { databaseAt } from '../data-model/database-at';
import type { RunningBackend, Operator } from '../peers/backend';
import type { TestPostgres } from '../peers/postgres';
import type { Sshd } from '../peers/sshd';
import { withJson, type ToldServer } from '../peers/told-server';
import { until } from '../patience';

export type Json = Record<string, unknown>;

export interface Ground {
  backend: RunningBackend;
  /** An administrator of the installation. */
  who: Operator;
  workspace: string;
  /** Ids of one thing of each plain noun, for the things that others belong to, and of a server that nobody reaches. */
  ids: Record<string, string>;
  postgres: TestPostgres;
  sshd: Sshd;
  /** Answers calls for a package. */
  delivery: ToldServer;
}

type Prepare = (ground: Ground) => Promise<Json> | Json;

const unique = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`;

const asked = async <T = Json>({ who }: Ground, path: string, body: Json = {}): Promise<T> => {
  const answer = await who.post<T>(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const added = async (ground: Ground, path: string, body: Json): Promise<string> =>
  (await asked<{ id: string }>(ground, path, body)).id;

let numbers = 100;
const valuesIn = ({ ids }: Ground, noun: PlainNoun): Json => {
  const values = valuesOf(noun, unique(noun.category), (category) => ids[category]);
  if (noun.category === 'service') return { ...values, port: 3000 + (numbers += 1) };
  return 'key' in values ? { ...values, key: (numbers += 1) } : values;
};

/** Adds a thing of a plain noun. @returns its id */
export const addPlain = (ground: Ground, noun: PlainNoun): Promise<string> =>
  added(ground, `${noun.path}/insert`, {
    data: valuesIn(ground, noun),
    ...parentOf(noun, noun.within && ground.ids[noun.within]),
  });

const plainBodies = Object.fromEntries(
  plain.flatMap((noun): [string, Prepare][] => {
    const call = (name: string) => `${noun.path.replaceAll('/', '.')}.${name}`;
    return [
      [
        call('insert'),
        (ground) => ({
          data: valuesIn(ground, noun),
          ...parentOf(noun, noun.within && ground.ids[noun.within]),
        }),
      ],
      [
        call('update'),
        async (ground) => ({
          id: await addPlain(ground, noun),
          data: valuesIn(ground, noun),
          revision: 0,
        }),
      ],
      [call('delete'), async (ground) => ({ id: await addPlain(ground, noun) })],
      [
        call('restore'),
        async (ground) => {
          const id = await addPlain(ground, noun);
          await asked(ground, `${noun.path}/delete`, { id });
          return { id };
        },
      ],
    ];
  }),
);

const scriptOf = () => ({ name: unique('recipe'), body: 'df -h\n', changes: false, timeoutSeconds: 30 });
const addScript = (ground: Ground): Promise<string> => added(ground, 'script/insert', scriptOf());
const serverOf = () => ({ ...fieldsOf(unique('web'), nowhere), privateKey: idleKey() });
export const addServer = (ground: Ground): Promise<string> => added(ground, 'server/insert', serverOf());
const addDomain = async (ground: Ground): Promise<string> =>
  added(ground, 'domain/insert', {
    serverName: `${unique('shop')}.localhost`,
    server: { id: await addServer(ground) },
  });
const locationOf = () => ({ location: `/${unique('part')}/`, url: 'http://127.0.0.1:9/' });
const addLocation = async (ground: Ground, domain: string): Promise<string> =>
  added(ground, 'domain/location/insert', { domain: { id: domain }, data: locationOf() });
const variableOf = () => ({
  key: unique('KEY').toUpperCase().replaceAll('-', '_'),
  value: 'a value',
  env: { id: 1 },
  secret: true,
});
const addVariable = (ground: Ground): Promise<string> =>
  added(ground, 'env-var/insert', { data: variableOf(), serviceDeploy: { id: ground.ids.service } });
const inviting = () => ({ role: 'member', via: 'email', email: `${unique('guest')}@example.org` });
const addMember = async ({ backend, workspace }: Ground): Promise<string> => {
  const member = await backend.signIn({ workspace, role: 'member', email: `${unique('m')}@example.org` });
  return (await member.get<{ profile: { id: string } }>('session')).body.profile.id;
};
const addWebhook = async (ground: Ground): Promise<Json> => {
  const webhook = { url: 'https://hooks.example.org/console', secret: 'sixteen characters' };
  await asked(ground, 'workspace/alerts', { thresholds: [7], webhook });
  return {};
};
/** A product of its own, with an entity, so that a version of its model can be generated. */
const addModel = async (ground: Ground): Promise<string> => {
  const product = await added(ground, 'product/insert', { data: { name: unique('product') } });
  await added(ground, 'data-model/entity/insert', {
    data: { name: 'Thing', table: '', isUuid: false },
    product: { id: product },
  });
  return product;
};
const addVersion = async (ground: Ground): Promise<string> =>
  added(ground, 'data-model/version/create', { id: await addModel(ground) });
export const ended = async (ground: Ground, run: string): Promise<void> =>
  until(
    async () => (await asked<{ endedAt?: string }>(ground, 'run/detail', { id: run })).endedAt !== undefined,
  );
const addFleet = async (ground: Ground): Promise<string> => {
  const runId = randomUUID();
  await asked(ground, 'fleet/start', { servers: [await addServer(ground)], cmdType: 1, runId });
  return runId;
};
const failedFleet = async (ground: Ground): Promise<string> => {
  const run = await addFleet(ground);
  await ended(ground, run);
  return run;
};
const addRelease = async (ground: Ground): Promise<string> => {
  const { service, package: packageId } = ground.ids;
  const { id } = await asked<{ id: string }>(ground, 'deploy', { id: service, packageId });
  await ended(ground, id);
  return id;
};
/** A database that exists, in a product with the model that every product may start from. */
const addDatabase = async (ground: Ground): Promise<{ product: string; database: string }> => {
  const product = await added(ground, 'product/insert', { data: { name: unique('product') } });
  await asked(ground, 'data-model/version/import/structure', { product: { id: product } });
  const data = databaseAt(await ground.postgres.newDatabase());
  return { product, database: await added(ground, 'database/insert', { data, product: { id: product } }) };
};
/** What it takes to apply the first version to such a database. */
const toApply = async (ground: Ground) => {
  const { product, database } = await addDatabase(ground);
  const uuid = await added(ground, 'data-model/version/create', { id: product });
  return { product, apply: { uuid, database: { id: database } } };
};
/** The revision that a setting of the workspace has now. */
const revision = async (ground: Ground): Promise<number> =>
  (await asked<{ revision: number }>(ground, 'workspace/detail')).revision;

/** One rebuild or comparison of read models at a time. */
const maintained = async (ground: Ground): Promise<Json> => {
  await until(
    async () => (await asked<{ current?: object }>(ground, 'superadmin/projections')).current === undefined,
  );
  return { readModel: 'scripts' };
};

export const bodies: Record<string, Prepare> = {
  ...plainBodies,
  'account.disconnect': async (ground) => {
    const { body } = await ground.who.get<{ profile: { id: string } }>('session');
    const accounts = `insert into app.identities (workspace, provider, subject, person)
      select workspace, provider, provider, id from app.person_records, unnest(array['github', 'google']) provider
      where id = $1 on conflict do nothing`;
    await ground.backend.db.query(accounts, [body.profile.id]);
    return { provider: 'google' };
  },
  'database.test': async (ground) => ({ id: (await addDatabase(ground)).database }),
  'deploy.pull': async (ground) => {
    ground.delivery.answer(withJson({ version: { version: '1.4.2' } }));
    return { server: { id: await addServer(ground) }, cdUrl: `${ground.delivery.url}/deploy/shop` };
  },
  'server.execCmd': async (ground) => ({ id: await registerAt(ground.who, ground.sshd), cmdType: 1 }),
  'data-model.version.import': async (ground) => ({
    product: { id: await added(ground, 'product/insert', { data: { name: unique('product') } }) },
  }),
  'data-model.version.apply': async (ground) => (await toApply(ground)).apply,
  'data-model.version.init': async (ground) => {
    const { product, apply } = await toApply(ground);
    const { runId } = await asked<{ runId: string }>(ground, 'data-model/version/apply', apply);
    await ended(ground, runId);
    return { product: { id: product }, email: 'ada@example.org', password: 'a long password' };
  },
  'alert.dismiss': async (ground) => {
    await addWebhook(ground);
    return { id: await added(ground, 'alert/test', {}) };
  },
  'alert.test': addWebhook,
  'backup.configure': () => ({
    target: { kind: 'folder', path: '/tmp/quarterdeck-repeats' },
    schedule: { at: '02:30' },
    keep: { days: 7, weeks: 4, months: 12 },
    recipients: [],
  }),
  // The schedule is off in this process, so the first one stays requested until it is cancelled.
  'backup.take': () => ({ full: true }),
  'backup.cancel': async (ground) => ({
    work: (await asked<{ current: { work: string } }>(ground, 'backup/overview')).current.work,
  }),
  'deploy.delete': async (ground) => {
    // Recorded as failed, because no address on this machine may be called.
    const cdUrl = `https://hooks.example.org/${unique('shop')}`;
    await ground.who.post('deploy/pull', { server: { id: await addServer(ground) }, cdUrl });
    const [deploy] = await asked<{ id: string }[]>(ground, 'deploy/logs/list');
    return { id: deploy?.id };
  },
  'domain.insert': async (ground) => ({
    serverName: `${unique('shop')}.localhost`,
    server: { id: await addServer(ground) },
  }),
  'domain.update': async (ground) => {
    const id = await addDomain(ground);
    const { revision: seen } = await asked<{ revision: number }>(ground, 'domain/detail', { id });
    const server = { id: await addServer(ground) };
    return { data: { serverName: `${unique('shop')}.localhost`, server }, filters: { id }, revision: seen };
  },
  'domain.delete': async (ground) => ({ id: await addDomain(ground) }),
  'domain.names': async (ground) => ({
    id: await addDomain(ground),
    names: [{ name: `${unique('www')}.localhost`, does: 'serves' }],
  }),
  'domain.settings': async (ground) => ({ id: await addDomain(ground), settings: { hsts: 'off' } }),
  'domain.alerts': async (ground) => ({ id: await addDomain(ground), thresholds: [21, 7] }),
  'domain.location.insert': async (ground) => ({
    domain: { id: await addDomain(ground) },
    data: locationOf(),
  }),
  'domain.location.update': async (ground) => {
    const domain = await addDomain(ground);
    const id = await addLocation(ground, domain);
    const { revision: seen } = await asked<{ revision: number }>(ground, 'domain/detail', { id: domain });
    return { data: locationOf(), filters: { id }, revision: seen };
  },
  'domain.location.delete': async (ground) => ({ id: await addLocation(ground, await addDomain(ground)) }),
  'fleet.start': async (ground) => ({ servers: [await addServer(ground)], cmdType: 1 }),
  'fleet.rerun': async (ground) => ({ id: await failedFleet(ground) }),
  'profile.gh-token.update': () => ({ value: `ghp_${unique('token')}` }),
  'profile.gh-token.delete': async (ground) => {
    await asked(ground, 'profile/gh-token/update', { value: `ghp_${unique('token')}` });
    return {};
  },
  'profile.gh-username.update': () => ({ value: unique('octocat') }),
  'profile.gh-username.delete': async (ground) => {
    await asked(ground, 'profile/gh-username/update', { value: unique('octocat') });
    return {};
  },
  'history.undo': async (ground) => {
    const id = await addScript(ground);
    const removed = await ground.who.post('script/delete', { id });
    const position = removed.headers.get('x-position');
    const { seen } = await asked(ground, 'history/undo/preview', { position });
    return { position, seen };
  },
  'invitation.insert': () => inviting(),
  'invitation.withdraw': async (ground) => ({ id: await added(ground, 'invitation/insert', inviting()) }),
  'notice.remember': () => ({ notices: [{ id: 'credentials', mark: unique('mark') }], state: 'seen' }),
  'person.role': async (ground) => ({ id: await addMember(ground), role: 'admin' }),
  'person.remove': async (ground) => ({ id: await addMember(ground) }),
  'person.forget': async (ground) => {
    const id = await addMember(ground);
    await asked(ground, 'person/remove', { id });
    return { id };
  },
  'person.signOut': async (ground) => ({ id: await addMember(ground) }),
  'person.rename': () => ({ name: unique('Ada') }),
  'deploy.deploy': ({ ids }) => ({ id: ids.service, packageId: ids.package }),
  'deploy.destroyValue': async (ground) => {
    const service = { id: ground.ids.service };
    // A deploy holds the values that it takes along.
    for (const { id } of await asked<{ id: string }[]>(ground, 'deploy/release/list', { service }))
      await ended(ground, id);
    return { service, env: 3, key: 'STRIPE_KEY' };
  },
  'deploy.removeRelease': async (ground) => ({ id: await addRelease(ground) }),
  'run.cancel': async (ground) => ({ id: await addFleet(ground) }),
  'run.retry': async (ground) => ({ id: await failedFleet(ground) }),
  'script.insert': () => scriptOf(),
  'script.update': async (ground) => ({ id: await addScript(ground), data: scriptOf(), revision: 0 }),
  'script.delete': async (ground) => ({ id: await addScript(ground) }),
  'server.insert': () => serverOf(),
  'server.update': async (ground) => {
    const { privateKey: _, ...data } = serverOf();
    return { id: await addServer(ground), data, revision: 0 };
  },
  'server.replaceKey': async (ground) => ({ id: await addServer(ground), privateKey: idleKey() }),
  'server.download': async (ground) => ({ id: await addServer(ground) }),
  'server.delete': async (ground) => ({ id: await addServer(ground) }),
  'session.revoke': async (ground) => {
    await ground.backend.signIn({
      workspace: ground.workspace,
      role: 'superadmin',
      email: 'ada@example.org',
    });
    const sessions = await asked<{ id: string; current: boolean }[]>(ground, 'session/list');
    return { id: sessions.find(({ current }) => !current)?.id };
  },
  'session.revokeOthers': async (ground) => {
    await ground.backend.signIn({
      workspace: ground.workspace,
      role: 'superadmin',
      email: 'ada@example.org',
    });
    return {};
  },
  'superadmin.rebuild': maintained,
  'superadmin.verify': maintained,
  'env-var.insert': ({ ids }) => ({ data: variableOf(), serviceDeploy: { id: ids.service } }),
  'env-var.update': async (ground) => {
    const id = await addVariable(ground);
    const { revision: seen } = await asked<{ revision: number }>(ground, 'env-var/detail', { id });
    return { id, data: variableOf(), revision: seen };
  },
  'env-var.delete': async (ground) => ({ id: await addVariable(ground) }),
  'env-var.reveal': async (ground) => ({ id: await addVariable(ground) }),
  'env-var.preview': ({ ids }) => ({
    product: { id: ids.product },
    service: { id: ids.service },
    env: 2,
    content: 'A=1',
  }),
  'env-var.import': async (ground) => {
    const { product, service } = ground.ids;
    const about = { product: { id: product }, service: { id: service }, env: 2 };
    const what = {
      ...about,
      content: `${variableOf().key}=info\n${variableOf().key}=more`,
      removeOthers: true,
    };
    const { seen } = await asked(ground, 'env-var/import/preview', what);
    return { ...what, seen };
  },
  'env-var.generateExport': ({ ids }) => ({
    product: { id: ids.product },
    service: { id: ids.service },
    env: 1,
  }),
  'env-var.getAppToken': ({ ids }) => ({ service: { id: ids.service }, env: 1 }),
  'env-var.revoke': async (ground) => ({
    id: await added(ground, 'env-var/get-app-token', { service: { id: ground.ids.service }, env: 1 }),
  }),
  'registry.reveal': async ({ ids }) => ({ id: ids.registry, field: 'token' }),
  'database.reveal': async ({ ids }) => ({ id: ids.database, field: 'password' }),
  'data-model.version.create': async (ground) => ({ id: await addModel(ground) }),
  'data-model.version.update': async (ground) => ({
    uuid: await addVersion(ground),
    data: { env: { id: 2 } },
  }),
  'data-model.version.delete': async (ground) => ({ uuid: await addVersion(ground) }),
  'workspace.alerts': async (ground) => ({
    thresholds: [21, 7],
    webhook: { url: `https://hooks.example.org/${unique('hook')}`, secret: 'sixteen characters' },
    revision: await revision(ground),
  }),
  'workspace.sslMonitor': async (ground) => ({
    checkPauseMs: 100,
    renewPauseMs: 5000,
    concurrency: 4,
    expiringDays: 30,
    schedule: '17 3 * * *',
    revision: await revision(ground),
  }),
  'workspace.healthChecks': async (ground) => ({
    everySeconds: 60,
    failures: 2,
    outOf: 3,
    revision: await revision(ground),
  }),
  'workspace.containerFlow': async (ground) => ({
    server: { id: await addServer(ground) },
    revision: await revision(ground),
  }),
  'workspace.audience': async (ground) => ({
    product: { id: ground.ids.product },
    revision: await revision(ground),
  }),
  'workspace.sourceHost': async (ground) => ({
    organization: unique('acme'),
    serverTemplate: 'acme/server-template',
    isPrivate: true,
    revision: await revision(ground),
  }),
  'workspace.retention': async (ground) => ({ runOutputDays: 90, revision: await revision(ground) }),
};

const publicCall = 'nobody is signed in, so the key belongs to nobody';
const endsSession = 'ends the session with which it could be repeated';
const joins = 'a run with the id that the key gives: server.execCmd shows that a repetition joins it';
const factor = 'takes a second factor, whose answers are good once: e2e/people/second-factors';
const host = 'e2e/repositories repeats it at the source-code host';

/** Calls that are not repeated here, and why. */
export const apart: Record<string, string> = {
  'account.connect': 'begins a sign-in at a provider and changes nothing else',
  'account.connected': 'takes a sign-in at a provider: e2e/sign-in',
  'auth.link': publicCall,
  'auth.logout': endsSession,
  'auth.signOut': endsSession,
  'auth.url': publicCall,
  'auth.redirect': publicCall,
  'auth.invitation': publicCall,
  'backup.drill': 'takes an archive, and is decided as backup.take',
  'backup.release': 'takes a restored console: e2e/backups',
  'data-model.migration.delete': 'is always refused',
  'data-model.version.adopt': 'a run with the id that the key gives, as data-model.version.import',
  'database.create': joins,
  'database.try': 'looks at the database again, and answers how long that took',
  'deploy.rollback': joins,
  'deploy.stopRelease': joins,
  'dns.addHost': 'takes a provider: e2e/dns repeats it',
  'domain.checkDns': 'asks DNS again, and answers when',
  'domain.location.inspect': joins,
  'domain.removeLeft': joins,
  'domain.location.logs': joins,
  'gh-action.client': host,
  'gh-action.server': host,
  'github.addModel': host,
  'github.cloneFromTemplate': host,
  'github.init': host,
  'github.release': host,
  'nginx.adopt': 'takes a site that was found on a server: e2e/webserver',
  'nginx.exec': joins,
  'nginx.issueCertificate': joins,
  'nginx.look': joins,
  'nginx.remove': joins,
  'nginx.removeCertificate': joins,
  'nginx.restore': joins,
  'person.resetSecondFactor': factor,
  'second-factor.givePasskey': factor,
  'second-factor.giveRecovery': factor,
  'second-factor.giveTotp': factor,
  'second-factor.passkeyBegin': factor,
  'second-factor.passkeyConfirm': factor,
  'second-factor.passkeyOptions': factor,
  'second-factor.recoveryCodes': factor,
  'second-factor.remove': factor,
  'second-factor.rename': factor,
  'second-factor.totpBegin': factor,
  'second-factor.totpConfirm': factor,
  'server.acceptHostKey': 'takes a server whose key has changed: e2e/faults/servers',
  'server.contact': 'connects again, and answers what it finds then',
  'server.init': joins,
  'server.installDocker': joins,
  'service.cleanUp': joins,
  'service.create': host,
  'service.trigger': host,
  'ssl.run': joins,
  'superadmin.acknowledge': 'takes a forged event: e2e/faults/forgeries',
  'superadmin.cancel': 'takes a rebuild that lasts, and is decided as backup.cancel',
  'superadmin.retry': 'takes a parked event, and tries again as often as it is asked',
  'workspace.secondFactor': factor,
  'workspace.dns': 'a setting like workspace.alerts, with an address of a provider that has to be allowed',
};
