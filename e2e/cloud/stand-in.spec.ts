/**
 * The stand-in of DigitalOcean against its description: every call that the description has is answered as described, and
 * refused as described. And the product against the description: what it reads is there, and what it sends is taken.
 * covers: CLOUD-01, CLOUD-02, CLOUD-03, CLOUD-04
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { digitalOcean } from '../../apps/backend/src/cloud/digitalocean-provider';
import * as shapes from '../../apps/backend/src/cloud/digitalocean-shapes';
import type { CloudProvider } from '../../apps/backend/src/cloud/provider';
import { Outbound } from '../../apps/backend/src/platform/outbound/outbound';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { answerProblems, matched, operations } from '../../testing/digitalocean/description';
import * as models from '../../testing/digitalocean/models';
import { routes } from '../../testing/digitalocean/routes';

let cloud: DigitalOceanPeer;
beforeAll(async () => {
  cloud = await startDigitalOcean();
  Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
  cloud.oauth.tokens.set('dop_v1_readonly', { scopes: ['read'] });
});
afterAll(() => cloud?.stop());
beforeEach(() => cloud.undescribed.splice(0));

const newKey = (): string => `ssh-ed25519 ${randomBytes(51).toString('base64')} test`;
/** The smallest account in which every path of the description leads to something. */
const prepared = (): Record<string, string> => {
  const { account } = cloud;
  const droplet = account.addDroplet({ name: `walked-${account.nextId()}`, tags: ['walked'] });
  const cluster = account.addCluster({ name: `walked-${account.nextId()}`, tags: ['walked'] });
  account.setRules(cluster.id, [{ type: 'k8s', value: randomUUID() }]);
  const domain = `d${account.nextId()}.example`;
  cloud.addDomain(domain);
  cloud.addRecord(domain, { type: 'A', name: 'shop', data: '203.0.113.7' });
  return {
    droplet: String(droplet.id),
    action: String(account.begin('reboot', droplet, () => undefined).id),
    key: String(account.addKey('walked', newKey()).id),
    cluster: cluster.id,
    domain,
    record: String(cloud.records(domain).at(-1)?.id),
  };
};

