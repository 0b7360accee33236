/**
 * A stateful fake of GitHub's API on loopback, as far as the console calls it. It checks each request and each answer
 * against GitHub's published description. Sign-in is another peer, `github-sign-in.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerProblems, matched, requestProblems, type Match } from './github/checked';
import { Repository, type Files } from './github/repositories';
import { Refusal, routes, type Answered, type GitHubState, type GitHubToken } from './github/routes';

export { Repository } from './github/repositories';
export type { GitHubToken } from './github/routes';

/** How to answer the next calls: normally, with an error, or only after `go()`. */
export type GitHubMood =
  | { is: 'well' }
  | { is: 'failing'; status: 403 | 429 | 500 | 503; headers?: Record<string, string>; message?: string }
  | { is: 'saying'; text: string }
  | { is: 'waiting' };

export interface GitHubPeer extends GitHubState {
  /** Value for GITHUB_API_URL. */
  url: string;
  /** Method and path of each call so far. */
  calls: string[];
  /** Requests and answers that violate GitHub's description. */
  undescribed: string[];
  /** Accepted tokens, by their text. */
  tokens: Map<string, GitHubToken>;
  /** @param only affects only calls whose method and path match; default: all. @param times how many of them */
  feel(mood: GitHubMood, only?: RegExp, times?: number): void;
  /** Answers the waiting calls. */
  go(): void;
  add(owner: string, name: string, files: Files, is?: Repository['is']): Repository;
  repository(owner: string, name: string): Repository | undefined;
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

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>);
};

const refusalOf = ({ status, message, more, headers }: Refusal): Answered => ({
  status,
  headers,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status), ...more },
});

const ofToken = ({ scopes, expires }: GitHubToken): Record<string, string> => ({
  ...(scopes && { 'x-oauth-scopes': scopes.join(', '), 'x-accepted-oauth-scopes': '' }),
  ...(expires && { 'github-authentication-token-expiration': expires }),
});

export const startGitHub = async (): Promise<GitHubPeer> => {
  const state: GitHubState = {
    organizations: new Map(),
    repositories: new Map(),
    packages: new Map(),
    generationLooks: 1,
  };
  const calls: string[] = [];
  const undescribed: string[] = [];
  const tokens = new Map<string, GitHubToken>();
  let mood: { now: GitHubMood; only?: RegExp | undefined; times: number } = {
    now: { is: 'well' },
    times: Infinity,
  };
  const waiting: (() => void)[] = [];

  const left = () => ({
    limit: LIMIT,
    remaining: LIMIT - calls.length,
    reset: Math.floor(Date.now() / 1000) + 3600,
  });
  const send = (response: ServerResponse, { status, headers, body }: Answered): void => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-github-media-type': 'github.v3; format=json',
      ...Object.fromEntries(
        Object.entries(left()).map(([name, value]) => [`x-ratelimit-${name}`, String(value)]),
      ),
      ...headers,
    });
    const said = mood.now.is === 'saying' ? mood.now.text : JSON.stringify(body);
    response.end(body === undefined ? undefined : said);
  };
  const refused = (status: number, headers: Record<string, string> = {}, message?: string): Refusal =>
    new Refusal(status, message ?? messages[status] ?? '', {}, headers);

  const moodFor = (call: string): GitHubMood => {
    const { now, only } = mood;
    if (only && !only.test(call)) return { is: 'well' };
    if (mood.times-- > 0) return now;
    return { is: 'well' };
  };

  const answered = async (request: IncomingMessage): Promise<Answered> => {
    const { method = '', url = '' } = request;
    const call = `${method} ${url}`;
    calls.push(call);
    const body = await bodyOf(request);
    const now = moodFor(call);
    if (now.is === 'waiting') await new Promise<void>((go) => waiting.push(go));
    if (now.is === 'failing') throw refused(now.status, now.headers, now.message);
    if (!request.headers['user-agent']) throw refused(403);
    const [, text] = /^(?:Bearer|token) (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const token = tokens.get(text ?? '');
    if (!token) throw refused(401);
    const { pathname, searchParams: query } = new URL(url, 'http://github.test');
    const match = matched(method, pathname);
    if (!match) {
      undescribed.push(`${call} is not a call of GitHub that the stand-in knows`);
      throw refused(404);
    }
    const wrong = requestProblems(match, query, body);
    undescribed.push(...wrong);
    if (wrong.length > 0) throw new Refusal(422, 'Validation Failed', { errors: wrong });
    return checked(
      match,
      withHeaders(ofToken(token), () => perform(match, token, query, body)),
    );
  };

  const perform = (
    match: Match,
    token: GitHubToken,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): Answered => {
    const route = routes[match.name];
    if (!route) throw new Error(`${match.name} is described, but does nothing`);
    return route({ match, token, query, body, state, left: left() });
  };

  /** Refusals have the token's headers, too, as at GitHub. */
  const withHeaders = (headers: Record<string, string>, work: () => Answered): Answered => {
    try {
      const done = work();
      return { ...done, headers: { ...headers, ...done.headers } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const answer = refusalOf(error);
      return { ...answer, headers: { ...headers, ...answer.headers } };
    }
  };

  const checked = (match: Match, answer: Answered): Answered => {
    undescribed.push(...answerProblems(match, answer.status, answer.body));
    return answer;
  };

  const server = createServer((request, response) => {
    answered(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        if (!(error instanceof Refusal)) undescribed.push(String(error));
        send(response, error instanceof Refusal ? refusalOf(error) : refusalOf(refused(500)));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const go = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    undescribed,
    tokens,
    feel: (now: GitHubMood, only?: RegExp, times = Infinity) => void (mood = { now, only, times }),
    go,
    add: (owner: string, name: string, files: Files, is?: Repository['is']): Repository => {
      const made = new Repository(owner, name, is);
      made.commit(files, 'Initial commit');
      state.repositories.set(`${owner}/${name}`.toLowerCase(), made);
      return made;
    },
    repository: (owner: string, name: string) => state.repositories.get(`${owner}/${name}`.toLowerCase()),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
};
