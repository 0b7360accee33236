/**
 * When the authority wants a certificate to be renewed: ACME Renewal Information, RFC 9773. If the authority does not
 * support it or does not answer, the lifetime alone decides.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { RenewalWindow } from './renewal';
import { callOut, type Outbound } from '../platform/outbound';

export type RenewalInfo =
  | {
      is: 'window';
      window: RenewalWindow;
      /** The authority's explanation, if it gives one. */
      explanationUrl?: string;
      /** ISO: the authority is not asked again before then. */
      askAgainAt: string;
    }
  | { is: 'none'; reason: string; askAgainAt: string }
  | {
      is: 'failed';
      reason: string;
      /** The authority's earlier answer, if any. */
      window?: RenewalWindow;
      askAgainAt: string;
    };

export interface RenewalInfoSource extends JsonSource {
  /** Directory of the ACME authority. */
  directoryUrl: string;
  now?: () => Date;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** From the RFC: six hours if the authority does not say, and neither every second nor never. */
const DEFAULT_PAUSE_MS = 6 * HOUR_MS;
const SHORTEST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 24 * HOUR_MS;
const PAUSE_AFTER_FAILURE_MS = 10 * MINUTE_MS;
const CERTIFICATES = 5000;

const directorySchema = z.object({ renewalInfo: z.url({ protocol: /^https?$/ }).optional() });
const instant = z.iso.datetime({ offset: true });
const infoSchema = z
  .object({ suggestedWindow: z.object({ start: instant, end: instant }), explanationURL: z.url().optional() })
  .refine(({ suggestedWindow: { start, end } }) => Date.parse(start) < Date.parse(end));

/** Codes of connections that fail. */
const SILENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** @param header seconds, or an HTTP date @returns milliseconds, undefined if it cannot be parsed */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
};

const bounded = (ms: number): number => Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, ms));

export class RenewalInfoClient {
  private readonly known = new LRUCache<string, RenewalInfo>({ max: CERTIFICATES });
  private readonly asking = new Map<string, Promise<RenewalInfo>>();
  private endpoint: { url: string | undefined; until: number } | undefined;
  private readonly now: () => Date;

  constructor(private readonly source: RenewalInfoSource) {
    this.now = source.now ?? (() => new Date());
  }

  /**
   * Asks the authority when it is time to, and otherwise returns the known answer.
   *
   * @param renewalId as in `IssuedCertificate`; without one the authority cannot be asked
   * @throws only the signal's reason, if it is aborted
   */
  async infoFor(renewalId: string | undefined, signal?: AbortSignal): Promise<RenewalInfo> {
    signal?.throwIfAborted();
    if (renewalId === undefined)
      return this.none('The certificate does not name the authority key that signed it.');
    const before = this.known.get(renewalId);
    if (before && Date.parse(before.askAgainAt) > this.now().getTime()) return before;
    const asked = this.asking.get(renewalId) ?? this.askOnce(renewalId, before);
    return signal ? orAborted(asked, signal) : asked;
  }

  private askOnce(renewalId: string, before: RenewalInfo | undefined): Promise<RenewalInfo> {
    const asked = this.ask(renewalId, before)
      .then((info) => {
        this.known.set(renewalId, info);
        return info;
      })
      .finally(() => this.asking.delete(renewalId));
    this.asking.set(renewalId, asked);
    return asked;
  }

  private async ask(renewalId: string, before: RenewalInfo | undefined): Promise<RenewalInfo> {
    const window = before && before.is !== 'none' ? before.window : undefined;
    const failed = (reason: string, pauseMs = PAUSE_AFTER_FAILURE_MS): RenewalInfo => ({
      is: 'failed',
      reason,
      ...(window && { window }),
      askAgainAt: this.later(pauseMs),
    });
    try {
      const url = await this.endpointUrl();
      if (url === undefined) return this.none('Not available: the authority does not offer it.');
      const answer = await getJson(`${url.replace(/\/+$/, '')}/${renewalId}`, this.source);
      const pause = retryAfterMs(answer.retryAfter, this.now());
      if (answer.status !== 200)
        return failed(`Not available: the authority answered ${answer.status}${detailOf(answer)}.`, pause);
      const info = infoSchema.safeParse(answer.body);
      if (!info.success) return failed("Not available: the authority's answer has no valid window.", pause);
      const { suggestedWindow, explanationURL } = info.data;
      return {
        is: 'window',
        window: { start: iso(suggestedWindow.start), end: iso(suggestedWindow.end) },
        ...(explanationURL !== undefined && { explanationUrl: explanationURL }),
        askAgainAt: this.later(pause ?? DEFAULT_PAUSE_MS),
      };
    } catch (error) {
      // Other errors say what was wrong with the answer.
      const { code = '', message } = error as NodeJS.ErrnoException;
      return failed(`Not available: ${SILENT.has(code) ? 'the authority does not answer' : message}.`);
    }
  }

  /** @throws if the directory cannot be read, which does not mean that the authority lacks the endpoint */
  private async endpointUrl(): Promise<string | undefined> {
    if (this.endpoint && this.endpoint.until > this.now().getTime()) return this.endpoint.url;
    const answer = await getJson(this.source.directoryUrl, this.source);
    const directory = directorySchema.safeParse(answer.body);
    if (answer.status !== 200 || !directory.success)
      throw new Error(
        `its directory answered ${answer.status}${answer.status === 200 ? ' with unexpected content' : ''}`,
      );
    this.endpoint = { url: directory.data.renewalInfo, until: this.now().getTime() + HOUR_MS };
    return this.endpoint.url;
  }

  private none(reason: string): RenewalInfo {
    return { is: 'none', reason, askAgainAt: this.later(HOUR_MS) };
  }

  private later(ms: number): string {
    return new Date(this.now().getTime() + bounded(ms)).toISOString();
  }
}

const iso = (at: string): string => new Date(at).toISOString();

/** An ACME problem contains a readable explanation. */
const detailOf = ({ body }: JsonAnswer): string => {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return typeof detail === 'string' ? `: ${detail.slice(0, 300).replace(/\.+$/, '')}` : '';
};

const orAborted = async <T>(asked: Promise<T>, signal: AbortSignal): Promise<T> => {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Asks an ACME authority for one small JSON document. */
interface JsonSource {
  outbound: Outbound;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string;
  /** For connection, headers and body together. Default: 10,000. */
  timeoutMs?: number;
}

interface JsonAnswer {
  status: number;
  retryAfter: string | undefined;
  /** undefined if it is not JSON */
  body: unknown;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Follows no redirects: an ACME authority needs none. @throws DomainError */
const getJson = async (
  url: string,
  { outbound, ca, timeoutMs = TIMEOUT_MS }: JsonSource,
): Promise<JsonAnswer> => {
  const { status, headers, text } = await callOut(outbound, {
    url,
    timeoutMs,
    maxBytes: MAX_BYTES,
    headers: { accept: 'application/json' },
    ...(ca !== undefined && { ca }),
  });
  return { status, retryAfter: headers['retry-after'], body: parsed(text) };
};
