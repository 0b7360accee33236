/**
 * GitHub's API as far as it tells of a token: `GET /user` with the headers that GitHub documents, on loopback. What it
 * does with sign-in is another peer.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the next calls go: as agreed, with an answer of another kind, or not before `go`. */
export type GitHubMood =
  | { is: 'well' }
  | { is: 'failing'; status: 403 | 429 | 500 | 503; headers?: Record<string, string> }
  | { is: 'waiting' };

export interface GitHubToken {
  login: string;
  /** Of a classic one; a fine-grained one has none, and its answers no such header. */
  scopes?: string[];
  /** As GitHub writes it: `2026-12-01 08:15:54 UTC`. */
  expires?: string;
}

export interface GitHubPeer {
  /** For GITHUB_API_URL. */
  url: string;
  /** Method and path of each call so far. */
  calls: string[];
  /** Tokens that it accepts, by their text. */
  tokens: Map<string, GitHubToken>;
  feel(mood: GitHubMood): void;
  /** Lets the calls go that wait. */
  go(): void;
  stop(): Promise<void>;
}

const LIMIT = 5000;
const messages: Record<number, string> = {
  401: 'Bad credentials',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'You have exceeded a secondary rate limit.',
  500: 'Server Error',
  503: 'Service Unavailable',
};

export const startGitHub = async (): Promise<GitHubPeer> => {
  const calls: string[] = [];
  const tokens = new Map<string, GitHubToken>();
  let mood: GitHubMood = { is: 'well' };
  const waiting: (() => void)[] = [];

  const send = (response: ServerResponse, status: number, headers: Record<string, string>, body: object) => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-github-media-type': 'github.v3; format=json',
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(LIMIT - calls.length),
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
    send(response, status, headers, {
      message: messages[status],
      documentation_url: 'https://docs.github.com/rest',
      status: String(status),
    });

  const server = createServer((request, response) => {
    void (async () => {
      calls.push(`${request.method} ${request.url}`);
      const now = mood;
      if (now.is === 'waiting') await new Promise<void>((go) => waiting.push(go));
      if (now.is === 'failing') return refuse(response, now.status, now.headers);
      if (!request.headers['user-agent']) return refuse(response, 403);
      const [, text] = /^(?:Bearer|token) (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      const token = tokens.get(text ?? '');
      if (!token) return refuse(response, 401);
      if (request.method !== 'GET' || request.url !== '/user') return refuse(response, 404);
      send(
        response,
        200,
        {
          ...(token.scopes && {
            'x-oauth-scopes': token.scopes.join(', '),
            'x-accepted-oauth-scopes': '',
          }),
          ...(token.expires && { 'github-authentication-token-expiration': token.expires }),
        },
        { login: token.login, id: 583231, type: 'User', site_admin: false },
      );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    tokens,
    feel: (next) => void (mood = next),
    go: () => {
      for (const one of waiting.splice(0)) one();
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
