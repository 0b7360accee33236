/** A person's account at the source-code host, and the host's answers about its token. covers: AUTH-08, AUTH-09 */
import type { CredentialValue, TokenValidity } from '@quarterdeck/projections';
import { settled } from '../alerts/alerts-world';
import { openWorld, type World } from '../backend/world';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import type { Answer, Operator } from '../../testing/operator';

const TOKEN = 'ghp_a-token-that-no-answer-may-show';
const changing = { 'x-requested-with': 'quarterdeck' };
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

let github: GitHubPeer;
let world: World;
let ada: Operator;

beforeAll(async () => {
  github = await startGitHub();
  world = await openWorld({
    env: { GITHUB_API_URL: `${github.url}/`, GITHUB_URL: 'https://git.example.org' },
  });
  ada = await world.backend.signIn({ email: 'ada@example.org' });
});
afterAll(async () => {
  await world?.end();
  await github?.stop();
});
beforeEach(() => github.feel({ is: 'well' }));

const get = (key: string, who = ada) => who.get<CredentialValue>(`profile/${key}/get`);
const update = (key: string, value: string, who = ada): Promise<Answer> =>
  who.post(`profile/${key}/update`, { value });
const remove = (key: string, who = ada) => who.get(`profile/${key}/delete`, changing);
const validity = async (who = ada): Promise<TokenValidity> => {
  const { status, body } = await who.get<TokenValidity>('profile/token/validity');
  expect(status).toBe(200);
  return body;
};
/** Shifts all checks into the past, as if that much time had passed. */
const hoursLater = (hours: number) =>
  world.backend.db.query(
    'update app.token_checks set next_at = next_at - make_interval(hours => $1), checked_at = checked_at - make_interval(hours => $1)',
    [hours],
  );
const secrets = async (): Promise<string[]> =>
  (
    await world.backend.db.query<{ kind: string }>(
      `select kind from app.vault where kind in ('gh-username', 'gh-token') order by kind`,
    )
  ).rows.map(({ kind }) => kind);

