/**
 * What endpoints were asked, how long it took, and a sample of the requests. Bounded whatever happens: the console
 * takes a batch every few seconds, and what does not fit into one is only counted.
 */
import type { Sample } from '../samples';

/** Upper edges of the buckets in milliseconds, each a fifth more than the one before: 0.1 ms to a minute. */
const FIRST_MS = 0.1;
const GROWTH = 1.2;
const BUCKETS = 74;

const bucketOf = (ms: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH))));
const edgeOf = (bucket: number): number => FIRST_MS * GROWTH ** bucket;

export interface Counts {
  requests: number;
  /** Answers from 400 to 499. */
  refused: number;
  /** Answers from 500. */
  failed: number;
  /** Requests by duration. */
  buckets: number[];
}

export interface LoggedRequest {
  /** ISO 8601 */
  readonly at: string;
  /** Undefined: no endpoint has this path. */
  readonly endpoint?: string | undefined;
  readonly method: string;
  /** Without the query, which may hold personal data. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Bytes of the answer. */
  readonly bytes: number;
  /** Position of the definition that answered. */
  readonly definition: string;
  /** What the caller was told, if it was refused. */
  readonly message?: string | undefined;
  /** What a snippet logged. */
  readonly logs?: readonly string[] | undefined;
}

export interface Batch {
  /** By id of the endpoint; empty: no endpoint had that path. */
  readonly counts: Readonly<Record<string, Counts>>;
  readonly requests: readonly LoggedRequest[];
  readonly samples: readonly Sample[];
}

export const noCounts = (): Counts => ({ requests: 0, refused: 0, failed: 0, buckets: [] });

export const addCounts = (to: Counts, more: Counts): void => {
  to.requests += more.requests;
  to.refused += more.refused;
  to.failed += more.failed;
  more.buckets.forEach((count, at) => (to.buckets[at] = (to.buckets[at] ?? 0) + (count ?? 0)));
};

/** The duration within which this share of the requests was answered, in milliseconds. 0: there were none. */
export const quantile = ({ buckets, requests }: Counts, share: number): number => {
  let seen = 0;
  for (const [at, count] of buckets.entries()) {
    seen += count ?? 0;
    if (seen > 0 && seen >= share * requests) return Math.round(edgeOf(at) * 100) / 100;
  }
  return 0;
};

/** Requests of one batch, refused ones apart from the others so that neither hides the other. */
const MAX_LOGGED = 25;
const MAX_PATH = 300;
/** Of one batch, and of one endpoint in it. */
const MAX_SAMPLES = 100;
const MAX_OF_ENDPOINT = 10;

/** Most are counted only, and never made to what is logged. */
interface CountedRequest extends Omit<LoggedRequest, 'at' | 'bytes'> {
  /** The answer. */
  readonly text: string;
}

const loggedOf = ({ text, message, logs, ...request }: CountedRequest): LoggedRequest => ({
  at: new Date().toISOString(),
  ...request,
  path: request.path.slice(0, MAX_PATH),
  ms: Math.round(request.ms * 100) / 100,
  bytes: Buffer.byteLength(text),
  ...(message !== undefined && { message }),
  ...(logs && logs.length > 0 && { logs }),
});

export class Counter {
  private counts = new Map<string, Counts>();
  private answered: LoggedRequest[] = [];
  private refused: LoggedRequest[] = [];
  private samples: Sample[] = [];
  /** How many of each endpoint. */
  private readonly sampled = new Map<string, number>();

  /** @param sampled made only if there is room for one more */
  add(request: CountedRequest, sampled: () => Sample | undefined): void {
    const { endpoint = '', status, ms } = request;
    const counts = this.counts.get(endpoint) ?? noCounts();
    this.counts.set(endpoint, counts);
    counts.requests += 1;
    if (status >= 500) counts.failed += 1;
    else if (status >= 400) counts.refused += 1;
    const bucket = bucketOf(ms);
    // Filled up to here, so that no list has holes.
    while (counts.buckets.length <= bucket) counts.buckets.push(0);
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
    const log = status >= 400 ? this.refused : this.answered;
    if (log.length < MAX_LOGGED) log.push(loggedOf(request));
    const ofEndpoint = this.sampled.get(endpoint) ?? 0;
    if (this.samples.length >= MAX_SAMPLES || ofEndpoint >= MAX_OF_ENDPOINT) return;
    const sample = sampled();
    if (!sample) return;
    this.samples.push(sample);
    this.sampled.set(endpoint, ofEndpoint + 1);
  }

  /** Undefined: nothing happened since the last one. */
  take(): Batch | undefined {
    if (this.counts.size === 0) return undefined;
    const batch = {
      counts: Object.fromEntries(this.counts),
      requests: [...this.answered, ...this.refused],
      samples: this.samples,
    };
    this.counts = new Map();
    this.answered = [];
    this.refused = [];
    this.samples = [];
    this.sampled.clear();
    return batch;
  }
}
