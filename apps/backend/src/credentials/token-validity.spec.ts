/** covers: AUTH-09 */
import { learned, readAnswer, validityOf, type CredentialFacts, type TokenFacts } from './token-validity';

const now = new Date('2026-11-20T12:00:00.000Z');
const page = 'https://github.com/settings/tokens';
const answer = (status: number, headers: Record<string, string> = {}) =>
  readAnswer({ status, headers }, now.getTime());
const facts: TokenFacts = {
  accepted: true,
  scopes: ['repo', 'read:packages'],
  expiresAt: '2026-12-01T00:00:00.000Z',
};
const validity = (known: Partial<CredentialFacts>) =>
  validityOf({ username: true, token: true, ...known }, page, now);

describe('the answer of the source host', () => {
  it.each([
    ['2026-12-14 08:15:54 UTC', '2026-12-14T08:15:54.000Z'],
    ['2026-12-14 08:15:54 +0500', '2026-12-14T03:15:54.000Z'],
    ['2026-12-14 08:15:54 -0800', '2026-12-14T16:15:54.000Z'],
  ])('reads when a token expires: %s', (header, expiresAt) => {
    expect(
      answer(200, {
        'x-oauth-scopes': 'repo, read:packages',
        'github-authentication-token-expiration': header,
      }),
    ).toEqual({ is: 'accepted', scopes: ['repo', 'read:packages'], expiresAt });
  });

  it('about a token without scopes and expiry', () => {
    expect(answer(200, { 'x-oauth-scopes': '' })).toEqual({ is: 'accepted', scopes: [], expiresAt: null });
  });

  it('has no scopes for a fine-grained token, and may give the present as its expiry', () => {
    expect(answer(200, { 'github-authentication-token-expiration': '2026-11-20 12:00:01 UTC' })).toEqual({
      is: 'accepted',
      scopes: null,
      expiresAt: null,
    });
  });

  it('refuses a token only with 401', () => {
    expect(answer(401)).toEqual({ is: 'refused' });
    expect(answer(403)).toMatchObject({ is: 'untold', retrySeconds: 300 });
    expect(answer(503)).toMatchObject({ is: 'untold', why: 'it answered with status 503' });
  });

  it('says when to ask again', () => {
    const reset = String(now.getTime() / 1000 + 1800);
    const limit = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    expect(answer(403, limit)).toEqual({
      is: 'untold',
      why: 'there were too many calls',
      retrySeconds: 1800,
    });
    expect(answer(429, { 'retry-after': '60' })).toMatchObject({ retrySeconds: 60 });
    expect(answer(429, { 'retry-after': '86400' })).toMatchObject({ retrySeconds: 3600 });
  });
});

describe('the stored facts', () => {
  it('stay if the source host gives no answer', () => {
    expect(learned(facts, answer(503))).toBe(facts);
    expect(learned(undefined, answer(503))).toBeUndefined();
  });

  it('keep the expiry of a refused token', () => {
    expect(learned(facts, { is: 'refused' })).toEqual({ ...facts, accepted: false });
    expect(learned(undefined, { is: 'refused' })).toEqual({ accepted: false, scopes: null, expiresAt: null });
  });
});

describe('the validity of a token', () => {
  it('is reported for a good token', () => {
    expect(validity({ facts, checkedAt: '2026-11-20T11:00:00.000Z' })).toEqual({
      scopes: ['repo', 'read:packages'],
      expirationDate: '2026-12-01T00:00:00.000Z',
      dateValid: true,
      scopesOk: true,
      expectedScopes: ['repo', 'read:packages'],
      daysLeft: 10,
      warnings: [],
      notes: [],
      checkedAt: '2026-11-20T11:00:00.000Z',
      tokenPage: page,
    });
  });

  it('is reported for a token with more scopes than expected', () => {
    expect(validity({ facts: { ...facts, scopes: ['repo', 'write:packages', 'gist'] } })).toMatchObject({
      scopesOk: true,
    });
  });

  it('has the warnings of the specification', () => {
    expect(validityOf({ username: false, token: false, facts }, page, now)).toMatchObject({
      scopes: [],
      expirationDate: null,
      dateValid: false,
      scopesOk: false,
      warnings: ['A username for the source host was not given', 'A token was not given'],
    });
    expect(validity({ facts: { ...facts, expiresAt: '2026-11-19T23:00:00.000Z' } })).toMatchObject({
      dateValid: false,
      daysLeft: 0,
      warnings: ['Token expired: 2026-11-19'],
    });
    expect(validity({ facts: { ...facts, scopes: ['gist', 'public_repo'] } })).toMatchObject({
      scopesOk: false,
      warnings: [
        'Scopes associated with your token (gist, public_repo) are not sufficient. Expected scopes: repo, read:packages.',
      ],
    });
  });

  it('is false for a refused token, whatever it was before', () => {
    const refused = { ...facts, accepted: false };
    expect(validity({ facts: refused })).toMatchObject({
      dateValid: false,
      warnings: [expect.stringContaining('does not accept the token')],
    });
    expect(validity({ facts: { ...refused, expiresAt: '2026-11-19T00:00:00.000Z' } })).toMatchObject({
      warnings: ['Token expired: 2026-11-19'],
    });
  });

  it('of a fine-grained token is reported as far as it is known', () => {
    expect(validity({ facts: { ...facts, scopes: null } })).toMatchObject({
      dateValid: true,
      scopesOk: null,
      warnings: [],
      notes: [expect.stringContaining('fine-grained')],
    });
  });

  it('does not become false because the source host cannot be reached', () => {
    const problem = 'it answered with status 503';
    expect(validity({ problem })).toMatchObject({
      dateValid: null,
      scopesOk: null,
      warnings: [],
      notes: [
        'The source host could not be reached: it answered with status 503. Nothing is known about the token yet.',
      ],
    });
    expect(validity({ facts, problem })).toMatchObject({
      dateValid: true,
      notes: [expect.stringContaining('last known answer')],
    });
  });
});
