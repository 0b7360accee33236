// covers: API-02
import { settingsIn, VARIABLES } from './settings';

const env = { DATABASE_HOST: 'db.example.org', DATABASE_NAME: 'shop', DATABASE_USER: 'shop' };
const TOKEN = 'a'.repeat(32);

test('what is not said has a default', () => {
  const { settings } = settingsIn(env, 'postgresql');
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    healthPath: '/health',
    token: undefined,
    certificateFile: undefined,
    database: {
      dialect: 'postgresql',
      host: 'db.example.org',
      port: 5432,
      database: 'shop',
      user: 'shop',
      password: '',
      // Without a setting, nobody on the way to the database can read along.
      protection: 'authorities',
    },
  });
  expect(settings?.isTrustedProxy('127.0.0.1')).toBe(false);
  expect(settingsIn(env, 'mysql').settings?.database.port).toBe(3306);
});

test('takes all variables', () => {
  const { settings } = settingsIn(
    {
      ...env,
      DATABASE_PORT: '6543',
      DATABASE_PASSWORD: ' with spaces ',
      DATABASE_ENCRYPTION: 'scram',
      DATABASE_CERTIFICATE_FILE: '/run/ca.pem',
      API_TOKEN: TOKEN,
      HOST: '0.0.0.0',
      PORT: '0',
      HEALTH_PATH: '/well',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
    },
    'postgresql',
  );
  expect(settings).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    healthPath: '/well',
    token: TOKEN,
    certificateFile: '/run/ca.pem',
    database: { port: 6543, password: ' with spaces ', protection: 'scram' },
  });
  expect(['::1', '10.1.2.3', '192.0.2.1', 'unknown'].map((one) => settings?.isTrustedProxy(one))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('names each variable that is missing', () => {
  expect(settingsIn({ DATABASE_HOST: ' ' }, 'mysql').problems).toEqual([
    'DATABASE_HOST is missing',
    'DATABASE_NAME is missing',
    'DATABASE_USER is missing',
  ]);
});

test.each([
  ['PORT', '80x'],
  ['PORT', '65536'],
  ['DATABASE_PORT', '0'],
  ['DATABASE_ENCRYPTION', 'constructor'],
  ['API_TOKEN', 'too-short'],
  ['API_TOKEN', `${TOKEN} `.repeat(2)],
  ['HEALTH_PATH', 'health'],
  ['TRUSTED_PROXIES', 'proxy.example.org'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
])('refuses %s=%s, and does not repeat the value', (name, value) => {
  const { problems = [] } = settingsIn({ ...env, [name]: value }, 'postgresql');
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} has to be `))]);
  expect(Object.keys(VARIABLES)).toContain(name);
  if (name === 'API_TOKEN') expect(problems[0]).not.toContain(value);
});