type Body = Record<string, unknown>;
const record = { type: 'A', name: 'new', data: '203.0.113.8' };
const everyField = { ttl: 30, priority: 10, port: 5060, weight: 1, flags: 0, tag: 'issue' };
/** Bodies of requests. Those of a call have, together, every field of its description. */
const bodies: Readonly<Record<string, () => Body[]>> = {
  'POST /v2/account/keys': () => [{ name: 'new', public_key: newKey() }],
  'POST /v2/droplets': () => [
    { name: 'least', size: 's-1vcpu-1gb', image: 1002 },
    {
      name: 'all.example',
      region: 'nyc1',
      size: 's-1vcpu-2gb',
      image: 'debian-12-x64',
      ssh_keys: [],
      backups: true,
      ipv6: true,
      monitoring: true,
      vpc_uuid: randomUUID(),
      tags: ['a:b'],
      user_data: '#cloud-config\n{}',
      with_droplet_agent: false,
    },
  ],
  'POST /v2/droplets/{droplet}/actions': () => [
    ...['reboot', 'power_cycle', 'shutdown', 'power_off'].map((type) => ({ type })),
    { type: 'rename', name: 'renamed' },
    { type: 'snapshot', name: 'before' },
    { type: 'rebuild', image: 'debian-12-x64' },
  ],
  'POST /v2/databases': () => [
    {
      name: 'all-fields',
      engine: 'pg',
      version: '17',
      num_nodes: 1,
      size: 'db-s-1vcpu-1gb',
      region: 'fra1',
      private_network_uuid: randomUUID(),
      project_id: randomUUID(),
      tags: ['a'],
    },
  ],
  'PUT /v2/databases/{cluster}/firewall': () => [
    { rules: [] },
    { rules: ['droplet', 'k8s', 'ip_addr', 'tag', 'app'].map((type) => ({ type, value: 'v' })) },
    { rules: [{ uuid: randomUUID(), cluster_uuid: randomUUID(), type: 'tag', value: 'v' }] },
  ],
  'POST /v2/databases/{cluster}/dbs': () => [{ name: 'shop' }],
  'POST /v2/domains': () => [{ name: `n${cloud.account.nextId()}.example`, ip_address: '203.0.113.9' }],
  'POST /v2/domains/{domain}/records': () => [record, { ...record, ...everyField, name: 'all' }],
  'PATCH /v2/domains/{domain}/records/{record}': () => [{ ...record, ...everyField }],
  'PUT /v2/domains/{domain}/records/{record}': () => [{ ...record, ...everyField }],
};
/** What a droplet has to be like for an action. */
const whenOff: Readonly<Record<string, Body[]>> = {
  'POST /v2/droplets/{droplet}/actions': [
    { type: 'power_on' },
    { type: 'resize', size: 's-1vcpu-2gb', disk: true },
  ],
};

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  anyOf?: Shape[];
  items?: Shape;
}
const shapeOf = (schema: z.ZodType): Shape =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
const alternatives = (shape: Shape): Shape[] => shape.anyOf?.flatMap(alternatives) ?? [shape];
/** `size.price_monthly`, `networks.v4[].type` */
const fieldsIn = (shape: Shape, at = ''): string[] => [
  ...new Set(
    alternatives(shape).flatMap(({ properties = {}, items }) => [
      ...Object.entries(properties).flatMap(([name, one]) => {
        const path = at === '' ? name : `${at}.${name}`;
        return [path, ...fieldsIn(one, path)];
      }),
      ...(items ? fieldsIn(items, `${at}[]`) : []),
    ]),
  ),
];

interface Sent {
  body?: unknown;
  query?: string;
  token?: string | null;
}
const addressed = (name: string, params: Record<string, string>): [method: string, path: string] => {
  const [method = '', path = ''] = name.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`the test has no ${key} for ${name}`);
    return encodeURIComponent(value);
  });
  return [method, filled];
};
const send = async (name: string, params: Record<string, string>, sent: Sent = {}) => {
  const [method, path] = addressed(name, params);
  const { body, query = '', token = cloud.token } = sent;
  const answer = await fetch(`${cloud.url}${path}${query}`, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
};
const expectRefusal = async (
  answered: ReturnType<typeof send>,
  status: number,
  why: unknown,
): Promise<void> => {
  const { status: is, body } = await answered;
  expect([why, is]).toEqual([why, status]);
  expect(body).toEqual({
    id: expect.any(String),
    message: expect.any(String),
    request_id: expect.any(String),
  });
};

const names = Object.keys(operations);
const success = (name: string): number => Number(Object.keys(operations[name]?.answers ?? {})[0]);
/** By parameter of a call: a value that it takes, and values that it refuses. */
const parameters = (name: string): [field: string, good: string, bad: string[]][] =>
  Object.entries((operations[name]?.query?.shape ?? {}) as Record<string, z.ZodType>).map(
    ([field, schema]) => {
      const takes = (value: string): boolean => schema.safeParse(value).success;
      const good = ['1', 'walked', 'distribution'].find(takes);
      if (good === undefined) throw new Error(`the test has no value for ${field} of ${name}`);
      return [field, good, ['x', '0', '-1', '1.5'].filter((value) => !takes(value))];
    },
  );

test('the description has the 36 calls of the cut, each with an answer, and the stand-in answers no other', () => {
  expect(names).toHaveLength(36);
  expect(Object.keys(routes).toSorted()).toEqual(names.toSorted());
  for (const name of names) expect(Number.isNaN(success(name))).toBe(false);
});

test.each(names)('%s is answered as described, with every field of its description', async (name) => {
  const { body: schema } = operations[name] ?? {};
  const given = bodies[name]?.() ?? [];
  expect(given.length > 0).toBe(schema !== undefined);
  const off = whenOff[name] ?? [];
  if (schema) {
    const all = new Set([...given, ...off].flatMap((one) => fieldsIn(asShape(one))));
    expect(fieldsIn(shapeOf(schema)).filter((field) => !all.has(field))).toEqual([]);
  }
  const requests: Sent[] = [
    ...(schema ? given.map((body) => ({ body })) : [{}]),
    ...parameters(name).map(([field, good]) => ({ query: `?${field}=${good}` })),
  ];
  const check = async (params: Record<string, string>, sent: Sent): Promise<void> => {
    const { status, body } = await send(name, params, sent);
    expect([sent, status, cloud.undescribed.splice(0)]).toEqual([sent, success(name), []]);
    const match = matched(addressed(name, params).join(' '));
    expect(match?.name).toBe(name);
    expect(match && answerProblems(match, status, body)).toEqual([]);
  };
  for (const sent of requests) await check(prepared(), sent);
  for (const body of off) {
    const params = prepared();
    cloud.account.droplet(Number(params['droplet'])).status = 'off';
    await check(params, { body });
  }
});

/** A value as the schema of itself, for the names of its fields. */
const asShape = (value: unknown): Shape => {
  if (Array.isArray(value)) return { items: { anyOf: value.map(asShape) } };
  if (typeof value !== 'object' || value === null) return {};
  return { properties: Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asShape(one)])) };
};

