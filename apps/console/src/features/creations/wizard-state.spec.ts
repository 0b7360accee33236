// covers: WIZ-01
import { decoded, defaults, encoded, stateOf, type WizardState } from './wizard-state';

const ID = '01930000-0000-7000-8000-000000000001';
const PASSWORD = 'canary-of-a-password';
const whole: WizardState = {
  name: 'Bücher',
  productId: ID,
  versionId: ID,
  database: {
    host: 'db.example.org',
    name: 'shop',
    username: 'shop',
    port: 3306,
    dbType: 1,
    env: 1,
    create: { name: 'shop-db', engine: 'pg', region: 'nyc1', size: 'db-s-1vcpu-1gb' },
  },
  databaseId: ID,
  instance: { uuid: ID, name: 'main' },
  ghRepo: {
    organization: 'acme',
    repo: 'shop',
    repoFront: 'shop-client',
    fromTemplate: { server: true, client: false },
  },
  repoIds: { server: ID, client: ID },
  server: {
    id: ID,
    create: { name: 'shop', region: 'nyc1', size: 's-1vcpu-2gb', image: 'debian-12-x64', backups: true },
    initialize: false,
  },
  service: { name: 'shop', nameFront: 'shop client', port: 3000, portFront: 3001, withDb: true },
  serviceIds: { server: ID, client: ID },
  domain: 'shop.example.org',
  domainId: ID,
};
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

test('every field of the state survives the link, in both forms of base64', () => {
  expect(decoded(encoded(whole))).toEqual(whole);
  expect(decoded(base64(whole))).toEqual(whole);
  expect(encoded(whole)).toMatch(/^[\w-]+$/);
});

test.each([
  undefined,
  null,
  '',
  'no base64!',
  base64('text'),
  base64(null),
  base64([]),
  base64({ name: 'without a database key' }),
  base64({ ...whole, name: 'x'.repeat(9000) }),
  btoa('{'),
])('%# has the defaults', (q) => {
  expect(decoded(q)).toEqual(defaults);
});

test('an unknown key, a secret and a value of another type are dropped', () => {
  const given = {
    ...whole,
    database: { ...whole.database, password: PASSWORD, port: '3306' },
    token: PASSWORD,
    name: { toString: 'x' },
    domain: 'a\nb',
    productId: '../../profile',
    __proto__: { polluted: true },
  };
  const state = decoded(base64(given));
  expect(JSON.stringify(state)).not.toContain(PASSWORD);
  expect(state).not.toHaveProperty('token');
  const { port: _, ...kept } = whole.database;
  expect(state.database).toEqual(kept);
  for (const key of ['name', 'domain', 'productId']) expect(state).not.toHaveProperty(key);
  expect(encoded(given as unknown as WizardState)).not.toContain(btoa(PASSWORD).slice(0, 12));
});

/** A generator with a seed, so that a failure can be repeated. */
const random = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** `database.create.name` and so on: every place that a state may have. */
const placesIn = (value: unknown, at = ''): string[] =>
  typeof value !== 'object' || value === null
    ? [at]
    : [at, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, at === '' ? key : `${at}.${key}`))];
const known = new Set(placesIn(whole));

