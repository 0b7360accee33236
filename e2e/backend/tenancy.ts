/** Two workspaces of one installation, and calls by which the admin of one asks for data of the other. */
import { contract, isRead, requestTo, type Call } from '@quarterdeck/contract';
import { newRunId, position as demoPosition, privateKey } from '@quarterdeck/contract/demo';
import { parentOf, valuesOf } from '@quarterdeck/contract/kit-examples';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { exampleOf, replaced, thingsIn, type Things } from '../examples';
import type { Json } from '../fuzz/hostile';
import { addApp } from '../people/authenticator-app';
import { parentsFirst } from './plain-nouns';
import { CloudGround } from '../../apps/backend/src/cloud';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { askingInstance, publishAsking, type Ask } from '../workflows/workflows-ground';
import { waitingPush } from '../pushes/push-ground';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { connectSocket } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere, type World } from './world';

type Body = Record<string, Json>;

/** They ask another machine, by a public name or with the asker's own token. */
const outside = [
  'digitalocean.domainDifference',
  'digitalocean.dropletOptions',
  'digitalocean.recordList',
  'dns.expiry',
  'dns.ipFromHostname',
  'github.containers',
  'github.limit',
];

/** Superadministrators see the whole installation (e2e/superadmin). Public calls know no workspace. */
const walked = contract.filter(
  ({ id, access, noun }) =>
    (access === 'member' || access === 'admin' || noun === 'workspace') && !outside.includes(id),
);
/** They name the field instead: they take a list of ids, or one that is a field of what they add. */
const refused = ['fleet.start', 'request.import', 'schedule.insert'];
const naming = walked.filter((call) => thingsIn(call).length > 0);

