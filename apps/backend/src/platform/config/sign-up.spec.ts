import { maySignUp, type SignUpRule } from './sign-up';
import { ConfigError, readConfig } from './config';

const GITHUB = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };
const nothing = { emails: [], organizations: [] };

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('SIGN_UP', () => {
  it('takes anybody, nobody, or a list of e-mail domains and GitHub organisations', () => {
    expect(readConfig({}).SIGN_UP).toBeUndefined();
    expect(readConfig({ SIGN_UP: 'anybody' }).SIGN_UP).toEqual({ who: 'anybody' });
    expect(readConfig({ SIGN_UP: 'Nobody' }).SIGN_UP).toEqual({ who: 'nobody' });
    expect(readConfig({ ...GITHUB, SIGN_UP: 'Example.org, github:Acme' }).SIGN_UP).toEqual({
      who: 'listed',
      domains: ['example.org'],
      organizations: ['acme'],
    });
  });

  it.each([
    'nobody,example.org',
    'everybody',
    '@example.org',
    'a@example.org',
    'github:',
    'github:a b',
    ',',
    '*.org',
  ])('refuses %s at the start, and says what would be right', (SIGN_UP) => {
    expect(problemsOf({ ...GITHUB, SIGN_UP })).toEqual([
      expect.stringMatching(/^SIGN_UP=.* is not anybody, nobody, or a list .* example\.org,github:acme$/),
    ]);
  });

  it('refuses a GitHub organisation where GitHub is not set up', () => {
    expect(problemsOf({ SIGN_UP: 'github:acme' })).toEqual([
      'SIGN_UP lists a GitHub organisation: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are missing',
    ]);
  });

  const listed: SignUpRule = { who: 'listed', domains: ['example.org'], organizations: ['acme'] };

  it.each([
    [{ who: 'anybody' }, nothing, true],
    [{ who: 'nobody' }, { emails: ['a@example.org'], organizations: ['acme'] }, false],
    [listed, nothing, false],
    [listed, { emails: ['a@example.org'], organizations: [] }, true],
    [listed, { emails: ['b@example.com', 'a@EXAMPLE.ORG'], organizations: [] }, true],
    [listed, { emails: ['a@mail.example.org'], organizations: [] }, false],
    [listed, { emails: ['a@notexample.org'], organizations: [] }, false],
    [listed, { emails: ['"a@example.org"@example.com'], organizations: [] }, false],
    [listed, { emails: [], organizations: ['Acme'] }, true],
    [listed, { emails: [], organizations: ['acme-labs'] }, false],
  ] as const)('%j lets %j make a workspace: %s', (rule, verified, may) => {
    expect(maySignUp(rule, verified)).toBe(may);
  });
});