test.each(names)('%s refuses what is malformed, unknown, unsigned or not allowed', async (name) => {
  const [method = ''] = name.split(' ');
  const { body: schema } = operations[name] ?? {};
  const params = prepared();
  const before = JSON.stringify([...cloud.account.droplets.values(), ...cloud.account.clusters.values()]);
  await expectRefusal(send(name, params, { query: '?unheard_of=1' }), 422, 'an unknown parameter');
  for (const [field, , bad] of parameters(name))
    for (const value of bad)
      await expectRefusal(send(name, params, { query: `?${field}=${value}` }), 422, [field, value]);
  const [valid = {}] = bodies[name]?.() ?? [];
  if (schema) {
    for (const text of ['{', 'null', '[]', '"text"'])
      await expectRefusal(send(name, params, { body: text }), 400, text);
    await expectRefusal(send(name, params, { body: { ...valid, unheard_of: 1 } }), 422, 'an unknown field');
    for (const [at, whole] of bodies[name]?.().entries() ?? []) {
      const needed = alternatives(shapeOf(schema)).map(({ required = [] }) => required);
      for (const field of Object.keys(whole)) {
        const wrong = { ...whole, [field]: { wrong: true } };
        await expectRefusal(send(name, params, { body: wrong }), 422, [at, field]);
        if (!needed.every((all) => all.includes(field))) continue;
        const { [field]: _, ...without } = whole;
        await expectRefusal(send(name, params, { body: without }), 422, [at, 'without', field]);
      }
    }
  }
  for (const key of [...name.matchAll(/\{(\w+)\}/g)].map(([, found = '']) => found)) {
    const unknown = { ...params, [key]: key === 'cluster' ? randomUUID() : '999999999' };
    await expectRefusal(send(name, unknown, { ...(schema && { body: valid }) }), 404, `unknown ${key}`);
  }
  for (const token of [null, 'dop_v1_unknown'])
    await expectRefusal(send(name, params, { token }), 401, token);
  if (method !== 'GET')
    await expectRefusal(send(name, params, { token: 'dop_v1_readonly', body: valid }), 403, 'read only');
  const after = JSON.stringify([...cloud.account.droplets.values(), ...cloud.account.clusters.values()]);
  expect(after).toBe(before);
});

