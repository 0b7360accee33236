/** covers: SVC-02 */
import { explained, type HostRefusal } from './refusals';

const now = Date.parse('2026-11-23T12:00:00Z');
const told = (refusal: Partial<HostRefusal>, scope?: string) => {
  const whole = { status: 403, message: 'Forbidden', headers: {}, ...refusal };
  const { code, msg, detail } = explained(whole, { what: 'acme/shop', ...(scope && { scope }) }, now);
  return { code, msg, ...detail };
};

describe('a refusal of the source host', () => {
  it('of a token says where to store another one', () => {
    expect(told({ status: 401, message: 'Bad credentials' })).toEqual({
      code: 'token',
      msg: 'The source host does not accept your token: it has expired, was revoked or was mistyped. Store another one in your profile settings.',
    });
  });

  it.each([
    ['the time that it names', { headers: { 'retry-after': 40 } }, 40],
    [
      'its reset',
      { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now / 1000 + 90}` } },
      90,
    ],
    ['a minute without either', { status: 429 }, 60],
    ['a minute after too many changes', { message: 'You have exceeded a secondary rate limit.' }, 60],
    ['a second if the reset has passed', { headers: { 'retry-after': '0.2' } }, 1],
  ])('because of too many calls says to wait: %s', (_, refusal, retryAfter) => {
    expect(told(refusal)).toMatchObject({ retryAfter, msg: expect.stringContaining(`in ${retryAfter} s`) });
  });

  it('because of too many calls says how many are left until when', () => {
    const headers = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(now / 1000 + 90),
    };
    expect(told({ headers }).msg).toBe(
      'The source host takes no more calls with your token for now (0 of 5000 calls are left until 12:01 UTC): please try again in 90 s.',
    );
    expect(
      told({ headers: { ...headers, 'x-ratelimit-remaining': '7', 'retry-after': 3 } }).msg,
    ).not.toContain('left');
  });

  it('because of single sign-on has the page to authorize the token', () => {
    const headers = {
      'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=A1',
    };
    expect(told({ headers }).msg).toBe(
      'The organization demands single sign-on: authorize your token for it at https://github.com/orgs/acme/sso?authorization_request=A1',
    );
  });

  it('names the scope that a classic token lacks, also where the host says "not found"', () => {
    const headers = { 'x-oauth-scopes': 'repo, write:packages' };
    expect(told({ status: 404, headers }, 'workflow').msg).toMatch(/lacks the scope workflow/);
    expect(told({ status: 404, headers }, 'read:packages').msg).toMatch(/could not be found/);
    expect(told({ status: 404 }, 'workflow').msg).toMatch(/could not be found/);
  });

  it('without a known reason repeats what it says', () => {
    expect(told({ message: 'Must have admin rights to Repository.' }).msg).toBe(
      'The source host refuses your token for acme/shop: Must have admin rights to Repository.',
    );
    expect(told({ status: 503 }).msg).toBe('The source host failed with status 503: please try again');
    expect(told({ status: 422, message: 'No ref found for: main' }).msg).toBe(
      'The source host refused acme/shop: No ref found for: main',
    );
  });
});
