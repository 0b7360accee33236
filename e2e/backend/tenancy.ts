/** Two workspaces of one installation, and calls by which the admin of one asks for data of the other. */
import { contract, type Call } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { addApp } from '../people/authenticator-app';
import { service } from '@quarterdeck/events';
import { parentOf, parentsFirst, plain, valuesOf } from './plain-nouns';
import type { Operator } from '../peers/backend';
import { connectSocket } from './socket';
import { apart, inPassing, lists } from './tenancy-routes';
import { fieldsOf, idleKey, nowhere, type World } from './world';

type Body = Record<string, unknown>;

const script = (name: string) => ({ name, body: 'df -h\n', changes: false, timeoutSeconds: 30 });

/** Other required fields, by name, or by noun and field if they differ. */
const extras = (): Body => ({
  'server.data': fieldsOf('stolen', nowhere),
  'script.data': script('stolen'),
  'domain.data': { serverName: 'stolen.localhost', server: { id: uuidv7() } },
  'domain.server': { id: uuidv7() },
  'domain.names': [{ name: 'www.taken.example', does: 'serves' }],
  'domain.settings': { hsts: 'off' },
  'domain/location.data': { location: '/stolen/' },
  'env-var.data': { key: 'STOLEN', value: 'x', env: { id: 1 } },
  'env-var.env': 1,
  'env-var.content': 'STOLEN=x',
  'version.data': { env: { id: 2 } },
  'version.from': 0,
  'version.database': { id: uuidv7() },
  'version.seal': 'a'.repeat(64),
  'version.password': 'stolen',
  'deploy.packageId': uuidv7(),
  'deploy.env': 3,
  'deploy.key': 'STOLEN',
  'second-factor.name': 'Stolen phone',
  'second-factor.code': '123456',
  'migration.version': { uuid: uuidv7() },
  ...Object.fromEntries(plain.map((noun) => [`${noun.category}.data`, valuesOf(noun, 'stolen')])),
  'service.data': { ...valuesOf(service, 'stolen'), nameFront: 'stolen', repoFront: 'stolen-client' },
  serverName: 'stolen.localhost',
  field: 'password',
  administrator: { username: 'root', password: 'x' },
  cdUrl: 'http://127.0.0.1:9/',
  thresholds: null,
  sha256: 'a'.repeat(64),
  privateKey: idleKey(),
  fingerprint: 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  role: 'member',
  cmdType: 1,
  organization: 'acme',
  repo: 'shop',
  position: '1',
  hours: 24,
});

/** Nouns whose routes take the id of another noun. */
const idsOf: Record<string, string> = { health: 'server', nginx: 'domain', ssl: 'run' };

/** Routes of a noun that take the id of its parent. */
const idsOfRoute: Record<string, string> = {
  '/api/data-model/version/list': 'product',
  '/api/data-model/version/pending': 'product',
  '/api/data-model/version/create': 'product',
  '/api/second-factor/totp/confirm': 'app to confirm',
  '/api/env-var/token/revoke': 'apptoken',
  '/api/deploy': 'service',
  '/api/deploy/service/versions': 'service',
  '/api/deploy/release/value/list': 'service',
  '/api/deploy/release/value/destroy': 'service',
  '/api/deploy/release/detail': 'release',
  '/api/deploy/release/rollback': 'release',
  '/api/deploy/release/delete': 'release',
};

/** Fields of which a route needs at least one. */
const oneOf: Record<string, string[]> = { '/api/deploy/pull': ['cdUrl'] };
/** Fields that name a thing by an object with an id: `{ domain: { id } }`. */
const named = ['filters', 'domain', 'server', ...plain.map(({ category }) => category)];

interface Shape {
  properties?: Record<string, object>;
  required?: string[];
}

/** A call, with the prefix in its path. */
type Route = Pick<Call, 'method' | 'path' | 'input'>;

const routes: readonly Route[] = contract.map((call) => ({ ...call, path: `/api/${call.path}` }));

const shapeOf = ({ input }: Route): Shape =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape;

