/**
 * Calls DigitalOcean's API (v2). Each call has a deadline and a maximum size, lists have a maximum of pages, and pauses
 * that the provider asks for are kept. A call that only reads is made again after a failure that passes; one that
 * changes something never is, because the provider may have carried it out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { callOut, hostOf, type Outbound, type OutboundAnswer } from '../platform/outbound';
import { type About, failed, isAnswerLost, patience, refusal } from './refusals';

export interface ApiLimits {
  /** Calls in an hour, and how many of them are left. */
  limit: number;
  remaining: number;
  /** ISO: when the number is renewed. */
  resetAt: string;
}

export interface ApiManner {
  /** DIGITALOCEAN_API_URL. It comes from the environment, so it needs no entry in OUTBOUND_ALLOW. */
  url: string;
  outbound: Outbound;
  timeoutMs?: number;
  now?: () => number;
  /** Aborts calls and pauses. */
  signal?: AbortSignal;
  /** A call fails if the provider asks for a longer pause. Default: no pause. */
  waitSeconds?: number;
  /**
   * Called when the token is not accepted. @returns the one with which the call is made again: a refused call had no
   * effect
   */
  renew?(): Promise<string | undefined>;
  /** Called with the limits that each answer says. */
  onLimits?(limits: ApiLimits): void;
}

/** The largest page that the API makes. */
const PAGE = 200;
const MAX_PAGES = 50;
const MAX_BYTES = 8 * 1_048_576;
/** Of all pages of a list. */
const MAX_LIST_BYTES = 4 * MAX_BYTES;
const ATTEMPTS = 3;
const PAUSE_S = 1;

const pagesShape = z.object({
  links: z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional(),
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Call extends About {
  body?: object;
  /** A status that also counts as success. */
  accepted?: number;
}

export class DigitalOceanClient {
  private readonly outbound: Outbound;

  constructor(
    private token: string,
    private readonly at: ApiManner,
  ) {
    this.outbound = at.outbound.alsoTo(hostOf(at.url));
  }

  /** @throws DomainError with the provider's reason in words */
  async call(method: Method, path: string, call: Call = {}): Promise<OutboundAnswer> {
    const { now = Date.now, waitSeconds = 0, signal } = this.at;
    let hasAsked = false;
    for (let attempt = 1; ; attempt += 1) {
      let pause = PAUSE_S;
      try {
        const answer = await this.exchange(method, path, call.body);
        this.tellLimits(answer);
        if ((answer.status >= 200 && answer.status < 300) || answer.status === call.accepted) return answer;
        if (answer.status === 401 && !hasAsked) {
          const renewed = await this.at.renew?.();
          hasAsked = true;
          if (renewed !== undefined) {
            this.token = renewed;
            continue;
          }
        }
        // A call beyond the limit was not carried out.
        const wait = answer.status === 429 ? patience(answer, now()) : undefined;
        if (wait === undefined || wait > waitSeconds || attempt >= ATTEMPTS)
          throw refusal(answer, call, now());
        pause = wait;
      } catch (error) {
        const mayRepeat = method === 'GET' && isAnswerLost(error) && waitSeconds >= PAUSE_S;
        if (!mayRepeat || attempt >= ATTEMPTS || signal?.aborted) throw error;
      }
      await sleep(pause * 1000, undefined, { ...(signal && { signal }) });
    }
  }

  /** @throws DomainError `BADRESP` if the answer has another form */
  async read<S extends z.ZodType>(
    shape: S,
    method: Method,
    path: string,
    call: Call = {},
  ): Promise<z.infer<S>> {
    return understood(shape, await this.call(method, path, call));
  }

  /** All pages of a list. `query` begins without `?`. @throws DomainError `TOOLONG` */
  async every<S extends z.ZodType>(
    shape: S,
    path: string,
    query = '',
    about: About = {},
  ): Promise<z.infer<S>[]> {
    const all: z.infer<S>[] = [];
    let last: string | undefined;
    let bytes = 0;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const size = `${query === '' ? '' : `${query}&`}per_page=${PAGE}&page=${page}`;
      const answer = await this.call('GET', `${path}?${size}`, about);
      // A list that knows no pages, and happens to have as many entries as a full one.
      if (answer.text === last) return all;
      bytes += answer.text.length;
      if (bytes > MAX_LIST_BYTES) break;
      const read = understood(shape, answer);
      all.push(read);
      const { links } = understood(pagesShape, answer);
      // The list of databases has no links, and may go on after a full page.
      const isFull = links === undefined && Array.isArray(read) && read.length === PAGE;
      // Uses the number of the next page, not its address: an answer must not decide where the token is sent.
      if (!isFull && links?.pages?.next === undefined) return all;
      last = isFull ? answer.text : undefined;
    }
    throw failed(
      'TOOLONG',
      `lists ${path} without end: this console reads up to ${MAX_PAGES * PAGE} entries and 32 MB`,
    );
  }

  private exchange(method: Method, path: string, body: object | undefined): Promise<OutboundAnswer> {
    const { url, timeoutMs = 15_000, signal } = this.at;
    return callOut(this.outbound, {
      url: `${url.replace(/\/+$/, '')}${path}`,
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
  }

  private tellLimits({ headers }: OutboundAnswer): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers[`ratelimit-${name}`] ?? NaN),
    );
    if (!isCount(limit) || !isCount(remaining) || !isCount(reset)) return;
    this.at.onLimits?.({ limit, remaining, resetAt: new Date(reset * 1000).toISOString() });
  }
}

/** The last second that a date can have here is in the year 9999. */
const isCount = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 0 && value < 253_402_300_800;

const understood = <S extends z.ZodType>(shape: S, answer: OutboundAnswer): z.infer<S> => {
  try {
    return shape.parse(JSON.parse(answer.text));
  } catch {
    throw failed('BADRESP', 'answered in a form that this console does not understand');
  }
};
