/**
 * A second factor after every sign-in: what half a session may do, codes that work once, limits of guesses, recovery
 * codes, the demand of a workspace, and ways out for who has lost it.
 *
 * covers: AUTH-06, AUTH-07, AUTH-12
 */
import { contract } from '@quarterdeck/contract';
import type { PersonView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { connectSocket } from '../../testing/socket';
import { openWorld, type World } from '../backend/world';
import { runHere } from '../../testing/backend';
import { operator, type Operator } from '../../testing/operator';
import { addApp, codeFrom, give } from './authenticator-app';
import { SoftwarePasskey } from './software-passkey';
import { personOf, teamOf } from './team';
import { tracesOf } from './traces';

let world: World;
let second: { url: string };

beforeAll(async () => {
  world = await openWorld();
  second = await world.another();
});
afterAll(() => world?.end());

type Member = Awaited<ReturnType<typeof teamOf>>[number];

const team = (...roles: Parameters<typeof teamOf>[2][]) => teamOf(world.backend, second, ...roles);
/** A new session of the same person. */
const signedInAgain = async ({ email }: Member): Promise<Operator> => {
  const [, workspace = ''] = /@(team-[^.]+)/.exec(email) ?? [];
  return world.backend.signIn({ workspace, email, role: email.startsWith('admin') ? 'admin' : 'member' });
};
/** What the history says about the person, newest first. */
const saidOf = async (admin: Operator, id: string): Promise<string[]> => {
  await world.backend.caughtUp();
  const { body } = await admin.post<{ events: { says: string }[] }>('history/list', {
    subject: { category: 'person', id },
  });
  return body.events.map(({ says }) => says);
};
const demand = (who: Operator, demanded = true) => who.post('workspace/second-factor', { demanded });

describe('an authenticator app', () => {
  it('counts once a code has confirmed it; then other sessions of the person end', async () => {
    const [ada] = await team('admin');
    const other = await signedInAgain(ada!);
    const begun = await ada!.post<{ id: string; secret: string; address: string }>(
      'second-factor/totp/begin',
    );
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.body.address).toContain(`secret=${begun.body.secret}&issuer=Quarterdeck`);
    const confirm = (code: string) =>
      ada!.post<{ data: object; recoveryCodes: string[] }>('second-factor/totp/confirm', {
        id: begun.body.id,
        name: 'Phone',
        code,
      });
    const wrong = await confirm(codeFrom(begun.body.secret, 5));
    expect([wrong.status, Object.keys(wrong.body.data)]).toEqual([400, ['code']]);
    expect((await other.get('session')).status).toBe(200);
    expect((await personOf(ada!, ada!.id))!).toMatchObject({ secondFactors: [], recoveryCodesLeft: 0 });

    const right = await confirm(codeFrom(begun.body.secret));
    expect(right.body.recoveryCodes).toHaveLength(10);
    expect(new Set(right.body.recoveryCodes).size).toBe(10);
    expect((await other.get('session')).status).toBe(401);
    expect((await ada!.there.get('session')).status).toBe(200);
    expect(await personOf(ada!, ada!.id)).toMatchObject({
      secondFactors: [{ id: begun.body.id, kind: 'totp' }],
      recoveryCodesLeft: 10,
    });
    const listed = await ada!.post('second-factor/list');
    expect(listed.body).toMatchObject({ factors: [{ name: 'Phone', kind: 'totp' }], recoveryCodesLeft: 10 });
  });

  it('keeps its secret and the recovery codes out of the log, the read models and the tables', async () => {
    const [ada] = await team('admin');
    const { secret, recoveryCodes } = await addApp(ada!, 'The phone of Ada Marsh');
    for (const text of [secret, ...recoveryCodes, recoveryCodes[0]!.replaceAll('-', '')])
      expect(await tracesOf(world.backend.db, text)).toEqual([]);
    expect(await tracesOf(world.backend.db, 'The phone of Ada Marsh')).toEqual(['app.second_factors']);
  });
});

