/**
 * GitHub's official client with a person's own token. Every call goes through the console's outbound rules, with a
 * deadline, and obeys GitHub's limits.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import { Credentials } from '../credentials';
import { DomainError } from '../platform/errors';
import { callOut, hostOf, Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { explained, type About, type HostRefusal } from './refusals';

const Client = Octokit.plugin(throttling);

/** Statuses whose answers have no body. */
const EMPTY = new Set([204, 205, 304]);
const MOVED = new Set([301, 302, 307, 308]);

export interface Manner {
  /** Aborts calls that are under way. */
  signal?: AbortSignal;
  /** Called with a message when GitHub requests a pause. */
  print?(text: string): void;
  /** A call fails if GitHub requests a longer pause. */
  waitSeconds?: number;
}

type Rest = InstanceType<typeof Client>['rest'];

export interface Source {
  /** @throws DomainError with an explanation of GitHub's refusal */
  call<T>(about: About, work: (rest: Rest) => Promise<{ data: T }>): Promise<T>;
  /** All pages, up to a thousand entries. */
  every<T>(
    about: About,
    page: (rest: Rest, at: { per_page: number; page: number }) => Promise<T[]>,
  ): Promise<T[]>;
}

const PAGE = 100;
const MAX_PAGES = 10;
const ATTEMPTS = 3;

@Injectable()
export class SourceHost {
  /** Tests shorten them. */
  readonly patience = { callMs: 15_000 };
  private readonly outbound: Outbound;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: Credentials,
    outbound: Outbound,
  ) {
    // The address comes from the environment, so it needs no entry in OUTBOUND_ALLOW.
    this.outbound = outbound.alsoTo(hostOf(config.GITHUB_API_URL));
  }

  /** Address of the host's web pages: `https://github.com`. */
  get pages(): string {
    return this.config.GITHUB_URL.replace(/\/+$/, '');
  }

  /** @throws DomainError if the person has no token */
  async as(meta: Pick<CommandMeta, 'actor' | 'workspace'>, manner: Manner = {}): Promise<Source> {
    const token = await this.credentials.token(meta);
    const mayWait = (seconds: number, _: unknown, __: unknown, attempt: number): boolean => {
      const waits = seconds <= (manner.waitSeconds ?? 3) && attempt < ATTEMPTS;
      if (waits) manner.print?.(`The source host asks for a pause of ${seconds} s.\n`);
      return waits;
    };
    const client = new Client({
      auth: token,
      baseUrl: this.config.GITHUB_API_URL.replace(/\/+$/, ''),
      userAgent: 'quarterdeck',
      request: { fetch: this.fetching(manner.signal) },
      // Octokit's warnings would repeat the message of the refusal.
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      // All changes with one token in this process are a second apart, as GitHub requests.
      throttle: {
        id: createHash('sha256').update(token).digest('hex'),
        onRateLimit: mayWait,
        onSecondaryRateLimit: mayWait,
      },
    });
    const call = async <T>(about: About, work: (rest: Rest) => Promise<{ data: T }>): Promise<T> => {
      try {
        return (await unlessAborted(manner.signal, work(client.rest))).data;
      } catch (error) {
        throw failure(error, about);
      }
    };
    return {
      call,
      every: async (about, page) => {
        const all: Awaited<ReturnType<typeof page>> = [];
        for (let at = 1; at <= MAX_PAGES; at += 1) {
          const some = await call(about, async (rest) => ({
            data: await page(rest, { per_page: PAGE, page: at }),
          }));
          if (!Array.isArray(some)) throw notUnderstood(200);
          all.push(...some);
          if (some.length < PAGE) break;
        }
        return all;
      },
    };
  }

  private fetching(signal: AbortSignal | undefined): (url: string, init?: RequestInit) => Promise<Response> {
    return async (url, init) => {
      const { method, headers, body } = (init ?? {}) as RequestInit & { headers?: Record<string, string> };
      const answer = await callOut(this.outbound, {
        url,
        method: (method ?? 'GET') as 'GET',
        headers: { ...headers },
        ...(typeof body === 'string' && { body }),
        timeoutMs: this.patience.callMs,
        maxBytes: 32 * 1_048_576,
        ...(signal && { signal }),
      });
      if (MOVED.has(answer.status))
        throw new DomainError(
          'unprocessable',
          'The source host says that this was renamed: use its new name',
          undefined,
          { code: 'moved' },
        );
      if (answer.status < 400 && !EMPTY.has(answer.status) && !isJson(answer.text))
        throw notUnderstood(answer.status);
      const told = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      return new Response(EMPTY.has(answer.status) ? null : answer.text, {
        status: answer.status,
        headers: Object.fromEntries(told) as Record<string, string>,
      });
    };
  }
}

/** The client would pass any other text on as if it were the answer. */
const isJson = (text: string): boolean => {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null;
  } catch {
    return false;
  }
};

const notUnderstood = (status: number): DomainError =>
  new DomainError(
    'upstream',
    `The source host answered with status ${status}, but not with JSON as its API does: check GITHUB_API_URL, or try again later`,
    undefined,
    { code: 'notJson' },
  );

const quiet = (): void => undefined;

/** Octokit's pause for a rate limit cannot be ended early, so an aborted call stops waiting for it. */
const unlessAborted = <T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> => {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DomainError('upstream', 'the call was cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
};

const failure = (error: unknown, about: About): unknown => {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  // The call got no answer, and the client wraps the reason.
  if (error.cause instanceof DomainError) return error.cause;
  const refusal = error as Error & { status?: number; response?: { headers: HostRefusal['headers'] } };
  if (refusal.status === undefined || !refusal.response) return error;
  return explained(
    { status: refusal.status, message: error.message, headers: refusal.response.headers },
    about,
    Date.now(),
  );
};

/** The status of a refusal that the caller expects; undefined for anything else. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof DomainError ? error.detail.code : undefined;
