/** covers: AUTH-01, AUTH-02, AUTH-03, AUTH-11 */
import { deniedFor, GitHubHouse, words } from './github-house';
import type { Welcome } from './visitor';

describe('signing in with GitHub admits nobody', () => {
  let house: GitHubHouse;

  beforeAll(async () => {
    house = await GitHubHouse.open();
  });
  afterAll(() => house?.close());
  beforeEach(() => house.github.feel('well'));

  const begun = async () => {
    const { account, instance } = await house.signedUp(`judy`);
    house.github.become(account);
    const visitor = house.newVisitor();
    return { visitor, instance, address: await visitor.leave(instance) };
  };

  it('with a state that was never issued', async () => {
    const { visitor, address } = await begun();
    const params = house.github.agree(address);
    params.set('state', 'A'.repeat(43));
    expect(await visitor.comeBack(params)).toMatchObject(deniedFor('expired'));
  });

  it('with a used state or a used code', async () => {
    const { visitor, instance, address } = await begun();
    const params = house.github.agree(address);
    expect((await visitor.comeBack(params)).status).toBe(200);
    expect(await visitor.comeBack(params)).toMatchObject(deniedFor('expired'));
    const again = house.github.agree(await visitor.leave(instance));
    again.set('code', params.get('code') ?? '');
    expect(await visitor.comeBack(again)).toMatchObject(deniedFor('expired'));
  });

  it('more than once, however many bring the same state at once', async () => {
    const { visitor, address } = await begun();
    const params = house.github.agree(address);
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.comeBack(params)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
  });

  it('with an expired code', async () => {
    const { visitor, address } = await begun();
    const params = house.github.agree(address);
    house.github.expire(params.get('code') ?? '');
    expect(await visitor.comeBack(params)).toMatchObject(deniedFor('expired'));
  });

  it('in another browser than the one that began, which may still continue', async () => {
    const { visitor, address } = await begun();
    const params = house.github.agree(address);
    expect(await house.newVisitor().comeBack(params)).toMatchObject(deniedFor('expired'));
    const other = house.newVisitor();
    await other.leave('elsewhere');
    expect(await other.comeBack(params)).toMatchObject(deniedFor('expired'));
    expect((await visitor.comeBack(params)).status).toBe(200);
  });

  it('after ten failures of one visitor, who then has to wait, unlike others', async () => {
    const { visitor, address } = await begun();
    const guess = new URLSearchParams({ state: 'A'.repeat(43), code: 'guess' });
    const guesser = house.newVisitor();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await guesser.comeBack(guess)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await visitor.comeBack(house.github.agree(address))).status).toBe(200);
  });

  it('after ten minutes', async () => {
    const { visitor, address } = await begun();
    await house.backend.db.query(`update app.sign_in_attempts set expires_at = now() - interval '1 second'`);
    expect(await visitor.comeBack(house.github.agree(address))).toMatchObject(deniedFor('expired'));
  });

  it('who did not agree', async () => {
    const { visitor, address } = await begun();
    expect(await visitor.comeBack(house.github.refuse(address))).toMatchObject(deniedFor('refused'));
  });

  it('with a code issued for another redirect address', async () => {
    const { visitor, address } = await begun();
    const foreign = new URL(address);
    foreign.searchParams.set('redirect_uri', 'https://evil.example.org/sso/github/redirect');
    const params = house.github.agree(foreign.href);
    expect(params.get('code')).toBeNull();
    expect(await visitor.comeBack(params)).toMatchObject({
      status: 502,
      body: { msg: 'GitHub could not sign you in: redirect_uri_mismatch' },
    });
  });

  it('with an unknown provider, one that is not set up, or another one than requested', async () => {
    const { visitor, address } = await begun();
    const params = house.github.agree(address);
    for (const path of ['url?instance=main', `redirect?${params.toString()}`])
      expect(await visitor.get(`auth/sso/gitlab/${path}`)).toMatchObject({
        status: 401,
        body: { msg: words },
      });
    expect(await visitor.comeBack(params, 'google')).toMatchObject({
      status: 422,
      body: { msg: 'sign-in by google is not set up here' },
    });
  });

  it('while the provider fails, and says which one', async () => {
    const { visitor, instance, address } = await begun();
    const params = house.github.agree(address);
    house.github.feel('failing');
    expect(await visitor.comeBack<{ msg: string }>(params)).toMatchObject({
      status: 502,
      body: { msg: expect.stringContaining('GitHub') as string },
    });
    house.github.feel('well');
    expect((await visitor.signIn(instance, house.github.agree)).status).toBe(200);
  });

  it('twice with one name: only one of ten who sign up to it at once gets it', async () => {
    const comers = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        house.github.become({ login: `rush-${i}` });
        const visitor = house.newVisitor();
        return { visitor, params: house.github.agree(await visitor.leave('Rush')) };
      }),
    );
    const answers = await Promise.all(
      comers.map(({ visitor, params }) => visitor.comeBack<Welcome & { msg: string }>(params)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.msg]).toEqual([
        400,
        'This instance name already exists, please choose another one',
      ]);
  });
});