describe('the values', () => {
  test('are empty, and reported as missing', async () => {
    expect((await get('gh-username')).body).toEqual({ value: '' });
    expect((await get('gh-token')).body).toEqual({ value: '' });
    expect(await validity()).toEqual({
      scopes: [],
      expirationDate: null,
      dateValid: false,
      scopesOk: false,
      expectedScopes: ['repo', 'read:packages'],
      warnings: ['A username for the source host was not given', 'A token was not given'],
      notes: [],
      tokenPage: 'https://git.example.org/settings/tokens',
    });
    expect(github.calls).toEqual([]);
  });

  test('are stored: the name in clear text, the token as seven asterisks', async () => {
    expect((await update('gh-username', 'octocat')).status).toBe(200);
    expect((await update('gh-token', TOKEN)).status).toBe(200);
    expect((await get('gh-username')).body).toEqual({ value: 'octocat', storedAt: expect.any(String) });
    expect((await get('gh-token')).body).toEqual({
      value: '*******',
      fingerprint: expect.stringMatching(/^SHA256:[\w-]{12}$/),
      storedAt: expect.any(String),
    });
    expect(await secrets()).toEqual(['gh-token', 'gh-username']);
  });

  test('that do not change record nothing; another value replaces the earlier one', async () => {
    const before = (await get('gh-token')).body;
    await update('gh-token', TOKEN);
    expect((await get('gh-token')).body).toEqual(before);
    await update('gh-token', `${TOKEN}-2`);
    expect((await get('gh-token')).body.fingerprint).not.toBe(before.fingerprint);
    expect(await secrets()).toEqual(['gh-token', 'gh-username']);
  });

  test('that are changed by several at once leave nothing behind', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((nth) => update('gh-token', `${TOKEN}-at-once-${nth}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await update('gh-token', `${TOKEN}-3`);
    expect(await secrets()).toEqual(['gh-token', 'gh-username']);
  });

  test('that are invalid are refused by name', async () => {
    expect(await update('gh-username', 'not a name')).toMatchObject({
      status: 400,
      body: { data: { value: 'a GitHub user name is expected, such as octocat' } },
    });
    expect(await update('gh-token', 'two words')).toMatchObject({
      status: 400,
      body: { data: { value: 'a token without spaces is expected' } },
    });
    expect(await update('gh-token', '')).toMatchObject({
      status: 400,
      body: { data: { value: 'This field is required' } },
    });
    expect((await ada.get('profile/gh-password/get')).status).toBe(404);
  });

  test('belong to the person: neither a colleague nor another workspace sees them', async () => {
    const bo = await world.backend.signIn({ email: 'bo@example.org', role: 'member' });
    const stranger = await world.backend.signIn({ workspace: 'elsewhere', email: 'ada@example.org' });
    for (const who of [bo, stranger]) {
      expect((await get('gh-username', who)).body).toEqual({ value: '' });
      expect((await remove('gh-token', who)).status).toBe(200);
    }
    expect((await get('gh-token')).body.value).toBe('*******');
    expect((await update('gh-username', 'bo', bo)).status).toBe(200);
    expect((await remove('gh-username', bo)).status).toBe(200);
  });

  test('are not removed by a link on another site', async () => {
    expect((await ada.get('profile/gh-token/delete')).status).toBe(403);
    expect((await get('gh-token')).body.value).toBe('*******');
  });
});

describe('the answer of the source host', () => {
  const good = { login: 'octocat', scopes: ['repo', 'read:packages', 'gist'] };

  /** A token that was never checked. */
  let made = 0;
  const fresh = async (token?: object): Promise<void> => {
    const text = `${TOKEN}-${(made += 1)}x`;
    if (token) github.tokens.set(text, { ...good, ...token });
    await update('gh-token', text);
    github.calls.length = 0;
  };

  test('about a good token has scopes, expiry and days left, and is fetched once every few hours', async () => {
    await fresh({ expires: inDays(30.5) });
    github.feel({ is: 'waiting' });
    const pages = [validity(), validity()];
    await settled(() => Promise.resolve(github.calls[0]));
    github.go();
    github.feel({ is: 'well' });
    const [answer] = await Promise.all(pages);
    expect(answer).toMatchObject({
      scopes: good.scopes,
      expirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      daysLeft: 30,
      dateValid: true,
      scopesOk: true,
      warnings: [],
      notes: [],
      checkedAt: expect.any(String),
    });
    await validity();
    expect(github.calls).toEqual(['GET /user']);
    await hoursLater(5);
    await validity();
    expect(github.calls).toHaveLength(1);
    await hoursLater(2);
    await validity();
    expect(github.calls).toHaveLength(2);
  });

  test('about a token without expiry, and about a fine-grained one', async () => {
    await fresh({});
    expect(await validity()).toMatchObject({ expirationDate: null, dateValid: true, scopesOk: true });
    await fresh({ scopes: undefined, expires: inDays(10.5) });
    expect(await validity()).toMatchObject({
      scopes: [],
      daysLeft: 10,
      dateValid: true,
      scopesOk: null,
      warnings: [],
      notes: [expect.stringMatching(/fine-grained/)],
    });
  });

  test('about a token with too few permissions', async () => {
    await fresh({ scopes: ['public_repo'] });
    expect(await validity()).toMatchObject({
      scopesOk: false,
      warnings: [
        'Scopes associated with your token (public_repo) are not sufficient. Expected scopes: repo, read:packages.',
      ],
    });
  });

  test('about a token that it does not know', async () => {
    await fresh();
    expect(await validity()).toMatchObject({
      dateValid: false,
      scopesOk: null,
      warnings: [expect.stringMatching(/does not accept the token/)],
    });
  });

  test('is not needed to know that a token has expired', async () => {
    await fresh({ expires: inDays(1) });
    await validity();
    await world.backend.db.query(
      `update app.token_checks set facts = jsonb_set(facts, '{expiresAt}', '"2026-01-02T03:04:05.000Z"')`,
    );
    expect(await validity()).toMatchObject({ dateValid: false, warnings: ['Token expired: 2026-01-02'] });
  });

  test.each([
    [{ is: 'failing', status: 503 }, 'it answered with status 503'],
    [{ is: 'failing', status: 429, headers: { 'retry-after': '120' } }, 'there were too many calls'],
    [{ is: 'failing', status: 403, headers: { 'x-ratelimit-remaining': '0' } }, 'there were too many calls'],
  ] as const)('that says nothing about the token (%j) makes no value invalid', async (mood, why) => {
    await fresh({});
    github.feel(mood);
    expect(await validity()).toMatchObject({
      dateValid: null,
      scopesOk: null,
      warnings: [],
      notes: [`The source host could not be reached: ${why}. Nothing is known about the token yet.`],
    });
    // The next request does not call the host again.
    await validity();
    expect(github.calls).toHaveLength(1);
    github.feel({ is: 'well' });
    await hoursLater(1);
    expect(await validity()).toMatchObject({ dateValid: true, notes: [] });
    github.feel(mood);
    await hoursLater(7);
    expect(await validity()).toMatchObject({
      dateValid: true,
      scopesOk: true,
      notes: [`The source host could not be reached: ${why}. This is its last known answer.`],
    });
  });

  test('about a token that is replaced meanwhile is not stored', async () => {
    await fresh({});
    github.feel({ is: 'waiting' });
    const page = validity();
    await settled(() => Promise.resolve(github.calls[0]));
    await update('gh-token', `${TOKEN}-next`);
    github.go();
    await page;
    const { rows } = await world.backend.db.query('select ref from app.token_checks');
    expect(rows).toEqual([]);
  });

  test('is stored without the token itself, and both are gone when the token is removed', async () => {
    await fresh({});
    await validity();
    const { db, logs } = world.backend;
    const { rows: tables } = await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts = await Promise.all(
      tables.map(({ name }) => db.query<{ row: string }>(`select t::text as row from ${name} t`)),
    );
    const kept = texts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
    expect(kept).toContain('CredentialStored');
    expect(kept.includes(TOKEN) || kept.includes('octocat') || logs.join('').includes(TOKEN)).toBe(false);
    expect((await remove('gh-token')).status).toBe(200);
    expect((await get('gh-token')).body).toEqual({ value: '' });
    expect(await validity()).toMatchObject({ warnings: ['A token was not given'] });
    expect(await secrets()).toEqual(['gh-username']);
    expect((await db.query('select from app.token_checks')).rowCount).toBe(0);
  });
});

test('a value that cannot be read is answered as an empty one', async () => {
  const eve = await world.backend.signIn({ email: 'eve@example.org' });
  await update('gh-username', 'eve-of-github', eve);
  expect((await get('gh-username', eve)).body.value).toBe('eve-of-github');
  await world.backend.db.query(`update app.vault set sealed = 'torn' where kind = 'gh-username'`);
  expect(await get('gh-username', eve)).toMatchObject({ status: 200, body: { value: '' } });
  expect(world.backend.logs.some((line) => line.includes('gh-username could not be read'))).toBe(true);
  await remove('gh-username', eve);
});
