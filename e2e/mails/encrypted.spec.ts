/**
 * E-mails come in and go out over STARTTLS, and neither a password nor an e-mail is sent without it.
 *
 * covers: MAIL-01
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, mails } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { createTransport, type SentMessageInfo } from 'nodemailer';
import type { SMTPServerOptions } from 'smtp-server';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { testAuthority, type Leaf } from '../../testing/test-authority';
import { closeInboxes, inbox, type Inbox } from './inbox';
import { idOf } from './mail-world';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-mail-'));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

let postgres: TestPostgres;
let backend: BackendProcess;
let ada: Operator;
let root: string;
let [trusted, strange]: Leaf[] = [];
let token: string;
let port: number;

beforeAll(async () => {
  const authority = await testAuthority();
  const hour = 3_600_000;
  const wish = {
    names: ['localhost'],
    notBefore: new Date(Date.now() - 24 * hour),
    notAfter: new Date(Date.now() + 24 * hour),
  };
  ({ root } = authority);
  trusted = await authority.leaf(wish);
  strange = await (await testAuthority('Stranger')).leaf(wish);
  postgres = await startTestPostgres();
  backend = await spawnBackend({
    databaseUrl: postgres.url,
    env: {
      MAIL_PORT: '0',
      MAIL_TLS_CERT_FILE: file('cert.pem', trusted.cert),
      MAIL_TLS_KEY_FILE: file('key.pem', trusted.key),
      NODE_EXTRA_CA_CERTS: file('root.pem', root),
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
      CALLS_PER_MINUTE: '0',
    },
  });
  ada = await signIn(backend.url, backend.signInLink);
  const data = { name: 'Shop', description: '' };
  const product = { id: (await ada.post<{ id: string }>('product/insert', { data })).body.id };
  ({ token } = (await ada.post<Answer<typeof mails.issue>>('email/token/issue', { product })).body);
  const { smtp } = (await ada.post<Answer<typeof mails.intake>>('email/intake')).body;
  expect(smtp?.tls).toBe(true);
  port = smtp?.port ?? 0;
});
afterAll(async () => {
  await closeInboxes();
  await backend?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true });
});

const send = async (more: object): Promise<SentMessageInfo> => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    auth: { user: 'shop', pass: token },
    tls: { ca: root, servername: 'localhost' },
    ...more,
  });
  const envelope = { from: 'shop@example.org', to: ['grace@example.org'] };
  try {
    return (await transport.sendMail({
      envelope,
      raw: 'Subject: Secret\r\n\r\nHello\r\n',
    })) as SentMessageInfo;
  } finally {
    transport.close();
  }
};

const resend = async (to: Inbox): Promise<RunView> => {
  const server = {
    host: 'localhost',
    port: to.port,
    security: 'starttls',
    username: 'console',
    password: 'canary',
  };
  expect((await ada.post('workspace/mail-server', { server })).status).toBe(200);
  const id = idOf(await send({ requireTLS: true }));
  const { status, body } = await ada.post<{ runId: string }>('email/resend', { id });
  expect({ status, body }).toMatchObject({ status: 200 });
  let run: RunView | undefined;
  await until(async () => {
    run = (await ada.post<RunView>('run/detail', { id: body.runId })).body;
    return run.endedAt !== undefined;
  });
  return run as RunView;
};

const withLogin = () => {
  const passwords: string[] = [];
  const login: SMTPServerOptions = {
    authOptional: false,
    onAuth: ({ password }, _session, done) => {
      passwords.push(password ?? '');
      done(null, { user: 'console' });
    },
  };
  return { passwords, login };
};

test('a sender with STARTTLS sends it in', async () => {
  expect(idOf(await send({ requireTLS: true }))).not.toBe('');
});

test('a sender without STARTTLS may not show its token', async () => {
  await expect(send({ ignoreTLS: true })).rejects.toMatchObject({
    command: expect.stringMatching(/AUTH|API/),
  });
});

test('a server with STARTTLS gets it encrypted, after the password', async () => {
  const { passwords, login } = withLogin();
  const at = await inbox({ ...login, ...trusted });
  expect((await resend(at)).state).toBe('succeeded');
  expect(at.got).toMatchObject([{ encrypted: true, to: ['grace@example.org'] }]);
  expect(passwords).toEqual(['canary']);
});

test.each([
  [
    'whose certificate nobody vouches for',
    /^Nothing was sent: unable to get local issuer certificate$/,
    () => ({ key: strange?.key, cert: strange?.cert }),
  ],
  ['that does not offer STARTTLS', /^Nothing was sent: the connection cannot be encrypted/, () => ({})],
])('a server %s gets neither the password nor the e-mail', async (_, reason, options) => {
  const { passwords, login } = withLogin();
  const at = await inbox({ ...login, ...options() });
  const run = await resend(at);
  expect(run.state).toBe('failed');
  expect(run.reason).toMatch(reason);
  expect([at.got, passwords]).toEqual([[], []]);
});
