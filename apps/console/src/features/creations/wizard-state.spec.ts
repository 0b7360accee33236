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
const base64 = (value: unknown): string =>
  btoa(
    Array.from(new TextEncoder().encode(JSON.stringify(value)), (one) => String.fromCharCode(one)).join(''),
  );

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

const known = new Set(Object.keys(whole));

test('10,000 mutated values give a state of known keys, without a secret, and never throw', () => {
  const next = random(20_261_128);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  const odd: readonly unknown[] = [
    null,
    -1,
    1e308,
    {},
    [],
    [[]],
    '',
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '\u0000',
    '\ud800',
    PASSWORD,
    { password: PASSWORD },
    true,
    { __proto__: null },
    { constructor: { prototype: { polluted: true } } },
  ];
  const mutated = (value: unknown, depth = 0): unknown => {
    if (next() < 0.15) return pick(odd);
    if (typeof value !== 'object' || value === null || depth > 4) return value;
    const entries = Object.entries(value).map(([key, one]) => [
      next() < 0.05 ? pick(['__proto__', 'password', 'constructor', 'toString', `${key}s`]) : key,
      mutated(one, depth + 1),
    ]);
    return Object.fromEntries(entries);
  };
  for (let round = 0; round < 10_000; round += 1) {
    let q = base64(mutated(round % 7 === 0 ? { ...whole, password: PASSWORD } : whole));
    if (next() < 0.3) {
      const at = Math.floor(next() * q.length);
      q = q.slice(0, at) + pick(['', '%', '=', 'A', '\n', 'é']) + q.slice(at + 1);
    }
    const state = decoded(q);
    expect(Object.keys(state).every((key) => known.has(key))).toBe(true);
    expect('password' in state.database).toBe(false);
    // What is read survives the next link unchanged.
    expect(decoded(encoded(state))).toEqual(state);
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
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
