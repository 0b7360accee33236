// covers: ENV-01
import { looksLikeSecret, plainSecretIn } from './plain-secrets';

const x = (count: number) => 'x1'.repeat(count).slice(0, count);

test.each([
  ['redis://:hunter2@h:6379', 'a password in an address'],
  ['postgres://u:hunter2@h/d', 'a password in an address'],
  ['jdbc:postgresql://h/d?user=u&password=hunter2', 'a password in a JDBC address'],
  ['jdbc:sqlserver://h:1433;databaseName=d;password=hunter2;', 'a password in a JDBC address'],
  ['jdbc:oracle:thin:scott/tiger@h:1521:x', 'a password in a JDBC address'],
  ['Driver={ODBC Driver 18};Server=h;Uid=u;Pwd=hunter2;', 'a password in a connection string'],
  ['Server=h; Password = hunter2', 'a password in a connection string'],
  ['sk_live_0000000000000000', 'a Stripe key'],
  [`eyJ${x(20)}.eyJ${x(40)}.${x(43)}`, 'a signed token (JWT)'],
  [`https://hooks.slack.com/services/T0000/B0000/${x(24)}`, 'a webhook address'],
  [`https://discord.com/api/webhooks/123456789012345678/${x(68)}`, 'a webhook address'],
  [`SG.${x(22)}.${x(43)}`, 'a SendGrid key'],
  [`AIza${x(35)}`, 'a Google key'],
  [`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${x(86)}==`, 'an Azure key'],
  [`sk-proj-${x(48)}`, 'an OpenAI or Anthropic key'],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----', 'a private key'],
])('%s holds %s', (text, what) => {
  expect(plainSecretIn(`before\n${text}`)).toEqual({ what, line: 2 });
});

test.each([
  'https://user:$PASSWORD@host/',
  'https://user:${PASSWORD}@host/',
  'https://host:8080/path@2x.png',
  'jdbc:postgresql://h/d?user=u&password=${PASSWORD}',
  'mysql --host=h; PASSWORD=$1',
  'sk_live',
  'eyJ.eyJ.x',
])('%s holds none', (text) => {
  expect(plainSecretIn(text)).toBeUndefined();
});

test.each([
  ...[
    'DB_PASSWORD',
    'DB_PW',
    'dbPassword',
    'spring.datasource.password',
    'BASIC_AUTH',
    'API_KEY',
    'DATABASE_DSN',
  ],
  ...['GITHUB_TOKEN', 'PWD', 'SLACK_WEBHOOK_URL', 'DB_CONNECTION_STRING', 'JWT', 'SIGNING-KEY'],
])('%s is a name of a secret', (key) => {
  expect(looksLikeSecret({ key, value: 'x' })).toBe(true);
});

test.each(['LOG_LEVEL', 'COMPASS', 'KEYBOARD', 'PORT', 'AUTH_URL', 'MONKEY', 'POWER'])('%s is not', (key) => {
  expect(looksLikeSecret({ key, value: 'x' })).toBe(false);
});

/** Texts that make a form begin again and again. */
const hostile = [
  'a:',
  'a://',
  'a://b:',
  'host=;',
  'jdbc:',
  'jdbc:a;',
  'eyJ-',
  'eyJ.',
  'eyJa.eyJ',
  'sk-',
  'a://:',
];

test.each(hostile)('a text of %j takes time in proportion to its length', (part) => {
  const took = (count: number): number => {
    const text = part.repeat(count);
    const began = process.cpuUsage();
    plainSecretIn(text);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  took(5000);
  // Far below the 16 times of quadratic work, and below the noise of a busy machine.
  expect(took(80_000)).toBeLessThan(10 * took(20_000) + 20_000);
});
