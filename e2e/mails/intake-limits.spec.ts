/**
 * Clients of the mail intake that are slow, silent or without end. Each is cut off by a limit, stores nothing and gives
 * its place back.
 *
 * covers: MAIL-01
 */
import { networkInterfaces } from 'node:os';
import { MailRoom } from '../../apps/backend/src/mails/mail-room';
import { SmtpIntake } from '../../apps/backend/src/mails/smtp-intake';
import { until } from '../../testing/patience';
import { beginWebhook, byWebhook, openMailWorld, type MailWorld } from './mail-world';
import { talkTo } from './talk';

const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;

let mails: MailWorld;
let intake: SmtpIntake;
let room: MailRoom;

beforeAll(async () => {
  // A socket for both kinds of addresses reports 127.0.0.1 as ::ffff:127.0.0.1.
  const both = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
  mails = await openMailWorld({ env: { MAIL_HOST: both ? '::' : '0.0.0.0' } });
  const { app } = mails.world.backend;
  [intake, room] = [app.get(SmtpIntake, { strict: false }), app.get(MailRoom, { strict: false })];
});
beforeEach(
  () => void Object.assign(intake.patience, { idleMs: HOUR_MS, signInMs: HOUR_MS, sessionMs: HOUR_MS }),
);
afterEach(async () => {
  Object.assign(intake.patience, { idleMs: HOUR_MS, signInMs: HOUR_MS, sessionMs: HOUR_MS });
  expect((await mails.page()).total).toBe(0);
  expect(mails.world.backend.logs.filter((line) => line.includes('could not be stored'))).toEqual([]);
});
afterAll(() => mails?.end());

const SHORT_MS = 500;

/** A client that has given its token. Tried again if the machine was slower than a limit. */
const signedIn = async () => {
  for (;;) {
    const talk = await talkTo(mails.port);
    await talk.say('EHLO x');
    const auth = Buffer.from(`\0x\0${mails.issued.token}`).toString('base64');
    if ((await talk.say(`AUTH PLAIN ${auth}`)).startsWith('235')) return talk;
  }
};
/** A client that may send the content of an e-mail. Tried again as above. */
const inData = async () => {
  for (;;) {
    const talk = await signedIn();
    await talk.say('MAIL FROM:<a@example.org>');
    await talk.say('RCPT TO:<b@example.org>');
    if ((await talk.say('DATA')).startsWith('354')) return talk;
  }
};

test('a client that gives no token in time is cut off, whatever it says meanwhile', async () => {
  intake.patience.signInMs = SHORT_MS;
  const [silent, dripping] = [await talkTo(mails.port), await talkTo(mails.port)];
  await Promise.all([silent.closed(), dripping.drip('E')]);
});

test('a client that has given its token in time stays, also on a socket for both kinds of addresses', async () => {
  intake.patience.signInMs = SHORT_MS;
  const talk = await signedIn();
  // A later one is cut off by the same limit.
  await (await talkTo(mails.port)).closed();
  expect(await talk.say('NOOP')).toMatch(/^250/);
  talk.end();
});

test('a client that falls silent is told so and cut off', async () => {
  intake.patience.idleMs = SHORT_MS;
  const talk = await talkTo(mails.port);
  expect(await talk.closed()).toMatch(/^421/);
});

test('a client that drips its e-mail is cut off in the end, and nothing of it is stored', async () => {
  intake.patience.sessionMs = 2 * SHORT_MS;
  await (await inData()).drip('slow\r\n');
});

test('an e-mail without end is read up to 100 MB, and nothing of it is stored', async () => {
  const sent = await (await inData()).pour(Buffer.alloc(MB, 'x\r\n'));
  // The network buffers some on both sides.
  expect(sent).toBeLessThan(200 * MB);
});

test('a line without end is refused', async () => {
  const talk = await talkTo(mails.port);
  expect(await talk.pour(Buffer.alloc(4096, 'x'))).toBeLessThan(64 * MB);
});

test('at most 1,000 recipients are taken, and later ones are told to come again', async () => {
  const talk = await signedIn();
  await talk.say('MAIL FROM:<a@example.org>');
  const codes = await talk.sayAll(Array.from({ length: 1010 }, (_, at) => `RCPT TO:<to-${at}@example.org>`));
  expect(codes.filter((code) => code === '250')).toHaveLength(1000);
  expect(codes.slice(1000)).toEqual(Array.from({ length: 10 }, () => '452'));
  talk.end();
});

describe('e-mails that all senders together have no room for', () => {
  const part = Buffer.alloc(2 * MB, 'Subject: x\r\n');
  const usual = 60 * MB;

  /** A client that has sent most of what there is room for. It ends with `end`. */
  const holding = async () => {
    const first = await inData();
    first.write(part);
    await until(() => room.held > MB);
    return {
      end: async () => {
        first.end();
        await until(() => room.held === 0);
      },
    };
  };
  const removed = async (id: string | undefined) => {
    expect((await mails.ada.post('email/delete', { id })).status).toBe(200);
    await mails.parsed();
  };

  beforeEach(() => {
    expect(room.maxHeld).toBe(usual);
    room.maxHeld = 3 * MB;
  });
  afterEach(() => void (room.maxHeld = usual));

  test('are told to come again over SMTP, and are taken then', async () => {
    const first = await holding();
    const later = await inData();
    later.write(part);
    expect(await later.say('\r\n.')).toMatch(/^452 .*try again later/);
    later.end();
    await first.end();
    const again = await inData();
    again.write(part);
    const [, id] = /stored as (\S+)/.exec(await again.say('\r\n.')) ?? [];
    again.end();
    expect(room.held).toBe(0);
    await removed(id);
  });

  test('are told to come again by webhook, and are taken then', async () => {
    const body = JSON.stringify({ message: part.toString('base64') });
    const first = await holding();
    const later = await byWebhook(mails, body);
    expect(later).toMatchObject({ status: 503, body: { msg: expect.stringContaining('try again later') } });
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(0);
    await first.end();
    const again = await byWebhook(mails, body);
    expect(again.status).toBe(200);
    await until(() => room.held === 0);
    await removed(again.body.id);
  });

  test('leave their room when a webhook breaks off', async () => {
    const socket = beginWebhook(mails, mails.issued.id, 2 * MB);
    await until(() => room.held === 2 * MB);
    socket.destroy();
    await until(() => room.held === 0);
  });
});

test('all of them have given their places back', async () => {
  await until(async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => talkTo(mails.port)));
    for (const one of all) one.end();
    return all.every(({ greeting }) => greeting.startsWith('220'));
  });
});