test.each<[what: string, limit: keyof DigitalOceanPeer['limits'], retryAfter: boolean]>([
  ['a minute', 'minute', true],
  ['an hour', 'hour', false],
  ['a minute, of lists of keys', 'keyLists', true],
])('the limit of %s refuses, and says when to come again', async (_, limit, hasRetryAfter) => {
  const peer = await startDigitalOcean();
  peer.limits[limit] = 1;
  const get = () =>
    fetch(`${peer.url}/v2/account/keys`, { headers: { authorization: `Bearer ${peer.token}` } });
  expect((await get()).status).toBe(200);
  const { status, headers } = await get();
  await peer.stop();
  expect([status, headers.has('retry-after'), headers.has('ratelimit-reset')]).toEqual([
    429,
    hasRetryAfter,
    true,
  ]);
});

/** What the console reads, and the model of the description that has it. */
const readFrom: Readonly<Record<string, z.ZodType>> = {
  droplet: models.droplet,
  action: models.action,
  key: models.key,
  cluster: models.cluster,
  openCluster: models.cluster,
  zone: models.domain,
  record: models.record,
  size: models.size,
  region: models.region,
  image: models.image,
};

test('each field that the console reads is in the description', () => {
  const read = Object.entries(shapes).filter(([, shape]) => fieldsIn(shapeOf(shape)).length > 0);
  expect(read.map(([name]) => name).toSorted()).toEqual(Object.keys(readFrom).toSorted());
  for (const [name, shape] of read) {
    const described = new Set(fieldsIn(shapeOf(readFrom[name] ?? z.never())));
    const missing = fieldsIn(shapeOf(shape)).filter((field) => !described.has(field));
    expect([name, missing]).toEqual([name, []]);
  }
});

test('every call of the console is taken and answered as described', async () => {
  const provider = digitalOcean(cloud.token, { url: cloud.url, outbound: new Outbound() });
  const { droplet, action, cluster = '', domain = '', key, record: of } = prepared();
  const [machine, fingerprint] = [Number(droplet), cloud.account.keys.get(Number(key))?.fingerprint ?? ''];
  const name = `sent-${cloud.account.nextId()}`;
  const one = { type: 'A', name, data: '203.0.113.10', ttl: 1800 };
  const calls: { [K in keyof CloudProvider]: () => Promise<unknown> } = {
    account: () => provider.account(),
    machines: () => Promise.all([provider.machines(), provider.machines('walked')]),
    machine: () => provider.machine(machine),
    createMachine: () => {
      const size = { region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64', backups: true };
      return provider.createMachine({ name, ...size, tag: 'quarterdeck-1', key: Number(key), userData: '#' });
    },
    actions: () => provider.actions(machine),
    act: () => provider.act(machine, { type: 'reboot' }),
    action: () => provider.action(Number(action)),
    options: () => provider.options(),
    keys: () => provider.keys(),
    key: () => provider.key(fingerprint),
    addKey: () => provider.addKey(name, newKey()),
    clusters: () => Promise.all([provider.clusters(), provider.clusters('walked')]),
    cluster: () => provider.cluster(cluster),
    clusterAccess: () => provider.clusterAccess(cluster),
    createCluster: () => {
      const wanted = { name, engine: 'pg', region: 'fra1', size: 'db-s-1vcpu-1gb' };
      return provider.createCluster({ ...wanted, tag: 'quarterdeck-1' });
    },
    zones: () => provider.zones(),
    records: () => provider.records(domain),
    addRecord: () => provider.addRecord(domain, one),
    changeRecord: () => provider.changeRecord(domain, { ...one, record: Number(of), name: `${name}-2` }),
    deleteRecord: () => provider.deleteRecord(domain, Number(of)),
    deleteMachine: () => provider.deleteMachine(machine),
    deleteKey: () => provider.deleteKey(Number(key)),
    deleteCluster: () => provider.deleteCluster(cluster),
  };
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(provider).toSorted());
  for (const call of Object.values(calls)) await call();
  expect(cloud.undescribed).toEqual([]);
});