/** What a call accepts of its example: the required fields, each other one in addition, parts of one, and all. */
const variantsOf = ({ input }: Call, example: Body): Body[] => {
  const { required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const only = (...more: string[]): Body =>
    Object.fromEntries(Object.entries(example).filter(([key]) => [...required, ...more].includes(key)));
  const inParts = Object.entries(example).flatMap(([key, value]) => {
    const parts = { ...(value as Body) };
    return Object.keys(parts)
      .filter((part) => typeof parts[part] === 'object')
      .map((part) => ({ ...only(), [key]: { ...parts, [part]: undefined } }));
  });
  const all = [only(), ...Object.keys(example).map((key) => only(key)), ...inParts, example];
  const texts = new Set(all.map((one) => JSON.stringify(one)));
  return [...texts].map((text) => JSON.parse(text) as Body).filter((one) => input.safeParse(one).success);
};

export interface Tenancy {
  owner: Operator;
  /** Superadmin of the other workspace. */
  stranger: Operator;
  /** Ids in the owner's workspace. */
  ids: Record<string, string>;
  /** A position in the owner's history. */
  position: string;
  /** Number of events that the stranger has caused anywhere. */
  written(): Promise<number>;
  /** Things of examples that the owner has not got, so that nobody could ask for them. */
  missing: string[];
  /** Calls that may name something. */
  naming: readonly Call[];
  /** Asks for the owner's things by every call that may name some. @returns answers that differ from those for unknown ids */
  askForForeign(): Promise<unknown[]>;
  /** Makes every call that reads. @returns answers that contain something of the owner's */
  askForLists(): Promise<unknown[]>;
  /** Listens, including to the owner's run, while the owner works. @returns everything received about the owner */
  listen(): Promise<unknown[]>;
}

const atCloud = (name: string) => ({
  name,
  region: 'fra1',
  tags: [],
  createdAt: '2026-11-23T12:00:00Z',
});
const machineNamed = (name: string) => ({
  ...atCloud(name),
  droplet: 28_448_430,
  status: 'active' as const,
  isLocked: false,
  networks: { v4: [] },
  size: 's-1vcpu-1gb',
  image: 'debian-12-x64',
  backups: false,
  priceMonthly: 6,
  priceHourly: 0.008_93,
});
const clusterNamed = (name: string) => ({
  ...atCloud(name),
  cluster: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30',
  engine: 'mysql',
  status: 'online',
  version: '8',
  size: 'db-s-1vcpu-1gb',
});

export const openTenancy = async ({ backend }: World): Promise<Tenancy> => {
  const key = idleKey();
  const [ours, theirs] = [`ours-${uuidv7()}`, `theirs-${uuidv7()}`];
  const email = `${ours}@example.org`;
  const alias = `web-${uuidv7()}`;
  const owner = await backend.signIn({ workspace: ours, role: 'admin', email });
  const stranger = await backend.signIn({
    workspace: theirs,
    role: 'superadmin',
    email: `${theirs}@example.org`,
  });
  const registered = await owner.post<{ id: string }>('server/insert', {
    ...fieldsOf(alias, nowhere),
    privateKey: idleKey(),
  });
  const saved = await owner.post<{ id: string }>('script/insert', {
    name: `recipe-${alias}`,
    body: 'df -h\n',
    changes: false,
    timeoutSeconds: 30,
  });
  const ids: Record<string, string> = {
    server: registered.body.id,
    run: uuidv7(),
    script: saved.body.id,
    // Users of an API are in the product's database. The instance is refused first.
    apiUser: uuidv7(),
    fleet: uuidv7(),
    person: (await owner.get<{ profile: { id: string } }>('session')).body.profile.id,
    invitation: (
      await owner.post<{ id: string }>('invitation/insert', {
        role: 'admin',
        via: 'email',
        email: `guest-of-${email}`,
      })
    ).body.id,
  };
  // Recorded as failed, because no address on this machine may be called.
  await owner.post('deploy/pull', {
    server: { id: ids.server },
    cdUrl: `https://hooks.example.org/${alias}`,
  });
  const deploys = await owner.post<{ id: string }[]>('deploy/logs/list', {});
  ids.pull = deploys.body[0]?.id ?? '';
  await owner.post('workspace/alerts', {
    thresholds: [7],
    webhook: { url: `https://hooks.example.org/${alias}`, secret: `secret of ${alias}` },
  });
  ids.alert = (await owner.post<{ id: string }>('alert/test', {})).body.id;
  const cloud = backend.app.get(CloudGround, { strict: false });
  const { instance } = (await owner.get<{ profile: { instance: { uuid: string } } }>('session')).body.profile;
  const asSystem = ownMeta('system', instance.uuid);
  ids.droplet = await cloud.observeMachine(machineNamed(alias), asSystem);
  ids.cloudDatabase = await cloud.observeCluster(clusterNamed(alias), asSystem);
  ids.secondFactor = (await addApp(owner)).id;
  ids.app = (await owner.post<{ id: string }>('second-factor/totp/begin')).body.id;
  const sessions = await owner.post<{ id: string }[]>('session/list');
  ids.session = sessions.body[0]?.id ?? '';
  const server = { id: ids.server };
  const domain = await owner.post<{ id: string }>('domain/insert', {
    serverName: `${alias}.localhost`,
    server,
  });
  ids.domain = domain.body.id;
  const location = await owner.post<{ id: string }>('domain/location/insert', {
    domain: { id: ids.domain },
    data: { location: `/${alias}/`, url: 'http://127.0.0.1:9/' },
  });
  ids.location = location.body.id;
  for (const noun of parentsFirst) {
    if (noun.category === 'notification') {
      const key = { key: `key-${alias}`, isCms: true, product: { id: ids.product } };
      ids.cmsText = (await owner.post<{ id: string }>('i18n/insert', { data: key })).body.id;
    }
    const parent = parentOf(noun, (category) => ids[category]);
    const data = valuesOf(noun, `${noun.category}-${alias}`, (category) => ids[category]);
    ids[noun.category] = (
      await owner.post<{ id: string }>(`${noun.path}/insert`, { data, ...parent })
    ).body.id;
  }
  const variable = { key: 'OURS', value: `value-${alias}`, env: { id: 1 }, secret: true };
  const kept = { data: variable, serviceDeploy: { id: ids.service } };
  ids.variable = (await owner.post<{ id: string }>('env-var/insert', kept)).body.id;
  const texts = { product: { id: ids.product }, isCms: false };
  const added = async (path: string, body: object): Promise<string> =>
    (await owner.post<{ id: string }>(`i18n/${path}`, body)).body.id;
  ids.text = await added('insert', { data: { key: `title-${alias}`, ...texts } });
  ids.textUnit = await added('insert/unit', { i18nKey: ids.text, name: `Title of ${alias}`, language: 1 });
  ids.textComment = await added('insert/comment', { uuid: ids.text, text: `about ${alias}` });
  const content = Buffer.from(`{"imported-${alias}": "${alias}"}`).toString('base64');
  const file = { ...texts, name: 'en.json', content };
  const { body: reviewed } = await owner.post<{ seen: string }>('i18n/import/preview', file);
  const imported = await owner.post<{ runId: string }>('i18n/import', { ...file, seen: reviewed.seen });
  ids.textImport = imported.body.runId;
  // One run at a time changes a product.
  const isOver = async (id: string | undefined): Promise<boolean> =>
    (await owner.post<{ endedAt?: string }>('run/detail', { id })).body.endedAt !== undefined;
  await until(() => isOver(ids.textImport));
  const model = await owner.post<{ runId: string }>('data-model/version/import/structure', {
    product: { id: ids.product },
  });
  ids.modelImport = model.body.runId;
  const readable = { service: { id: ids.service }, env: 1 };
  ids.appToken = (await owner.post<{ id: string }>('env-var/get-app-token', readable)).body.id;
  ids.publicToken = (
    await owner.post<{ id: string }>('public-token/issue', { product: { id: ids.product } })
  ).body.id;
  const begun = { kind: 'product', values: { name: `created-${alias}` } };
  ids.creation = (await owner.post<{ id: string }>('creation/start', begun)).body.id;
  const mail = { from: `${alias}@example.org`, recipients: [email], subject: alias, body: alias };
  const ofProduct = { product: { id: ids.product } };
  ids.email = (await owner.post<{ id: string }>('email/insert', { data: { ...mail, ...ofProduct } })).body.id;
  ids.mailToken = (await owner.post<{ id: string }>('email/token/issue', ofProduct)).body.id;
  ids.workflowToken = (
    await owner.post<{ id: string }>('workflow/trigger/token/issue', { id: ids.workflowTrigger })
  ).body.id;
  const ask: Ask = async (path, body) => (await owner.post<never>(path, body)).body;
  await publishAsking(ask, ids.workflow ?? '', ids.workflowNode ?? '');
  const waiting = await askingInstance(ask, { id: ids.workflow ?? '' }, { told: alias });
  ids.pushToken = (
    await owner.post<{ id: string }>('push/token/issue', { service: { id: ids.service } })
  ).body.id;
  ids.push = await waitingPush(owner, ids.service ?? '');
  ids.workflowInstance = waiting.id;
  ids.workflowState = waiting.states[0]?.id ?? '';
  const release = { id: ids.service, packageId: ids.package };
  ids.deploy = (await owner.post<{ id: string }>('deploy', release)).body.id;
  const generated = await owner.post<{ id: string }>('data-model/version/create', { id: ids.product });
  ids.version = generated.body.id;
  const migrations = await owner.post<{ id: string }[]>('data-model/migration/list', {
    product: { id: ids.product },
    version: { uuid: ids.version },
  });
  ids.migration = migrations.body[0]?.id ?? '';
  await owner.post('server/execCmd', { id: ids.server, cmdType: 1, runId: ids.run });
  await owner.post('fleet/start', { servers: [ids.server], cmdType: 1, runId: ids.fleet });
  ids.sslRun = ids.run ?? '';
  const told = { data: { request: { id: ids.request }, responseBody: `told-${alias}` } };
  ids.answered = (await owner.post<{ id: string }>('request/logs/insert', told)).body.id;
  const position = registered.headers.get('x-position') ?? '';
  const began = new Date().toISOString();
  const traces = [...Object.values(ids), alias, email, ours];

  const send = (call: Call, input: Body) => {
    const { path, body } = requestTo(call, input);
    return body ? stranger.post(path, body) : stranger.get(path, { 'x-requested-with': 'test' });
  };
  const exampleFor = (call: Call, things: Things, more: Record<string, string>): Body => {
    const [from, to] = [began, new Date().toISOString()];
    const now = { '2026-11-20T00:00:00Z': from, '2026-11-21T00:00:00Z': to, [demoPosition]: position };
    return replaced(exampleOf(call, things), { [privateKey]: key, ...now, ...more }) as Body;
  };

  const askForForeign = async (): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    for (const call of naming) {
      const unknown = Object.fromEntries(thingsIn(call).map((thing) => [thing, uuidv7()]));
      const owned = Object.fromEntries(
        thingsIn(call).map((thing) => [unknown[thing] ?? '', ids[thing] ?? '']),
      );
      const asOwned = (body: unknown): string =>
        Object.entries(owned).reduce((text, [id, own]) => text.replaceAll(id, own), JSON.stringify(body));
      const statuses = new Set<number>();
      for (const input of variantsOf(call, exampleFor(call, unknown, { [newRunId]: uuidv7() }))) {
        const foreign = JSON.parse(asOwned(input)) as Body;
        if (JSON.stringify(foreign) === JSON.stringify(input)) continue;
        const [one, other] = [await send(call, foreign), await send(call, input)];
        statuses.add(one.status);
        if (one.status !== other.status || JSON.stringify(one.body) !== asOwned(other.body))
          wrong.push([call.id, input, one, other]);
      }
      const isList = isRead(call) && statuses.has(200);
      if (!statuses.has(404) && !isList && !refused.includes(call.id)) wrong.push([call.id, ...statuses]);
    }
    return wrong;
  };

  const askForLists = async (): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    await Promise.all(
      walked.filter(isRead).map(async (call) => {
        for (const input of variantsOf(call, exampleFor(call, ids, { web: alias }))) {
          const answer = await send(call, input);
          const text = JSON.stringify(answer.body);
          if (![200, 404].includes(answer.status) || traces.some((trace) => text.includes(trace)))
            wrong.push([call.id, input, answer.status, answer.body]);
        }
      }),
    );
    return wrong;
  };

  const written = async (): Promise<number> => {
    const { body } = await stranger.get<{ profile: { id: string } }>('session');
    // Work that the owner started may still be running.
    const { rows } = await backend.db.query<{ count: string }>(
      `select count(*) from log.events where meta->>'actor' = $1`,
      [body.profile.id],
    );
    return Number(rows[0]?.count);
  };

  const listen = async (): Promise<unknown[]> => {
    const [here, there] = [await connectSocket(owner), await connectSocket(stranger)];
    const heard: unknown[] = [];
    there.socket.onAny((...message: unknown[]) => heard.push(message));
    const [known, caughtUp] = [await here.resume(position), await there.resume('0')];
    const refusal = await there.watch(ids.run ?? '');
    if (refusal.error !== 'run could not be found') heard.push([ids.run, refusal]);
    await owner.post('server/execCmd', { id: ids.server, cmdType: 1, runId: uuidv7() });
    await here.until(() => here.changes.length > (known.events?.length ?? 0));
    // Legitimate pushes reach both listeners together; this waits for pushes that should not come.
    await new Promise((done) => setTimeout(done, 100));
    for (const { close } of [here, there]) close();
    return [caughtUp, ...heard].filter((one) => traces.some((trace) => JSON.stringify(one).includes(trace)));
  };

  const missing = [...new Set(naming.flatMap(thingsIn))].filter((thing) => !ids[thing]);
  return { owner, stranger, ids, position, written, missing, naming, askForForeign, askForLists, listen };
};
