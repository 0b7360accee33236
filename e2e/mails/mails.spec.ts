/**
 * E-mails of a product by every way in: who may send, what is kept where, what is forgotten.
 *
 * covers: MAIL-01
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { HistoryView } from '@quarterdeck/projections';
import { createTransport } from 'nodemailer';
import { MailRetention } from '../../apps/backend/src/mails/mail-retention';
import { until } from '../../testing/patience';
import { beginWebhook, byWebhook, idOf, openMailWorld, signed, type MailWorld } from './mail-world';
import { talkTo } from './talk';

let mails: MailWorld;
const text = (subject: string, body = 'Hello', more = ''): Buffer =>
  Buffer.from(
    `From: Shop <shop@example.org>\r\nTo: Grace <grace@example.org>\r\nSubject: ${subject}\r\n${more}\r\n${body}\r\n`,
  );

beforeAll(async () => (mails = await openMailWorld()));
afterAll(() => mails?.end());

describe('the calls of the specification', () => {
  test('an e-mail is inserted, listed, shown, changed and deleted', async () => {
    const { ada, product } = mails;
    const data = { from: 'a@example.org', recipients: ['b@example.org'], subject: 'One', body: 'Text' };
    const { status, body } = await ada.post<{ id: string; uuid: string }>('email/insert', {
      data: { ...data, product },
    });
    expect(status).toBe(200);
    expect(body.uuid).toBe(body.id);
    await mails.parsed();
    const { body: listed } = await ada.post<object[]>('email/list', { product });
    expect(listed).toContainEqual(
      expect.objectContaining({
        uuid: body.id,
        from: data.from,
        recipients: data.recipients,
        subject: 'One',
        product,
      }),
    );
    expect(await mails.detail(body.id)).toMatchObject({
      ...data,
      body: 'Text\n',
      editable: true,
      state: 'parsed',
    });
    const recipients = 'c@example.org, d@example.org';
    const changed = { ...data, recipients, subject: 'Two' };
    expect((await ada.post('email/update', { id: body.id, data: changed })).status).toBe(200);
    await mails.parsed();
    expect(await mails.detail(body.id)).toMatchObject({
      subject: 'Two',
      recipients: ['c@example.org', 'd@example.org'],
    });
    expect((await ada.post('email/delete', { id: body.id })).status).toBe(200);
    expect((await ada.post('email/detail', { id: body.id })).status).toBe(404);
    const { rows } = await mails.world.backend.db.query('select from app.emails where id = $1', [body.id]);
    expect(rows).toEqual([]);
  });

  test('name the field of what is wrong', async () => {
    const good = { from: 'a@example.org', recipients: ['b@example.org'], subject: '', body: '' };
    for (const [wrong, field] of [
      [{ from: ' a@example.org' }, 'data.from'],
      [{ from: 'nobody' }, 'data.from'],
      [{ recipients: [] }, 'data.recipients'],
      [{ recipients: 'a@example.org, nobody' }, 'data.recipients.1'],
      [{ body: undefined }, 'data.body'],
    ] as const) {
      const data = { ...good, ...wrong, product: mails.product };
      const { status, body } = await mails.ada.post<{ data: object }>('email/insert', { data });
      expect({ status, fields: Object.keys(body.data) }).toEqual({ status: 400, fields: [field] });
    }
  });

  test('an e-mail that came in cannot be changed', async () => {
    const id = idOf(await mails.send(text('As it came')));
    const data = { from: 'a@example.org', recipients: ['b@example.org'], subject: 'Other', body: '' };
    expect((await mails.ada.post('email/update', { id, data })).status).toBe(422);
  });
});

describe('a search', () => {
  test('finds sender, recipients, also of blind copies, subject and text, and nothing of other products', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const other = (
      await mails.ada.post<{ id: string }>('product/insert', { data: { name: word, description: '' } })
    ).body;
    const data = { from: 'a@example.org', recipients: ['b@example.org'], subject: word, body: '' };
    await mails.ada.post('email/insert', { data: { ...data, product: { id: other.id } } });
    await mails.send(text(`subject ${word}-1`));
    await mails.send(text('text', `The ${word}-2 is here`));
    await mails.send(text('blind'), [`${word}-3@example.org`]);
    await mails.parsed();
    const found = async (search: string) =>
      (await mails.page({ search })).rows.map(({ subject }) => subject).toSorted();
    expect(await found(word)).toEqual(['blind', `subject ${word}-1`, 'text']);
    expect(await found(`${word.toUpperCase()}-2 HERE`)).toEqual(['text']);
    expect(await found(`${word}%`)).toEqual([]);
    const { rows, found: count } = await mails.page({ search: word, sort: 'subject', size: 2, page: 2 });
    expect({ count, rows: rows.map(({ subject }) => subject) }).toEqual({ count: 3, rows: ['text'] });
    expect((await mails.page({ search: word, filters: { source: 'webhook' } })).found).toBe(0);
  });
});

describe('SMTP', () => {
  const asClient = (options: object) =>
    createTransport({ host: '127.0.0.1', port: mails.port, ignoreTLS: true, ...options });
  const envelope = { from: 'a@example.org', to: ['b@example.org'] };
  const failed = async (options: object, raw = text('Refused')): Promise<{ responseCode?: number }> => {
    const client = asClient(options);
    try {
      await client.sendMail({ envelope, raw });
      return {};
    } catch (error) {
      return error as { responseCode?: number };
    } finally {
      client.close();
    }
  };

  test('takes nothing without a token, with a wrong one, or with one that was revoked', async () => {
    expect((await failed({})).responseCode).toBe(530);
    expect((await failed({ auth: { user: 'x', pass: 'qd_mail_guess' } })).responseCode).toBe(535);
    const { body: other } = await mails.ada.post<{ id: string; token: string }>('email/token/issue', {
      product: mails.product,
    });
    const auth = { user: 'x', pass: other.token };
    expect(await failed({ auth })).toEqual({});
    await mails.ada.post('email/token/revoke', { id: other.id });
    expect((await failed({ auth })).responseCode).toBe(535);
  });

  test('refuses more than 10 MB with 552, announced or not, and stores nothing', async () => {
    const before = (await mails.page()).total;
    const large = Buffer.concat([text('Large'), Buffer.alloc(10 * 1024 * 1024, 'x\r\n')]);
    expect((await failed({ auth: { user: 'x', pass: mails.issued.token } }, large)).responseCode).toBe(552);
    const talk = await talkTo(mails.port);
    await talk.say('EHLO x');
    await talk.say(`AUTH PLAIN ${Buffer.from(`\0x\0${mails.issued.token}`).toString('base64')}`);
    await talk.say('MAIL FROM:<a@example.org>');
    await talk.say('RCPT TO:<b@example.org>');
    expect(await talk.say('DATA')).toMatch(/^354/);
    talk.write(large);
    expect(await talk.say('\r\n.')).toMatch(/^552/);
    talk.end();
    expect((await mails.page()).total).toBe(before);
  });

  test('a token is counted, and its first use of a day is in the history', async () => {
    const { body: other } = await mails.ada.post<{ id: string; token: string }>('email/token/issue', {
      product: mails.product,
    });
    for (let at = 0; at < 3; at += 1)
      expect(await failed({ auth: { user: 'x', pass: other.token } }, text(`Counted ${at}`))).toEqual({});
    await mails.world.backend.caughtUp();
    const { body } = await mails.ada.post<{ id: string; uses: number }[]>('email/token/list', {
      product: mails.product,
    });
    expect(body.find(({ id }) => id === other.id)?.uses).toBe(3);
    const subject = { category: 'mailtoken', id: other.id };
    const { body: history } = await mails.ada.post<{ events: HistoryView[] }>('history/list', { subject });
    expect(history.events.map(({ type }) => type)).toEqual(['MailTokenUsed', 'MailTokenIssued']);
  });

  test('an e-mail that names itself and is sent once more is the same one', async () => {
    const raw = text('Once', 'Hello', `Message-ID: <${randomUUID()}@example.org>\r\n`);
    const ids = [idOf(await mails.send(raw)), idOf(await mails.send(raw))];
    expect(new Set(ids).size).toBe(1);
    const without = text('Twice');
    expect(idOf(await mails.send(without))).not.toBe(idOf(await mails.send(without)));
  });

  test('clients that stay silent keep nobody from sending once they have gone', async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => talkTo(mails.port)));
    expect((await failed({ auth: { user: 'x', pass: mails.issued.token } })).responseCode).toBe(421);
    for (const one of silent) one.end();
    await until(
      async () =>
        (await failed({ auth: { user: 'x', pass: mails.issued.token } })).responseCode === undefined,
    );
  });
});

describe('the signed webhook', () => {
  const raw = () => text(`By webhook ${randomUUID()}`);
  const post = (body: string, signature: string, token?: string) => byWebhook(mails, body, signature, token);

  test('stores what is signed, once', async () => {
    const body = JSON.stringify({
      message: raw().toString('base64'),
      from: 'x@example.org',
      recipients: ['y@example.org'],
    });
    const signature = signed(body, mails.issued.secret);
    const first = await post(body, signature);
    expect(first.status).toBe(200);
    await mails.parsed();
    expect(await mails.detail(first.body.id)).toMatchObject({
      source: 'webhook',
      from: 'Shop <shop@example.org>',
      envelope: { from: 'x@example.org', recipients: ['y@example.org'] },
    });
    expect((await post(body, signature)).status).toBe(409);
  });

  test('refuses another body, another secret, an old time and an unknown token', async () => {
    const body = JSON.stringify({ message: raw().toString('base64') });
    const good = signed(body, mails.issued.secret);
    const refusals = [
      await post(body.replace('"}', 'AAAA"}'), good),
      await post(body, signed(body, 'another secret')),
      await post(body, signed(body, mails.issued.secret, Date.now() - 3_600_000)),
      await post(body, 'none'),
      await post(body, good, randomUUID()),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    const wrong = JSON.stringify({ message: 'not base64!' });
    expect((await post(wrong, signed(wrong, mails.issued.secret))).status).toBe(400);
  });

  test('refuses a token that it does not know before it reads the body', async () => {
    const socket = beginWebhook(mails, randomUUID(), 10_000_000);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
  });

  test('refuses a wrong signature before it parses the body', async () => {
    const body = '{"message": ';
    expect((await post(body, signed(body, 'another secret'))).status).toBe(401);
    expect((await post(body, signed(body, mails.issued.secret))).status).toBe(400);
  });

  test('refuses a request without a body, and one that is too large', async () => {
    expect((await post('', signed('', mails.issued.secret))).status).toBe(400);
    const large = JSON.stringify({ message: 'A'.repeat(15_000_000) });
    expect((await post(large, signed(large, mails.issued.secret))).status).toBe(413);
  });
});

describe('what is kept where', () => {
  test('no event and no log line has an address, a subject or a text', async () => {
    const word = `canary${randomUUID().slice(0, 8)}`;
    const id = idOf(await mails.send(text(word, word), [`${word}@example.org`], `${word}@example.com`));
    await mails.parsed();
    const { rows } = await mails.world.backend.db.query<{ count: number }>(
      `select count(*)::int as count from log.events where data::text ilike $1 or meta::text ilike $1`,
      [`%${word}%`],
    );
    expect(rows[0]?.count).toBe(0);
    expect(mails.world.backend.logs.filter((line) => line.includes(word))).toEqual([]);
    expect((await mails.detail(id)).subject).toBe(word);
  });

  test('the retention removes what is older than its days, and says so', async () => {
    const { backend } = mails.world;
    const [old, young] = [idOf(await mails.send(text('Old'))), idOf(await mails.send(text('Young')))];
    await mails.parsed();
    await mails.ada.post('workspace/retention', { emailDays: 3 });
    await backend.db.query(
      `update app.emails set received_at = received_at - interval '4 days' where id = $1`,
      [old],
    );
    await backend.caughtUp();
    await backend.app.get(MailRetention, { strict: false }).sweep();
    await backend.caughtUp();
    expect((await mails.ada.post('email/detail', { id: old })).status).toBe(404);
    expect((await mails.detail(young)).id).toBe(young);
    const { body } = await mails.ada.post<{ events: HistoryView[] }>('history/list', {
      subject: { category: 'email', id: old },
    });
    expect(body.events[0]).toMatchObject({ type: 'EmailRemoved', data: { because: 'retention', days: 3 } });
  });

  test('a person who is forgotten is forgotten here too, and nobody whose address is longer', async () => {
    const name = `mia${randomUUID().slice(0, 8)}`;
    const email = `${name}@example.org`;
    const member = await mails.world.backend.signIn({ workspace: 'mails', role: 'member', email });
    const { id: person } = (await member.get<{ profile: { id: string } }>('session')).body.profile;
    const named = [
      idOf(await mails.send(text('To her'), [email])),
      idOf(await mails.send(text('From her'), ['x@example.org'], email)),
      idOf(await mails.send(text('About her', `Write to ${email.toUpperCase()}.`))),
    ];
    const other = idOf(await mails.send(text('Another'), [`not-${email}`]));
    await mails.parsed();
    await mails.ada.post('person/remove', { id: person });
    expect((await mails.ada.post('person/forget', { id: person })).status).toBe(200);
    await mails.world.backend.caughtUp();
    const { rows } = await mails.world.backend.db.query<{ id: string }>(
      'select id from app.emails where id = any($1)',
      [[...named, other]],
    );
    expect(rows).toEqual([{ id: other }]);
  });

  test('attachments and sources are downloads, and HTML is a page that can do nothing', async () => {
    const parts = [
      '--b\r\nContent-Type: text/html\r\n\r\n<img src="cid:dot"><script>alert(1)</script>',
      '--b\r\nContent-Type: image/png\r\nContent-ID: <dot>\r\nContent-Disposition: inline; filename="d\u00f6t.png"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC',
    ];
    const raw = text(
      'Files',
      `${parts.join('\r\n')}\r\n--b--`,
      'Content-Type: multipart/related; boundary=b\r\n',
    );
    const id = idOf(await mails.send(raw));
    await mails.parsed();
    const page = await mails.ada.get<string>(`email/html/${id}`);
    expect(page.body).toContain('src="data:image/png;base64,AAEC"');
    const headers = Object.fromEntries(page.headers);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox",
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    });
    expect((await mails.ada.get(`email/html/${id}`, { 'sec-fetch-dest': 'document' })).status).toBe(403);
    const file = await mails.ada.get(`email/attachment/${id}/0`);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="d_t\.png"/);
    expect((await mails.ada.get(`email/attachment/${id}/7`)).status).toBe(404);
    const whole = await mails.ada.get<string>(`email/download/${id}`);
    expect(whole.headers.get('content-type')).toBe('message/rfc822');
    expect(whole.body).toContain('Subject: Files');
  });
});