describe('half a session', () => {
  it('is accepted by no call and no socket until the factor is given, in every process', async () => {
    const [ada] = await team('admin');
    const { secret } = await addApp(ada!);
    const half = await signedInAgain(ada!);
    const there = operator(second.url, half.cookie);
    const wrong: string[] = [];
    for (const call of contract) {
      if (call.access === 'public' || call.access === 'local' || call.lacking?.includes('due')) continue;
      const path = call.path.replaceAll(/:\w+/g, 'x');
      const headers = { 'x-requested-with': 'test' };
      const answer = await (call.method === 'GET' ? half.get(path, headers) : half.post(path, {}, headers));
      if (answer.status !== 403 || !['second-factor-due', undefined].includes(answer.body['code'] as string))
        wrong.push(`${call.id}: ${answer.status}`);
    }
    expect(wrong).toEqual([]);
    expect((await half.get('session')).body).toMatchObject({ code: 'second-factor-due' });
    for (const who of [half, there]) await expect(connectSocket(who)).rejects.toThrow('unauthorized');
    // Nobody adds a factor of their own with the first factor alone.
    for (const path of ['totp/begin', 'passkey/begin', 'recovery-codes'])
      expect((await half.post(`second-factor/${path}`)).body).toMatchObject({ code: 'second-factor-due' });
    const { body: state } = await half.get('second-factor/state');
    expect(state).toMatchObject({ lacks: 'due', ways: ['totp', 'recovery'] });

    expect((await give(half, codeFrom(secret))).status).toBe(200);
    for (const who of [half, there]) {
      expect((await who.get('session')).status).toBe(200);
      (await connectSocket(who)).close();
    }
    expect(await saidOf(half, ada!.id)).toContain('gave the second factor: an authenticator app');
  });

  it('says nothing about the person, is listed as waiting, and can be signed out', async () => {
    const [ada] = await team('admin');
    await addApp(ada!);
    const link = new URL(
      await world.backend.signInLink({
        workspace: ada!.email.split('@')[1]!.split('.')[0]!,
        email: ada!.email,
      }),
    );
    const nobody = operator(world.backend.url);
    const entered = await nobody.post('auth/link', { code: link.searchParams.get('code') });
    expect(entered.body).toMatchObject({
      lacks: 'due',
      permissions: [],
      profile: { email: '', firstName: '' },
    });
    const half = operator(world.backend.url, entered.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    const { body: sessions } = await ada!.post<{ waits?: true }[]>('session/list');
    expect(sessions.filter(({ waits }) => waits)).toHaveLength(1);
    expect((await half.post('auth/logout')).status).toBe(200);
    expect((await half.get('second-factor/state')).status).toBe(401);
  });
});

describe('a code', () => {
  it('works once, with clocks that differ by one step, and an older one not after it', async () => {
    const [ada] = await team('admin');
    const { secret } = await addApp(ada!);
    const half = await signedInAgain(ada!);
    const again = await signedInAgain(ada!);
    expect((await give(half, codeFrom(secret, 4))).body).toMatchObject({
      data: { code: expect.stringContaining('clock') },
    });
    const next = codeFrom(secret, 1);
    const both = await Promise.all([give(half, next), give(again, next)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const left = both[0].status === 200 ? again : half;
    expect((await give(left, next)).body).toMatchObject({
      data: { code: expect.stringContaining('used already') },
    });
    expect((await give(left, codeFrom(secret))).status).toBe(400);
  });

  it('is limited per person and address, also for concurrent guesses; recovery codes still work', async () => {
    const [ada] = await team('admin');
    const { secret, recoveryCodes } = await addApp(ada!);
    const half = await signedInAgain(ada!);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => give(half, codeFrom(secret, 9))));
    const counted = (wanted: number) => guesses.filter(({ status }) => status === wanted).length;
    expect([counted(400), counted(429)]).toEqual([5, 7]);
    const blocked = guesses.find(({ status }) => status === 429)!;
    expect(Number(blocked.headers.get('retry-after'))).toBeLessThanOrEqual(300);
    // Not for ever: the window ends.
    expect((await give(half, codeFrom(secret))).status).toBe(429);
    await world.backend.db.query(
      `update app.second_factor_attempts set since = since - interval '6 minutes' where person = $1`,
      [ada!.id],
    );
    expect((await give(half, codeFrom(secret))).status).toBe(200);
    const another = await signedInAgain(ada!);
    for (let i = 0; i < 6; i += 1) await give(another, codeFrom(secret, 9));
    const lower = recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ');
    expect((await another.post('second-factor/give/recovery', { code: lower })).status).toBe(200);
    const third = await signedInAgain(ada!);
    const twice = await third.post('second-factor/give/recovery', { code: recoveryCodes[0] });
    expect([twice.status, Object.keys(twice.body['data'] as object)]).toEqual([400, ['code']]);
    expect(await personOf(ada!, ada!.id)).toMatchObject({ recoveryCodesLeft: 9 });
  });

  it('is refused at new addresses after a day of failures, not where the person has given it before', async () => {
    const [ada] = await team('admin');
    const { secret } = await addApp(ada!);
    const half = await signedInAgain(ada!);
    await give(half, codeFrom(secret));
    await world.backend.db.query(
      `insert into app.second_factor_attempts (person, place, since, failed) values ($1, 'other addresses', now(), 30)
       on conflict (person, place) do update set failed = 30, since = now()`,
      [ada!.id],
    );
    const known = await signedInAgain(ada!);
    expect((await give(known, codeFrom(secret, 1))).status).toBe(200);
    await world.backend.db.query(`update app.second_factor_attempts set proved_at = null where person = $1`, [
      ada!.id,
    ]);
    const stranger = await signedInAgain(ada!);
    expect((await give(stranger, codeFrom(secret, 1))).status).toBe(429);
  });
});

describe('a passkey', () => {
  const atLocalhost = ({ url, cookie }: Operator) => operator(url.replace('127.0.0.1', 'localhost'), cookie);
  const challengeOf = async (who: Operator, path: string): Promise<string> => {
    const { body } = await who.post<{ options: { challenge: string } }>(`second-factor/${path}`);
    return body.options.challenge;
  };
  const confirm = (who: Operator, answer: object) =>
    who.post('second-factor/passkey/confirm', { name: 'Key', answer });
  const present = (who: Operator, answer: object) => who.post('second-factor/give/passkey', { answer });

  it('is added and given at the host of the console; forged answers are refused', async () => {
    const [ada, bob] = await team('admin', 'member');
    const [here, theirs] = [atLocalhost(ada!), atLocalhost(bob!)];
    const key = new SoftwarePasskey(here.url);
    for (const wrongly of [
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
      { certificate: Buffer.from('a certificate that names a list of revoked ones') },
    ])
      expect(
        (await confirm(here, key.make(await challengeOf(here, 'passkey/begin'), wrongly))).body,
      ).toMatchObject({
        code: 'passkey',
      });
    // No library has looked at the certificate.
    expect(
      world.backend.logs.filter((line) => line.includes('an attestation was not asked for')),
    ).toHaveLength(1);
    const made = key.make(await challengeOf(here, 'passkey/begin'));
    expect((await confirm(theirs, made)).status).toBe(422);
    expect((await confirm(here, made)).status).toBe(200);
    // A challenge works once, and a passkey belongs to one person.
    expect((await confirm(here, made)).status).toBe(422);
    expect((await confirm(theirs, key.make(await challengeOf(theirs, 'passkey/begin')))).status).toBe(409);

    const half = atLocalhost(await signedInAgain(ada!));
    expect((await half.get('second-factor/state')).body).toMatchObject({
      ways: ['passkey', 'recovery'],
      passkeys: { origin: half.url },
    });
    for (const wrongly of [{ origin: 'https://evil.example' }, { host: 'evil.example' }])
      expect(
        (await present(half, key.use(await challengeOf(half, 'give/passkey/begin'), wrongly))).status,
      ).toBe(400);
    const stranger = new SoftwarePasskey(half.url);
    expect((await present(half, stranger.use(await challengeOf(half, 'give/passkey/begin')))).status).toBe(
      400,
    );
    expect((await half.get('session')).status).toBe(403);
    const used = key.use(await challengeOf(half, 'give/passkey/begin'), { counter: 7 });
    expect((await present(half, used)).status).toBe(200);
    expect((await half.get('session')).status).toBe(200);
    expect((await present(half, used)).status).toBe(422);
    // A copy has counted less than the original.
    const copied = key.use(await challengeOf(half, 'give/passkey/begin'), { counter: 7 });
    expect((await present(half, copied)).status).toBe(400);
  });

  it('is offered at no address: the answer says where it works', async () => {
    const [ada] = await team('admin');
    const { port } = new URL(ada!.url);
    expect((await ada!.get('second-factor/state')).body).toMatchObject({
      passkeys: { reason: expect.stringContaining(`http://localhost:${port}`) as string },
    });
    expect((await ada!.post('second-factor/passkey/begin')).status).toBe(422);
  });
});

describe('changes of factors', () => {
  it('need a second factor that was given within ten minutes', async () => {
    const [ada] = await team('admin');
    const { id, secret } = await addApp(ada!);
    const asked = [
      ['totp/begin', {}],
      ['recovery-codes', {}],
      ['remove', { id }],
    ] as const;
    const old = async (): Promise<void> => {
      await world.backend.db.query(
        `update app.sessions set proved_at = now() - interval '11 minutes' where person = $1`,
        [ada!.id],
      );
      // Another process has not remembered the session.
      await world.backend.db.query(
        `select pg_notify('sessions', 'changed ' || id) from app.sessions where person = $1`,
        [ada!.id],
      );
    };
    await old();
    const stale = await Promise.all(
      asked.map(([path, body]) => ada!.there.post(`second-factor/${path}`, body)),
    );
    expect(stale.map(({ body }) => body['code'])).toEqual(asked.map(() => 'second-factor-stale'));
    expect((await ada!.there.post('person/reset-second-factor', { id: ada!.id })).status).toBe(403);
    expect((await give(ada!.there, codeFrom(secret))).status).toBe(200);
    expect((await ada!.there.post('second-factor/rename', { id, name: 'Old phone' })).status).toBe(200);
    const codes = await ada!.there.post<{ recoveryCodes: string[] }>('second-factor/recovery-codes');
    expect(codes.body.recoveryCodes).toHaveLength(10);
    expect((await ada!.there.post('second-factor/remove', { id })).status).toBe(200);
    expect((await ada!.get('session')).status).toBe(200);
    expect(await saidOf(ada!, ada!.id)).toEqual(
      expect.arrayContaining([
        'added a second factor: an authenticator app',
        'made 10 recovery codes; earlier ones no longer work',
        'renamed the second factor: an authenticator app',
        'removed a second factor: an authenticator app',
      ]),
    );
    const rows = await world.backend.db.query(
      `select from app.second_factors where person = $1 union all select from app.recovery_codes where person = $1
       union all select from app.vault where ref::text = $2`,
      [ada!.id, id],
    );
    expect(rows.rowCount).toBe(0);
  });
});

describe('a workspace that demands a second factor', () => {
  it('leads its members to set one up, and shows them nothing before', async () => {
    const [ada, bob] = await team('admin', 'member');
    const refused = await demand(ada!);
    expect([refused.status, refused.body['msg']]).toEqual([
      409,
      expect.stringContaining('lock yourself out'),
    ]);
    const { secret } = await addApp(ada!);
    expect((await demand(bob!)).status).toBe(403);
    const socket = await connectSocket(bob!);
    expect((await demand(ada!)).status).toBe(200);
    await socket.until(() => socket.ended);
    expect((await bob!.there.get('session')).status).toBe(401);

    const half = await signedInAgain(bob!);
    expect((await half.post('product/list')).body).toMatchObject({ code: 'second-factor-missing' });
    await expect(connectSocket(half)).rejects.toThrow('unauthorized');
    expect((await half.get('second-factor/state')).body).toMatchObject({ lacks: 'missing', ways: [] });
    const { id } = await addApp(half);
    expect((await half.post('product/list')).status).toBe(200);
    const last = await half.post('second-factor/remove', { id });
    expect([last.status, last.body['msg']]).toEqual([409, expect.stringContaining('add another one first')]);

    expect((await give(ada!, codeFrom(secret))).status).toBe(200);
    expect((await demand(ada!, false)).status).toBe(200);
    expect((await half.post('second-factor/remove', { id })).status).toBe(200);
    expect((await half.post('product/list')).status).toBe(200);
  });
});

describe('who has lost the second factor', () => {
  it('gets it reset by an administrator, signs in without it, and is told', async () => {
    const [ada, bob] = await team('admin', 'member');
    await addApp(bob!);
    expect((await bob!.post('person/reset-second-factor', { id: bob!.id })).status).toBe(403);
    expect((await ada!.post('person/reset-second-factor', { id: bob!.id })).status).toBe(200);
    expect((await bob!.get('session')).status).toBe(401);
    expect((await saidOf(ada!, bob!.id))[0]).toContain('lost the second factor');
    const person = (await personOf(ada!, bob!.id)) as unknown as PersonView;
    expect(person).toMatchObject({ secondFactors: [], recoveryCodesLeft: 0, sessions: 0 });
    const again = await signedInAgain(bob!);
    expect((await again.get('session')).body).toMatchObject({
      secondFactorResetAt: person.secondFactorResetAt,
    });
    await addApp(again);
    expect((await again.get('session')).body).not.toHaveProperty('secondFactorResetAt');
  });

  it('gets it reset at the command line, if nobody else is an administrator', async () => {
    const workspace = `alone-${uuidv7()}`;
    const email = 'root@example.org';
    const root = await world.backend.signIn({ workspace, email, role: 'superadmin' });
    await addApp(root);
    const { body: me } = await root.get<{ profile: { id: string } }>('session');
    expect((await root.post('person/reset-second-factor', { id: me.profile.id })).status).toBe(403);
    const { code, stdout } = await runHere(
      [
        'sign-in-link',
        '--workspace',
        workspace,
        '--email',
        email,
        '--role',
        'superadmin',
        '--reset-second-factor',
      ],
      { databaseUrl: world.postgres.url },
    );
    expect(code).toBe(0);
    const link = /code=(\S+)/.exec(stdout)?.[1] ?? '';
    const again = await operator(world.backend.url).signIn(link);
    expect((await again.get('session')).status).toBe(200);
  });

  it('loses it with their membership, and nothing of it is kept', async () => {
    const [ada, bob] = await team('admin', 'member');
    const { id } = await addApp(bob!, 'The phone of Bob');
    await give(await signedInAgain(bob!), '000000');
    await ada!.post('person/remove', { id: bob!.id });
    await ada!.post('person/forget', { id: bob!.id });
    for (const text of ['The phone of Bob', id])
      expect((await tracesOf(world.backend.db, text)).filter((table) => table.startsWith('app.'))).toEqual(
        [],
      );
    const rows = await world.backend.db.query(
      `select from app.recovery_codes where person = $1 union all
       select from app.second_factor_attempts where person = $1`,
      [bob!.id],
    );
    expect(rows.rowCount).toBe(0);
  });
});
