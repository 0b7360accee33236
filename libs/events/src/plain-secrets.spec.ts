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
  ['PuTTY-User-Key-File-3: ssh-ed25519', 'a private key'],
  ['postgres://shop:pa$sw0rd@db/shop', 'a password in an address'],
  ['postgres://shop:pa$$word@db/shop', 'a password in an address'],
  ['smtps://ada@gmail.com:abcdabcdabcdabcd@smtp.gmail.com', 'a password in an address'],
  ['shop:hunter2@tcp(db:3306)/shop', 'a password in an address'],
  ['jdbc:sqlserver://h:1433;user=sa;password={hunter2;x}', 'a password in a JDBC address'],
  ['jdbc:sqlserver://h:1433;user=sa;trustStorePassword=pp', 'a password in a JDBC address'],
  ['Pwd=hunter2;Server=db;Uid=sa', 'a password in a connection string'],
  ['Driver={x};Server=db;Uid=sa;Pwd={hunter2}', 'a password in a connection string'],
  ['Server=db;Uid=sa;Pwd=a$b', 'a password in a connection string'],
  ['host=db user=shop password=hunter2 dbname=shop', 'a password in a connection string'],
  ['cache:6380,password=hunter2,ssl=True', 'a password in a connection string'],
  [`https://discord.com/api/v10/webhooks/123456789012345678/${x(68)}`, 'a webhook address'],
  [`/bot110201543:AA${x(33)}/getMe`, 'a Telegram token'],
  [`abc7Q~${x(34)}`, 'an Azure key'],
  [`ya29.${x(60)}`, 'a Google key'],
  [`hf_${x(34)}`, 'a Hugging Face token'],
  [`gsk_${x(52)}`, 'a Groq key'],
  [`ATATT3${x(60)}`, 'an Atlassian token'],
  [`lin_api_${x(40)}`, 'a Linear key'],
  [`NRAK-${x(27).toUpperCase()}`, 'a New Relic key'],
  [`dapi${'a1'.repeat(16)}`, 'a Databricks token'],
  [`${'a1'.repeat(16)}-us12`, 'a Mailchimp key'],
  ['{"auths":{"ghcr.io":{"auth":"YWRhOmh1bnRlcjI="}}}', 'a registry login'],
  ['Basic YWRhOmh1bnRlcjI=', 'an authorization'],
])('%s holds %s', (text, what) => {
  expect(plainSecretIn(`before\n${text}`)).toEqual({ what, line: 2 });
});

test.each([
  'https://user:$PASSWORD@host/',
  'https://user:${PASSWORD}@host/',
  'https://host:8080/path@2x.png',
  'jdbc:postgresql://h/d?user=u&password=${PASSWORD}',
  'mysql --host=h; PASSWORD=$1',
  'Server=h;Pwd=${PASSWORD};Database=d',
  'Password=$PASSWORD;Server=h',
  'host=db user=shop password=$PASSWORD dbname=shop',
  'shop:$PASSWORD@tcp(db:3306)/shop',
  'Basic authentication',
  'git clone git@example.org:shop.git',
  'sk_live',
  'eyJ.eyJ.x',
])('%s holds none', (text) => {
  expect(plainSecretIn(text)).toBeUndefined();
});

test.each([
  'DB_PASSWORD',
  'DB_PW',
  'dbPassword',
  'spring.datasource.password',
  'BASIC_AUTH',
  'API_KEY',
  'DATABASE_DSN',
  'GITHUB_TOKEN',
  'PWD',
  'SLACK_WEBHOOK_URL',
  'DB_CONNECTION_STRING',
  'JWT',
  'SIGNING-KEY',
  'DB_PASSWORD2',
  'PASSWORD1',
  'ADMIN_PASSWORDS',
  'API_KEYS',
  'APP_KEYS',
  'ENCRYPTION_KEYS',
  'DBPWD',
  'HTTP_AUTH',
  'AUTH_HEADER',
  'AUTHORIZATION',
  'CRED',
  'DB_CREDS',
  'MNEMONIC',
  'stripeKey',
])('%s is a name of a secret', (key) => {
  expect(looksLikeSecret({ key, value: 'x' })).toBe(true);
});

test.each(['LOG_LEVEL', 'COMPASS', 'KEYBOARD', 'PORT', 'AUTH_URL', 'MONKEY', 'POWER', 'CREDIT', 'publicKey'])(
  '%s is not',
  (key) => {
    expect(looksLikeSecret({ key, value: 'x' })).toBe(false);
  },
);
