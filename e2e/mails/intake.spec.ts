/**
 * A real SMTP client sends e-mails of every kind: none is lost, and each can be read.
 *
 * covers: MAIL-01
 */
import { kinds } from './kinds';
import { idOf, openMailWorld, type MailWorld } from './mail-world';

let mails: MailWorld;

/** A client ends lines as the protocol wants them. */
const lines = (raw: Buffer | undefined): string | undefined =>
  raw
    ?.toString('latin1')
    .replaceAll(/\r\n?|\n/g, '\n')
    .trimEnd();

beforeAll(async () => (mails = await openMailWorld()));
afterAll(() => mails?.end());

describe('sixty kinds of e-mails', () => {
  const stored = new Map<string, string>();

  test('are all acknowledged', async () => {
    expect(kinds).toHaveLength(60);
    for (const { name, raw } of kinds) stored.set(name, idOf(await mails.send(raw)));
    expect([...stored.values()].filter((id) => id === '')).toEqual([]);
    await mails.parsed();
    expect((await mails.page({ size: 1 })).total).toBe(60);
  });

  test.each(kinds)('$name', async ({ name, raw, subject, text, state, attachments }) => {
    const id = stored.get(name) ?? '';
    const { status, body: mail } = await mails.ada.post<Awaited<ReturnType<MailWorld['detail']>>>(
      'email/detail',
      { id },
    );
    expect({ status, id: mail.id }).toEqual({ status: 200, id });
    expect(mail.envelope).toEqual({ from: 'shop@example.org', recipients: ['grace@example.org'] });
    expect(mail.state).toBe(state ?? mail.state);
    expect(mail.state).not.toBe('received');
    if (subject !== undefined) expect(mail.subject).toBe(subject);
    if (text) expect(mail.body).toMatch(text);
    if (attachments !== undefined) expect(mail.files).toHaveLength(attachments);
    expect(mail.from).not.toBe('');
    const got = await mails.ada.post<{ source: string; cut: boolean }>('email/source', { id });
    expect({ status: got.status, cut: got.body.cut }).toEqual({
      status: 200,
      cut: mail.bytes > 1024 * 1024,
    });
    const { rows } = await mails.world.backend.db.query<{ raw: Buffer }>(
      'select raw from app.emails where id = $1',
      [id],
    );
    expect(lines(rows[0]?.raw) === lines(raw)).toBe(true);
    const page = await mails.ada.get(`email/html/${id}`);
    expect([200, 404, 422]).toContain(page.status);
    expect(page.status === 200).toBe(mail.html);
  });
});
