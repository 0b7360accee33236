/**
 * A fake of GitHub's sign-in on loopback: the consent page, the exchange of a code, and the two calls that return the
 * account. Names, statuses and errors follow docs.github.com, including PKCE.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitHubAccount {
  id: number;
  login: string;
  name: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
  /** State of the membership by organisation. `restricted`: the organisation refuses OAuth apps. */
  memberships?: Record<string, 'active' | 'pending' | 'restricted'>;
}

export interface GitHubSignIn {
  /** Value for GITHUB_URL and GITHUB_API_URL. */
  url: string;
  /** Environment variables for the back end. */
  env: Record<string, string>;
  /** Method and path of each call so far. */
  calls: string[];
  /** Sets the account that is signed in at GitHub in the browser. */
  become(account: Partial<GitHubAccount> & { login: string }): GitHubAccount;
  /** Gives consent at an address of `/login/oauth/authorize`. @returns the query that the browser is sent back with */
  agree(address: string): URLSearchParams;
  refuse(address: string): URLSearchParams;
  /** Makes the code count as older than ten minutes. */
  expire(code: string): void;
  /** `discreet`: behaves like a GitHub App without permission to read e-mail addresses. */
  feel(mood: 'well' | 'failing' | 'discreet'): void;
  stop(): Promise<void>;
}

interface Grant {
  account: GitHubAccount;
  redirectUri: string;
  scope: string;
  challenge: string;
  expired: boolean;
}

const clientId = 'Iv1.quarterdeck';
const clientSecret = 'secret-of-the-oauth-app';

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  return new URLSearchParams(text);
};

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
};

/** @param callback the registered redirect URI of the OAuth app; default: the first one that is used */
export const startGitHubSignIn = async (callback?: string): Promise<GitHubSignIn> => {
  let registered = callback;
  let lastId = 583_230;
  let mood: Parameters<GitHubSignIn['feel']>[0] = 'well';
  let visitor: GitHubAccount | undefined;
  const calls: string[] = [];
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Pick<Grant, 'account' | 'scope'>>();

  const answerTo = (address: string, agrees: boolean): URLSearchParams => {
    const asked = new URL(address).searchParams;
    const wanted = (name: string): string => {
      const value = asked.get(name);
      if (!value) throw new Error(`GitHub was asked without ${name}`);
      return value;
    };
    const redirectUri = wanted('redirect_uri');
    registered ??= redirectUri;
    const back = new URLSearchParams({ state: wanted('state') });
    if (wanted('client_id') !== clientId) throw new Error('GitHub knows no such client');
    if (wanted('code_challenge_method') !== 'S256') throw new Error('GitHub takes S256 only');
    if (redirectUri !== registered) back.set('error', 'redirect_uri_mismatch');
    else if (!agrees || !visitor) back.set('error', 'access_denied');
    else {
      const code = randomBytes(10).toString('hex');
      grants.set(code, {
        account: visitor,
        redirectUri,
        scope: wanted('scope'),
        challenge: wanted('code_challenge'),
        expired: false,
      });
      back.set('code', code);
    }
    return back;
  };

  const exchange = (given: URLSearchParams): object => {
    const refusal = (error: string): object => ({ error, error_description: error, error_uri: '/' });
    if (given.get('client_id') !== clientId || given.get('client_secret') !== clientSecret)
      return refusal('incorrect_client_credentials');
    const code = given.get('code') ?? '';
    const grant = grants.get(code);
    const verifier = given.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (!grant || grant.expired || grant.challenge !== challenge) return refusal('bad_verification_code');
    if (given.get('redirect_uri') !== grant.redirectUri) return refusal('redirect_uri_mismatch');
    grants.delete(code);
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.set(token, grant);
    return { access_token: token, scope: grant.scope.replaceAll(' ', ','), token_type: 'bearer' };
  };

  /** The consent page. Its links stand for the buttons of GitHub's page. */
  const page = (response: ServerResponse, address: URL): void => {
    const back = (agrees: boolean): string =>
      `${address.searchParams.get('redirect_uri')}?${answerTo(address.href, agrees).toString()}`.replaceAll(
        '&',
        '&amp;',
      );
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en"><title>Authorize application</title><main><h1>Authorize Quarterdeck</h1>
       <a href="${back(true)}">Authorize</a> <a href="${back(false)}">Cancel</a></main></html>`,
    );
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = new URL(request.url ?? '/', peer.url);
    calls.push(`${request.method} ${address.pathname}`);
    if (mood === 'failing') return json(response, 503, { message: 'Service unavailable' });
    if (address.pathname === '/login/oauth/authorize') return page(response, address);
    if (address.pathname === '/login/oauth/access_token')
      return json(response, 200, exchange(await bodyOf(request)));
    const granted = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    if (!granted) return json(response, 401, { message: 'Bad credentials' });
    const { emails, memberships = {}, ...user } = granted.account;
    const [, organization] = /^\/user\/memberships\/orgs\/([^/]+)$/.exec(address.pathname) ?? [];
    if (organization !== undefined) {
      const state = memberships[organization];
      if (!granted.scope.split(' ').includes('read:org') || state === 'restricted')
        return json(response, 403, { message: 'You must have read:org scope to view your memberships.' });
      if (state === undefined) return json(response, 404, { message: 'Not Found' });
      return json(response, 200, { state, role: 'member', organization: { login: organization } });
    }
    if (address.pathname === '/user') return json(response, 200, { ...user, email: null, type: 'User' });
    if (address.pathname === '/user/emails' && mood === 'discreet')
      return json(response, 403, { message: 'Resource not accessible by integration' });
    if (address.pathname === '/user/emails')
      return json(
        response,
        200,
        emails.map((one) => ({ ...one, visibility: null })),
      );
    json(response, 404, { message: 'Not Found' });
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const peer: GitHubSignIn = {
    url,
    env: {
      GITHUB_CLIENT_ID: clientId,
      GITHUB_CLIENT_SECRET: clientSecret,
      GITHUB_URL: url,
      GITHUB_API_URL: url,
    },
    calls,
    become: (account) => {
      const email = `${account.login}@example.org`;
      visitor = {
        id: (lastId += 1),
        name: null,
        emails: [{ email, primary: true, verified: true }],
        ...account,
      };
      return visitor;
    },
    agree: (address) => answerTo(address, true),
    refuse: (address) => answerTo(address, false),
    expire: (code) => {
      const grant = grants.get(code);
      if (grant) grant.expired = true;
    },
    feel: (next) => {
      mood = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return peer;
};
