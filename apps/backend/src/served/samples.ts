/**
 * Requests that can be sent again, to see what a changed definition would have answered. They have the values of their
 * queries, so they are kept for an hour at most, in the memory of the console only, and no answer ever has them.
 */
import { isWriting } from '@quarterdeck/api';
import type { ServedEndpoint } from './child/definition';
import type { ApiUser } from './child/users';

/** What a `GET` asked, and who asked it. */
export interface Sample {
  /** Id of the endpoint that answered. */
  readonly endpoint: string;
  readonly path: string;
  /** The query as it was sent. Empty: none. */
  readonly search: string;
  /** Undefined: nobody had signed in. Without a token, a session or a password. */
  readonly user: ApiUser | undefined;
  readonly status: number;
}

const KEPT_MS = 3_600_000;
/** Of one endpoint; each is another request. */
const MAX_SAMPLES = 20;
/** Of these. The others were answered. */
const MAX_REFUSED = 5;
/** Of one request, and of all requests of one API, in characters. */
const MAX_SAMPLE = 2000;
const MAX_ALL = 500_000;
/** They say something about a caller or about the moment, and nothing about the definition. */
const OF_THE_MOMENT: readonly number[] = [401, 403, 429];
/** A name of a parameter that may hold something with which others could sign in. */
const SECRET = /token|passw|pwd|secret|api_?key|auth(?!or)|credential|session|signature|^(?:otp|pin|code)$/i;

const isRefused = ({ status }: Sample): boolean => status >= 400;
const lengthOf = ({ path, search, user }: Sample): number =>
  path.length + search.length + JSON.stringify(user ?? null).length;
const keyOf = ({ path, search, user }: Sample): string => JSON.stringify([path, search, user?.id]);

/** A request that an endpoint has answered. */
export interface AnsweredRequest extends Omit<Sample, 'endpoint'> {
  readonly endpoint: Pick<ServedEndpoint, 'id' | 'compiled'>;
  readonly method: string;
  /** Values of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** A snippet may read only. If it does not, a replay says so. */
const mayRead = ({ compiled }: AnsweredRequest['endpoint']): boolean =>
  compiled?.blocks.some(isWriting) === false;

/** @returns undefined if it is not kept */
export const sampleOf = ({
  endpoint,
  method,
  params,
  path,
  search,
  user,
  status,
}: AnsweredRequest): Sample | undefined => {
  if (method !== 'GET' || status >= 500 || OF_THE_MOMENT.includes(status) || !mayRead(endpoint))
    return undefined;
  const sample = { endpoint: endpoint.id, path, search, user, status };
  if (lengthOf(sample) > MAX_SAMPLE) return undefined;
  const names = [...Object.keys(params), ...new URLSearchParams(search).keys()];
  return names.some((name) => SECRET.test(name)) ? undefined : sample;
};

interface KeptSample {
  readonly sample: Sample;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class Samples {
  /** By id of the endpoint, the one that was asked last at the end. */
  private readonly kept = new Map<string, KeptSample[]>();
  private length = 0;
  private sweeping: NodeJS.Timeout | undefined;

  add(samples: readonly Sample[], now = Date.now()): void {
    for (const sample of samples) this.addOne({ sample, at: now });
    for (const endpoint of this.kept.keys()) {
      if (this.length <= MAX_ALL) break;
      this.put(endpoint, []);
    }
    this.sweepLater();
  }

  /** Oldest first. */
  of(endpoint: string, now = Date.now()): Sample[] {
    return (this.kept.get(endpoint) ?? []).flatMap(({ sample, at }) => (now - at < KEPT_MS ? [sample] : []));
  }

  private addOne(one: KeptSample): void {
    const { endpoint } = one.sample;
    const others = (this.kept.get(endpoint) ?? []).filter(
      ({ sample }) => keyOf(sample) !== keyOf(one.sample),
    );
    const alike = others.filter(({ sample }) => isRefused(sample) === isRefused(one.sample));
    const most = isRefused(one.sample) ? MAX_REFUSED : MAX_SAMPLES - MAX_REFUSED;
    const [oldest] = alike.length < most ? [] : alike;
    this.put(endpoint, [...others.filter((other) => other !== oldest), one]);
  }

  private put(endpoint: string, all: KeptSample[]): void {
    const count = (kept: readonly KeptSample[]): number =>
      kept.reduce((sum, { sample }) => sum + lengthOf(sample), 0);
    this.length += count(all) - count(this.kept.get(endpoint) ?? []);
    this.kept.delete(endpoint);
    if (all.length > 0) this.kept.set(endpoint, all);
  }

  /** Nothing stays for longer, even if nobody asks any more. */
  private sweepLater(): void {
    if (this.kept.size === 0) return;
    this.sweeping ??= setTimeout(() => {
      this.sweeping = undefined;
      this.sweep();
      this.sweepLater();
    }, KEPT_MS / 10).unref();
  }

  private sweep(now = Date.now()): void {
    for (const [endpoint, all] of this.kept) {
      const left = all.filter(({ at }) => now - at < KEPT_MS);
      if (left.length < all.length) this.put(endpoint, left);
    }
  }
}
