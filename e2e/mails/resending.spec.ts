/**
 * An e-mail is sent again through a real SMTP server that accepts it, refuses it, hangs or cannot be reached: the run
 * tells which, and what may have been delivered is not sent twice by a click.
 *
 * covers: MAIL-01
 */
import type { AddressInfo } from 'node:net';
import { MailResending } from '../../apps/backend/src/mails/mail-resending';
import type { RunView } from '@quarterdeck/projections';
import { until } from '../../testing/patience';
import { closeInboxes, inbox } from './inbox';
import { idOf, openMailWorld, type MailWorld } from './mail-world';

let mails: MailWorld;

const through = async (port: number, login: object = {}): Promise<void> => {
  const server = { host: '127.0.0.1', port, security: 'none', ...login };
  const { status, body } = await mails.ada.post('workspace/mail-server', { server });
  expect({ status, body }).toMatchObject({ status: 200 });
};
const mail = async (): Promise<string> => {
  const raw = Buffer.from(
    'From: shop@example.org\r\nTo: grace@example.org\r\nSubject: Again\r\n\r\nHello\r\n',
  );
  return idOf(await mails.send(raw));
};
const ended = async (id: string): Promise<RunView> => {
  let run: RunView | undefined;
  await until(async () => {
    run = (await mails.ada.post<RunView>('run/detail', { id })).body;
    return run.endedAt !== undefined;
  });
  return run as RunView;
};
const resend = async (id: string, more: object = {}) => {
  const { status, body } = await mails.ada.post<{ id: string; runId: string }>('email/resend', {
    id,
    ...more,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { ...body, run: await ended(body.runId) };
};
const outputOf = async (run: string): Promise<string> =>
  JSON.stringify((await mails.ada.post('run/output', { id: run })).body);

beforeAll(async () => (mails = await openMailWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })));
afterAll(async () => {
  await closeInboxes();
  await mails?.end();
});

test('without a server nothing is sent, and the answer says what to do', async () => {
  const { status, body } = await mails.ada.post<{ msg: string }>('email/resend', { id: await mail() });
  expect({ status, msg: body.msg }).toEqual({
    status: 422,
    msg: 'no mail server is set: an administrator sets one in Settings',
  });
});

test('a server that accepts it gets it once, as a new e-mail that is linked to the first', async () => {
  const at = await inbox();
  await through(at.port);
  const id = await mail();
  const { id: again, run, runId } = await resend(id, { recipients: ['eve@example.org'] });
  expect(run.state).toBe('succeeded');
  expect(at.got).toHaveLength(1);
  expect(at.got[0]?.to).toEqual(['eve@example.org']);
  expect(at.got[0]?.raw).toMatch(
    /^Resent-From: <shop@example\.org>[^]*Resent-To: <eve@example\.org>[^]*Subject: Again/,
  );
  await mails.parsed();
  expect(await mails.detail(again)).toMatchObject({
    source: 'resend',
    resentFrom: { id },
    run: runId,
    subject: 'Again',
  });
  expect((await mails.detail(id)).resends).toMatchObject([{ id: again, run: runId }]);
  expect((await mails.ada.post('run/retry', { id: runId })).status).toBe(422);
});

test('the words of a server that refuses it are told, and no address is recorded', async () => {
  const at = await inbox({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`<${address}>: no such user`), { responseCode: 550 })),
  });
  await through(at.port);
  const { run, runId } = await resend(await mail());
  expect(run).toMatchObject({ state: 'failed' });
  const { rows } = await mails.world.backend.db.query<{ data: string }>(
    `select data::text as data from log.events where stream = $1`,
    [`run-${runId}`],
  );
  const recorded = rows.map(({ data }) => data).join('\n');
  expect(recorded).toContain('no such user');
  expect(recorded).not.toContain('@');
  expect(await outputOf(runId)).toContain('grace@example.org');
});