test('10,000 mutated values give a state of known places, without a secret, and change nothing else', () => {
  const next = random(20_261_128);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  const secret = (): unknown => pick([PASSWORD, { password: PASSWORD }, [PASSWORD]]);
  const odd: readonly unknown[] = [
    null,
    -1,
    1e308,
    {},
    [],
    [[]],
    '',
    '<img src=x onerror="globalThis.attacked = true">',
    'javascript:globalThis.attacked=true',
    '\u0000',
    '\ud800',
    'x'.repeat(300),
    true,
    { __proto__: null },
    { constructor: { prototype: { attacked: true } } },
  ];
  const foreign = [
    'password',
    'token',
    'privateKey',
    'secret',
    '__proto__',
    'constructor',
    'toString',
    'then',
  ];
  const counts = { changed: 0, withSecret: 0, cut: 0, kept: 0 };
  const mutated = (value: unknown, depth = 0): unknown => {
    if (next() < 0.1) return (counts.changed += 1) && pick(odd);
    if (typeof value !== 'object' || value === null || depth > 4) return value;
    const entries = Object.entries(value).map(([key, one]) => [
      next() < 0.05 ? `${key}s` : key,
      mutated(one, depth + 1),
    ]);
    // A secret is in places that are none, also as the prototype of JSON.
    if (next() < 0.3) {
      counts.withSecret += 1;
      entries.push([pick(foreign), secret()]);
    }
    return Object.fromEntries(entries);
  };
  const problems: string[] = [];
  for (let round = 0; round < 10_000 && problems.length === 0; round += 1) {
    let q = base64(mutated(whole));
    if (next() < 0.2) {
      counts.cut += 1;
      const at = Math.floor(next() * q.length);
      q = q.slice(0, at) + pick(['', '%', '=', 'A', '\n', 'é', q.slice(0, 40)]) + q.slice(at + 1);
    }
    const state = decoded(q);
    const link = encoded(state);
    const strange = placesIn(state).filter((place) => !known.has(place));
    if (Object.keys(state).length > 1) counts.kept += 1;
    if (strange.length > 0) problems.push(`${q} has ${strange.join()}`);
    if (JSON.stringify(state).includes(PASSWORD)) problems.push(`${q} has the secret`);
    if (link.length > 8192) problems.push(`${q} makes a link of ${link.length} characters`);
    // What is read survives the next link unchanged.
    if (JSON.stringify(decoded(link)) !== JSON.stringify(state)) problems.push(`${q} changes on its way`);
  }
  expect(problems).toEqual([]);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(1000);
  expect(({} as Record<string, unknown>)['attacked']).toBeUndefined();
  expect((globalThis as Record<string, unknown>)['attacked']).toBeUndefined();
});

test('the longest state has a link of at most 8 kB, and half a character is no text', () => {
  const wide = '書';
  const longest = (value: unknown, name = ''): unknown => {
    if (typeof value !== 'object' || value === null) {
      if (typeof value !== 'string' || value === ID) return value;
      return wide.repeat(['domain', 'host'].includes(name) ? 253 : name === 'username' ? 80 : 64);
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, longest(one, key)]));
  };
  const state = decoded(encoded(longest(whole) as WizardState));
  expect(state).toMatchObject({ domain: wide.repeat(253), name: wide.repeat(64), database: { port: 3306 } });
  expect(encoded(state).length).toBeLessThanOrEqual(8192);
  // Names of the provider and the source host have no such characters.
  expect(state).toMatchObject({ ghRepo: { fromTemplate: { server: true } } });
  expect(state.ghRepo).not.toHaveProperty('repo');
  const names = { region: 'r'.repeat(100), size: 's'.repeat(100), name: 'n'.repeat(63) };
  const full: WizardState = {
    ...(longest(whole) as WizardState),
    name: wide.repeat(100),
    database: {
      ...(longest(whole.database) as WizardState['database']),
      create: { ...names, engine: 'e'.repeat(100) },
    },
    instance: { uuid: ID, name: wide.repeat(100) },
    ghRepo: { organization: 'o'.repeat(100), repo: 'r'.repeat(100), repoFront: 'f'.repeat(100) },
    server: { id: ID, create: { ...names, image: 'i'.repeat(100), backups: false }, initialize: false },
    service: {
      name: wide.repeat(100),
      nameFront: wide.repeat(100),
      port: 65_535,
      portFront: 65_535,
      withDb: false,
    },
  };
  expect(decoded(encoded(full))).toEqual(full);
  expect(encoded(full).length).toBeLessThanOrEqual(8192);
  expect(decoded(base64({ ...whole, name: 'half \ud800' }))).not.toHaveProperty('name');
});

test('the state of a creation has what it made, and what is being entered', () => {
  const section = (name: string, values: object, made: object[] = []) =>
    ({ section: name, state: 'done', attempt: 1, undos: 0, secrets: [], values, made }) as never;
  const state = stateOf(
    {
      sections: [
        section('product', { name: 'Shop' }, [
          { kind: 'product', id: ID, name: 'Shop' },
          { kind: 'version', id: ID, name: '1' },
        ]),
      ],
    },
    { database: { host: 'db', password: PASSWORD } },
  );
  expect(state).toMatchObject({ name: 'Shop', productId: ID, versionId: ID, database: { host: 'db' } });
  expect(JSON.stringify(state)).not.toContain(PASSWORD);
});
