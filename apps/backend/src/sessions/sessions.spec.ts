import type { SessionView } from '@quarterdeck/events';
import { connectSocket } from '../../../../testing/socket';
import { startBackend, type RunningBackend } from '../../../../testing/backend';
import { freePort } from '../../../../testing/free-port';
import { operator } from '../../../../testing/operator';
import { until } from '../../../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../../../testing/postgres';
import { hashed } from '../platform/sessions/session-store';

const codeOf = (link: string): string => new URL(link).searchParams.get('code') ?? '';

describe('sessions', () => {
  let postgres: TestPostgres;
  let [backend, second]: RunningBackend[] = [];

  beforeAll(async () => {
    postgres = await startTestPostgres();
    backend = await startBackend({ databaseUrl: postgres.url });
    second = await startBackend({ databaseUrl: postgres.url });
  });
  afterAll(async () => {
    await backend?.close();
    await second?.close();
    await postgres.stop();
  });
  const [one, two] = [() => backend!, () => second!];

  // covers: AUTH-11, AUTH-03
  it('begin with a one-time link, with the same answer as the redirect of a provider', async () => {
    const link = await one().signInLink({ email: 'ada@example.org', role: 'admin' });
    expect(link).toBe(`${one().url}/login?code=${codeOf(link)}`);
    const answer = await operator(one().url).post('auth/link', { code: codeOf(link) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      profile: {
        id: expect.any(String) as string,
        firstName: '',
        lastName: '',
        email: 'ada@example.org',
        instance: { uuid: expect.any(String) as string, name: 'main' },
        permissions: ['admin'],
        locale: 'en',
      },
      permissions: ['admin'],
      locale: 'en',
      instance: { uuid: expect.any(String) as string, name: 'main' },
    });
    expect(Number(answer.headers.get('x-position'))).toBeGreaterThan(0);
    const cookie = answer.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^qd_session=[\w-]{43};/);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=604800'])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain('Secure');
  });

  it('do not begin with an expired link', async () => {
    const link = await two().signInLink({ email: 'late@example.org' });
    await two().db.query(
      `update app.sign_in_links set expires_at = now() - interval '1 second' where code = $1`,
      [hashed(codeOf(link))],
    );
    expect((await operator(two().url).post('auth/link', { code: codeOf(link) })).status).toBe(401);
  });

  describe('record the address that a proxy reports', () => {
    const proxied: RunningBackend[] = [];
    let addresses = 0;
    beforeAll(async () => {
      for (let i = 0; i < 2; i++) {
        const port = await freePort();
        const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
        proxied.push(await startBackend({ databaseUrl: postgres.url, env }));
      }
    });
    afterAll(async () => {
      for (const each of proxied) await each.close();
    });
    const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1)}` });
    /** Alternates between the two processes, all calls at once. */
    const many = (count: number, path: string, body: object, from = newAddress()) =>
      Promise.all(
        Array.from({ length: count }, (_, i) => operator(proxied[i % 2]?.url ?? '').post(path, body, from)),
      );

    it('begin once per link, however many post its code at once', async () => {
      const code = codeOf(await one().signInLink());
      const answers = await many(50, 'auth/link', { code });
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { status, body, headers } of refused) {
        expect([401, 429]).toContain(status);
        expect(headers.getSetCookie()).toEqual([]);
        if (status === 401) expect(body).toEqual({ msg: 'Access Denied! Wrong access credentials.' });
      }
    });

    it('do not begin by guessing: after ten failures the address has to wait', async () => {
      const from = newAddress();
      const door = operator(proxied[0]?.url ?? '');
      const statuses: number[] = [];
      for (let i = 0; i < 12; i++)
        statuses.push((await door.post('auth/link', { code: `guess-${i}` }, from)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
      expect((await door.post('auth/link', { code: 'guess' }, newAddress())).status).toBe(401);
    });

    it.each([
      ['auth/link', { code: 'guess' }, 401],
      ['auth/invitation', { code: 'guess', name: 'Eve' }, 404],
      ['invitation/look', { code: 'guess' }, 404],
    ])(
      'let ten of 300 guesses at %s be looked at, however many processes are asked at once',
      async (path, body, status) => {
        const answers = await many(300, path, body);
        const of = (wanted: number) => answers.filter((answer) => answer.status === wanted);
        expect([of(status).length, of(429).length]).toEqual([10, 290]);
        expect(Number(of(429)[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      },
    );

    it('leave the connections of the process to others while guesses wait to be counted', async () => {
      const door = operator(proxied[0]?.url ?? '');
      const from = newAddress();
      const guess = () => door.post('auth/link', { code: 'guess' }, from);
      expect((await guess()).status).toBe(401);
      const holder = await one().db.connect();
      try {
        await holder.query('begin');
        await holder.query('select from app.failed_attempts where address = $1 for update', [
          from['x-forwarded-for'],
        ]);
        const waiting = async () => {
          const { rows } = await holder.query<{ n: number }>(
            'select count(*)::int as n from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
          );
          return rows[0]?.n;
        };
        const guesses = Array.from({ length: 40 }, guess);
        await until(async () => (await waiting()) === 1);
        const links = await Promise.all(
          Array.from({ length: 40 }, () => door.post('auth/link', { code: 'other' }, newAddress())),
        );
        expect(new Set(links.map(({ status }) => status))).toEqual(new Set([401]));
        expect(await waiting()).toBe(1);
        await holder.query('commit');
        const statuses = (await Promise.all(guesses)).map(({ status }) => status);
        expect(statuses.filter((status) => status === 401)).toHaveLength(9);
        expect(statuses.filter((status) => status === 429)).toHaveLength(31);
      } finally {
        await holder.query('rollback');
        holder.release();
      }
    });

    it('begin for everybody who has a valid code, even all at once', async () => {
      const from = newAddress();
      const links = await Promise.all(
        Array.from({ length: 15 }, () => one().signInLink({ email: 'crowd@example.org' })),
      );
      const answers = await Promise.all(
        links.map((link) => operator(proxied[0]?.url ?? '').post('auth/link', { code: codeOf(link) }, from)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });

  it('are stored only as hashes', async () => {
    const link = await one().signInLink();
    const who = await one().signIn({ email: 'hash@example.org' });
    const { rows } = await one().db.query(
      'select row_to_json(s) as s from app.sessions s union all select row_to_json(l) from app.sign_in_links l',
    );
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(who.cookie.split('=')[1]);
    expect(stored).not.toContain(codeOf(link));
  });

  it('show who is signed in, and nothing without a valid cookie', async () => {
    const who = await one().signIn({ workspace: 'other', role: 'superadmin', email: 'grace@example.org' });
    const { status, body } = await who.get('session');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      permissions: ['admin', 'superadmin'],
      instance: { name: 'other' },
      version: '0.5.14',
    });
    expect(await operator(one().url).get('session')).toMatchObject({
      status: 401,
      body: { msg: 'please sign in' },
    });
    expect((await operator(one().url, `qd_session=${'A'.repeat(43)}`).get('session')).status).toBe(401);
  });

  it('end in every process when the operator signs out, and listeners are told', async () => {
    const who = await one().signIn({ email: 'leaves@example.org' });
    const elsewhere = operator(two().url, who.cookie);
    expect((await elsewhere.get('session')).status).toBe(200);
    const told = new Promise<string>((resolve) => two().resources.sessions.onRevoked(resolve));
    const answer = await who.get('auth/logout', { 'x-requested-with': 'test' });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^qd_session=;/);
    expect(await told).toBe(hashed(who.cookie.split('=')[1] ?? ''));
    expect((await who.get('session')).status).toBe(401);
    expect((await elsewhere.get('session')).status).toBe(401);
  });

  // covers: AUTH-12
  it('are listed for their owner, who can end one from another one, in every process at once', async () => {
    const email = 'several@example.org';
    const sign = async (userAgent: string, at: RunningBackend) => {
      const code = codeOf(await at.signInLink({ email }));
      const answer = await operator(at.url).post('auth/link', { code }, { 'user-agent': userAgent });
      return operator(at.url, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    };
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
    const here = await sign(firefox, one());
    const there = await sign('curl/8.11.0', two());
    const third = await sign('', two());
    const listed = await here.post<SessionView[]>('session/list');
    expect(listed.body).toMatchObject([
      { device: 'Firefox on Linux', via: 'link', current: true },
      { device: expect.any(String) as string, current: false },
      { device: expect.any(String) as string, current: false },
    ]);
    expect(listed.body.map(({ device }) => device)).toEqual(
      expect.arrayContaining(['curl', 'Unknown device']) as string[],
    );
    for (const { startedAt, endsWhenIdleAt, endsAt } of listed.body) {
      expect(Date.parse(endsAt) - Date.parse(startedAt)).toBe(7 * 24 * 3_600_000);
      expect(Date.parse(endsWhenIdleAt) - Date.parse(startedAt)).toBe(12 * 3_600_000);
    }

    const socket = await connectSocket(there);
    const gone = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    const id = listed.body.find(({ device }) => device === 'curl')?.id;
    expect((await here.post('session/revoke', { id })).status).toBe(200);
    await gone;
    expect((await there.get('session')).status).toBe(401);
    expect((await here.post('session/revoke', { id })).body).toEqual({ msg: 'session could not be found' });
    expect((await third.get('session')).status).toBe(200);

    const others = await here.post('session/revoke-others');
    expect(others.body).toEqual({ ended: 1 });
    expect((await third.get('session')).status).toBe(401);
    expect((await here.post<SessionView[]>('session/list')).body).toHaveLength(1);
    expect((await here.post('session/revoke-others')).body).toEqual({ ended: 0 });
  });

  it('of other people can be neither seen nor ended', async () => {
    const [mine, theirs] = [
      await one().signIn({ email: 'mine@example.org' }),
      await one().signIn({ email: 'theirs@example.org' }),
    ];
    const [session] = (await theirs.post<SessionView[]>('session/list')).body;
    const seen = await mine.post<SessionView[]>('session/list');
    expect(seen.body.map(({ id }) => id)).not.toContain(session?.id);
    expect((await mine.post('session/revoke', { id: session?.id })).status).toBe(404);
    expect((await theirs.get('session')).status).toBe(200);
  });

  it.each([
    ['12 hours without a call', `seen_at = now() - interval '12 hours 1 second'`],
    ['7 days', `expires_at = now() - interval '1 second'`],
  ])('end after %s', async (_when, change) => {
    const who = await one().signIn({ email: 'idle@example.org' });
    const id = hashed(who.cookie.split('=')[1] ?? '');
    await one().db.query(`update app.sessions set ${change} where id = $1`, [id]);
    expect((await who.get('session')).status).toBe(401);
  });

  it('are recorded: joined, link issued, signed in, signed out', async () => {
    const who = await one().signIn({ email: 'recorded@example.org' });
    const { body } = await who.get<{ profile: { id: string } }>('session');
    await who.post('auth/logout');
    const events = await one().resources.store.readStream(`person-${body.profile.id}`);
    expect(events.map(({ type }) => type)).toEqual([
      'PersonJoined',
      'SignInLinkIssued',
      'PersonSignedIn',
      'PersonSignedOut',
    ]);
    expect(JSON.stringify(events)).not.toContain('recorded@example.org');
  });

  it('find a workspace by its name in any case', async () => {
    const nobody = operator(one().url);
    const found = await nobody.get('auth/instance/exists?instance=MAIN');
    expect(found).toMatchObject({ status: 200, body: { name: 'main' } });
    expect(await nobody.get('auth/instance/exists?instance=nowhere')).toMatchObject({
      status: 404,
      body: { msg: 'instance could not be found' },
    });
    expect((await nobody.get('auth/instance/exists')).body).toMatchObject({
      data: { instance: 'This field is required' },
    });
  });

  it('create one workspace and one person for 20 concurrent link requests', async () => {
    const links = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? one() : two()).signInLink({ workspace: 'Rush', email: 'r@example.org' }),
      ),
    );
    expect(new Set(links).size).toBe(20);
    const who = await one().signIn({ workspace: 'rush', email: 'R@example.org' });
    const people = await who.post<{ email: string }[]>('person/list');
    expect(people.body.map(({ email }) => email)).toEqual(['r@example.org']);
  });

  it('list only people of their own workspace', async () => {
    const who = await one().signIn({ workspace: 'island', email: 'island@example.org' });
    const { body } = await who.post<{ email: string; role: string }[]>('person/list');
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ email: 'island@example.org', role: 'admin' });
  });

  it('are limited to a number of calls per minute', async () => {
    const limited = await startBackend({ databaseUrl: postgres.url, env: { CALLS_PER_MINUTE: '5' } });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await operator(limited.url).get('session')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    // A session that this process has not seen before counts for itself, not for its address.
    const known = operator(limited.url, (await one().signIn()).cookie);
    expect((await known.get('session')).status).toBe(200);
    const answer = await operator(limited.url).get('session');
    expect(answer.body).toEqual({ msg: 'too many calls, please wait a moment' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    // An invalid cookie does not make a separate caller.
    const invented = operator(limited.url, `qd_session=${'x'.repeat(43)}`);
    expect((await invented.get('session')).status).toBe(429);
    expect((await known.get('session')).status).toBe(200);
    await limited.close();
  });
});
