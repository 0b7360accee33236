/**
 * The console is killed while e-mails come in, also between the end of their data and its answer. What was acknowledged
 * is there once, and so is what its sender sent again because there was no answer.
 *
 * covers: MAIL-01
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Answer, mails } from '@quarterdeck/contract';
import type { EmailRow, ListPage } from '@quarterdeck/projections';
import { createTransport } from 'nodemailer';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { pause, until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

let postgres: TestPostgres;
let backend: BackendProcess;
let [port, smtp] = [0, 0];

const boot = async (): Promise<void> => {
  backend = await spawnBackend({
    databaseUrl: postgres.url,
    port,
    env: { MAIL_PORT: String(smtp), CALLS_PER_MINUTE: '0' },
  });
};

beforeAll(async () => {
  postgres = await startTestPostgres();
  [port, smtp] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  await boot();
});
afterAll(async () => {
  await backend?.stop();
  await postgres?.stop();
});

const messageOf = (subject: string): string =>
  `From: shop@example.org\r\nMessage-ID: <${randomUUID()}@example.org>\r\nSubject: ${subject}\r\n\r\n${'text '.repeat(2000)}\r\n`;

/** Says everything at once and settles when the system has taken the last byte, before there is any answer to it. */
const sayAll = (raw: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const login = Buffer.from(`\0shop\0${token}`).toString('base64');
    const before = [
      'EHLO shop',
      `AUTH PLAIN ${login}`,
      'MAIL FROM:<shop@example.org>',
      'RCPT TO:<a@example.org>',
      'DATA',
    ];
    const socket = connect(smtp, '127.0.0.1');
    socket.on('error', reject);
    socket.on('data', (part: Buffer) => {
      // One command for each answer; that to EHLO has several lines, the last of which has a space after its code.
      for (const line of part.toString().split('\r\n')) {
        if (!/^\d{3} /.test(line)) continue;
        const next = before.shift();
        if (next !== undefined) socket.write(`${next}\r\n`);
        else
          socket.write(`${raw}.\r\n`, () => {
            socket.off('error', reject);
            socket.on('error', () => undefined);
            resolve();
          });
      }
    });
  });

const sendUntilAcknowledged = async (raw: string, token: string): Promise<void> => {
  await until(async () => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtp,
      ignoreTLS: true,
      auth: { user: 'shop', pass: token },
    });
    const sent = transport.sendMail({ envelope: { from: 'shop@example.org', to: ['a@example.org'] }, raw });
    return sent.then(
      () => true,
      () => false,
    );
  });
};

test('what is acknowledged is there once, however often the console is killed', async () => {
  let ada: Operator = await signIn(backend.url, backend.signInLink);
  const product = {
    id: (await ada.post<{ id: string }>('product/insert', { data: { name: 'Shop', description: '' } })).body
      .id,
  };
  const { token } = (await ada.post<Answer<typeof mails.issue>>('email/token/issue', { product })).body;
  const subjects: string[] = [];
  for (const waitMs of [0, 5, 20]) {
    const [acknowledged, cut] = [`acknowledged ${waitMs}`, `cut ${waitMs}`];
    subjects.push(acknowledged, cut);
    await sendUntilAcknowledged(messageOf(acknowledged), token);
    const raw = messageOf(cut);
    await sayAll(raw, token);
    await pause(waitMs);
    await backend.kill('SIGKILL');
    await boot();
    await sendUntilAcknowledged(raw, token);
  }
  ada = await signIn(backend.url, backend.signInLink);
  let rows: EmailRow[] = [];
  await until(async () => {
    ({ rows } = (await ada.post<ListPage<EmailRow>>('email/page', { product, size: 100 })).body);
    return rows.length >= subjects.length && rows.every(({ state }) => state === 'parsed');
  });
  expect(rows.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
});