/** `server`, or `domain/location` for things inside another thing. */
const nounOf = ({ path }: Route): string => {
  // The longest match, because a noun's path may continue that of another one.
  const found = plain
    .filter((one) => path.startsWith(`/api/${one.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (found) return found.category;
  const [, , noun = '', part = ''] = path.split('/');
  if (noun === 'data-model') return part;
  return part === 'location' ? `${noun}/${part}` : noun;
};

/** The field by which a route names one thing: its own `id`, or an object with one. */
const nameIn = (route: Route): string | undefined =>
  ['id', 'uuid', ...named].find((field) => shapeOf(route).required?.includes(field));

const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.split('?')[0] ?? ''}`;

/** Kind of the named thing: the noun of the path, unless the field says otherwise. */
const subjectOf = (route: Route): string => {
  const field = nameIn(route) ?? 'id';
  const noun = nounOf(route);
  if (!['id', 'uuid', 'filters'].includes(field)) return field;
  return idsOfRoute[route.path] ?? idsOf[noun] ?? noun;
};

export interface Tenancy {
  owner: Operator;
  /** Superadmin of the other workspace. */
  stranger: Operator;
  /** Ids in the owner's workspace, by the noun in the path. */
  ids: Record<string, string>;
  /** A position in the owner's history. */
  position: string;
  /** Number of events that the stranger has caused anywhere. */
  written(): Promise<number>;
  /** Routes that name one thing. */
  naming: Route[];
  /** Routes that are not listed here, and listed routes that do not exist. */
  forgotten: { routes: string[]; entries: string[] };
  /**
   * Calls every route that names one thing with the owner's ids. @returns answers that differ from that for an unknown
   * id
   */
  askForForeign(): Promise<unknown[]>;
  /** Calls every list in every way. @returns answers that contain something of the owner's */
  askForLists(): Promise<unknown[]>;
  /** Listens, including to the owner's run, while the owner works. @returns everything received about the owner */
  listen(): Promise<unknown[]>;
}

export const openTenancy = async ({ backend }: World): Promise<Tenancy> => {
  const more = extras();
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
    privateKey: more.privateKey,
  });
  const saved = await owner.post<{ id: string }>('script/insert', script(`recipe-${alias}`));
  const ids: Record<string, string> = {
    server: registered.body.id,
    run: uuidv7(),
    script: saved.body.id,
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
  ids.deploy = deploys.body[0]?.id ?? '';
  await owner.post('workspace/alerts', {
    thresholds: [7],
    webhook: { url: `https://hooks.example.org/${alias}`, secret: `secret of ${alias}` },
  });
  ids.alert = (await owner.post<{ id: string }>('alert/test', {})).body.id;
  ids['second-factor'] = (await addApp(owner)).id;
  ids['app to confirm'] = (await owner.post<{ id: string }>('second-factor/totp/begin')).body.id;
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
  ids['domain/location'] = location.body.id;
  for (const noun of parentsFirst) {
    const parent = parentOf(noun, noun.within && ids[noun.within]);
    const data = valuesOf(noun, `${noun.category}-${alias}`, (category) => ids[category]);
    ids[noun.category] = (
      await owner.post<{ id: string }>(`${noun.path}/insert`, { data, ...parent })
    ).body.id;
  }
  const variable = { key: 'OURS', value: `value-${alias}`, env: { id: 1 }, secret: true };
  const kept = { data: variable, serviceDeploy: { id: ids.service } };
  ids['env-var'] = (await owner.post<{ id: string }>('env-var/insert', kept)).body.id;
  const readable = { service: { id: ids.service }, env: 1 };
  ids.apptoken = (await owner.post<{ id: string }>('env-var/get-app-token', readable)).body.id;
  const release = { id: ids.service, packageId: ids.package };
  ids.release = (await owner.post<{ id: string }>('deploy', release)).body.id;
  const generated = await owner.post<{ id: string }>('data-model/version/create', { id: ids.product });
  ids.version = generated.body.id;
  const migrations = await owner.post<{ id: string }[]>('data-model/migration/list', {
    product: { id: ids.product },
    version: { uuid: ids.version },
  });
  ids.migration = migrations.body[0]?.id ?? '';
  await owner.post('server/execCmd', { id: ids.server, cmdType: 1, runId: ids.run });
  await owner.post('fleet/start', { servers: [ids.server], cmdType: 1, runId: ids.fleet });
  const naming = routes.filter((route) => nameIn(route) !== undefined);
  const asked = new Set([
    ...lists(ids, alias).map(keyOf),
    ...Object.keys(inPassing).map((path) => keyOf({ method: 'POST', path })),
    ...Object.keys(apart),
  ]);
  const all = new Set(routes.map(keyOf));
  const forgotten = {
    routes: routes.filter((route) => !naming.includes(route) && !asked.has(keyOf(route))).map(keyOf),
    entries: [...asked].filter((key) => !all.has(key)),
  };
  const traces = [...Object.values(ids), alias, email, ours];

  const bodyFor = (route: Route, id: string): Body => {
    const field = nameIn(route) ?? 'id';
    const needed = [...(shapeOf(route).required ?? []), ...(oneOf[route.path] ?? [])];
    const required = needed.filter((name) => name !== field);
    const value = (name: string): unknown => more[`${nounOf(route)}.${name}`] ?? more[name];
    const rest = Object.fromEntries(required.map((name) => [name, value(name)]));
    return { ...rest, [field]: ['id', 'uuid'].includes(field) ? id : { id } };
  };

  const askForForeign = async (): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    const ask = (route: Route, body: Body) =>
      route.method === 'GET'
        ? stranger.get(`${route.path}?${new URLSearchParams(body as Record<string, string>).toString()}`)
        : stranger.post(route.path, body);
    for (const route of naming) {
      const foreign = ids[subjectOf(route)] ?? `no ${subjectOf(route)} in this test`;
      const unknown = uuidv7();
      const forForeign = await ask(route, bodyFor(route, foreign));
      const forUnknown = await ask(route, bodyFor(route, unknown));
      const same =
        JSON.stringify(forForeign.body) === JSON.stringify(forUnknown.body).replaceAll(unknown, foreign);
      if (forForeign.status !== 404 || forUnknown.status !== 404 || !same)
        wrong.push([route.path, forForeign, forUnknown]);
    }
    for (const [path, { noun, body }] of Object.entries(inPassing)) {
      const [foreign = '', unknown, fresh] = [ids[noun], uuidv7(), uuidv7()];
      const [one, other] = [
        await stranger.post(path, body(foreign, fresh)),
        await stranger.post(path, body(unknown, fresh)),
      ];
      const said = JSON.stringify(other.body).replaceAll(unknown, foreign);
      if (one.status !== other.status || JSON.stringify(one.body) !== said) wrong.push([path, one, other]);
    }
    return wrong;
  };

  const askForLists = async (): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    await Promise.all(
      lists(ids, alias).map(async ({ method, path, body }) => {
        const answer = method === 'GET' ? await stranger.get(path) : await stranger.post(path, body);
        const text = JSON.stringify(answer.body);
        if (answer.status !== 200 || traces.some((trace) => text.includes(trace)))
          wrong.push([path, answer.status, answer.body]);
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

  const position = registered.headers.get('x-position') ?? '';
  return { owner, stranger, ids, position, written, naming, forgotten, askForForeign, askForLists, listen };
};