test('a server that takes it and never answers leaves it unknown, and a retry is refused', async () => {
  const at = await inbox({
    onData: (stream, session) => {
      stream.on('data', () => undefined);
      // All of it is there, and the connection ends instead of an answer.
      stream.on('end', () => cut.forEach((end) => end()));
      void session;
    },
  });
  const cut: (() => void)[] = [];
  const proxy = await cutting(at.port, cut);
  await through(proxy.port);
  const { run, runId } = await resend(await mail());
  expect(run.state).toBe('failed');
  expect(JSON.stringify(run)).toContain('may be delivered');
  const retried = await mails.ada.post<{ msg: string }>('run/retry', { id: runId });
  expect({ status: retried.status, msg: retried.body.msg }).toEqual({
    status: 422,
    msg: 'this e-mail may have been delivered: ask its recipient, and resend the original if it was not',
  });
  proxy.end();
});

test('a server that takes it and hangs leaves it unknown after a while', async () => {
  const { patience } = mails.world.backend.app.get(MailResending, { strict: false });
  const before = patience.answerMs;
  const at = await inbox({ onData: (stream) => void stream.resume() });
  await through(at.port);
  patience.answerMs = 50;
  const { id, run, runId } = await resend(await mail());
  patience.answerMs = before;
  expect(run.state).toBe('failed');
  expect(JSON.stringify(run)).toContain('(the server did not answer in time). It may be delivered.');
  const { rows } = await mails.world.backend.db.query('select outcome from app.emails where id = $1', [id]);
  expect(rows).toEqual([{ outcome: 'unknown' }]);
  expect((await mails.ada.post('run/retry', { id: runId })).status).toBe(422);
});

test('nothing was sent if nobody listens, and then a retry sends it', async () => {
  const gone = await inbox();
  await gone.end();
  await through(gone.port);
  const { run, runId } = await resend(await mail());
  expect(JSON.stringify(run)).toContain('Nothing was sent');
  const at = await inbox();
  await through(at.port);
  expect((await mails.ada.post('run/retry', { id: runId })).status).toBe(200);
  await until(async () => (await ended(runId)).state === 'succeeded');
  expect(at.got).toHaveLength(1);
});

test('a password is stored in the vault, sent only where it was stored for, and never shown', async () => {
  const at = await inbox({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'canary of a mail server'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
  });
  await through(at.port, { username: 'console', password: 'canary of a mail server' });
  expect((await resend(await mail())).run.state).toBe('succeeded');
  // The stored one stays.
  await through(at.port, { username: 'console' });
  expect((await resend(await mail())).run.state).toBe('succeeded');
  await through(at.port, { signIn: true });
  expect((await resend(await mail())).run.state).toBe('succeeded');
  const server = { host: '127.0.0.1', port: 9, security: 'none', username: 'console' };
  const elsewhere = await mails.ada.post<{ data: object }>('workspace/mail-server', { server });
  expect({ status: elsewhere.status, fields: Object.keys(elsewhere.body.data) }).toEqual({
    status: 400,
    fields: ['server.password'],
  });
  const contradiction = await mails.ada.post<{ data: object }>('workspace/mail-server', {
    server: { ...server, port: at.port, signIn: false },
  });
  expect(contradiction).toMatchObject({
    status: 400,
    body: { data: { 'server.signIn': 'sign in, or leave user name and password empty' } },
  });
  const { rows } = await mails.world.backend.db.query(
    `select from log.events where data::text like '%canary of a mail server%'`,
  );
  expect(rows).toEqual([]);
  // Removed when somebody says so.
  await through(at.port, { signIn: false });
  expect((await resend(await mail())).run.state).toBe('failed');
  const nobody = { host: '127.0.0.1', port: at.port, security: 'none', signIn: true, password: 'x' };
  expect(await mails.ada.post('workspace/mail-server', { server: nobody })).toMatchObject({
    status: 400,
    body: { data: { 'server.username': 'type the user name: none is stored' } },
  });
});

test('an address that must not be called is refused at the field', async () => {
  const server = { host: '169.254.169.254', port: 25, security: 'none' };
  const { status, body } = await mails.ada.post<{ data: object }>('workspace/mail-server', { server });
  expect({ status, fields: Object.keys(body.data) }).toEqual({ status: 400, fields: ['server.host'] });
});

/** A proxy that passes bytes on until it is stopped. */
const cutting = async (port: number, ends: (() => void)[]) => {
  const { connect, createServer } = await import('node:net');
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
    }
    ends.push(() => {
      near.destroy();
      far.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, end: () => void server.close() };
};
