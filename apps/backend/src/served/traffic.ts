/** What the process of a served API has counted, since this console began, and its latest requests. */
import { addCounts, noCounts, quantile, type Batch, type Counts, type LoggedRequest } from './child/counts';

const MAX_REQUESTS = 500;
/** Endpoints that were removed leave their counts. */
const MAX_ENDPOINTS = 2000;

export interface EndpointTraffic {
  readonly requests: number;
  /** Answers from 400 to 499. */
  readonly refused: number;
  /** Answers from 500. */
  readonly failed: number;
  /** Milliseconds within which half of the requests were answered, and 99 of 100. */
  readonly p50: number;
  readonly p99: number;
}

export class Traffic {
  private readonly counts = new Map<string, Counts>();
  private readonly latest: LoggedRequest[] = [];

  add({ counts, requests }: Batch): void {
    for (const [endpoint, more] of Object.entries(counts)) {
      const known = this.counts.get(endpoint) ?? noCounts();
      addCounts(known, more);
      if (this.counts.size < MAX_ENDPOINTS) this.counts.set(endpoint, known);
    }
    this.latest.push(...requests);
    this.latest.splice(0, this.latest.length - MAX_REQUESTS);
  }

  /** By id of the endpoint; empty: requests for which there was none. */
  endpoints(): Record<string, EndpointTraffic> {
    return Object.fromEntries(
      [...this.counts].map(([endpoint, counts]) => {
        const { requests, refused, failed } = counts;
        return [
          endpoint,
          { requests, refused, failed, p50: quantile(counts, 0.5), p99: quantile(counts, 0.99) },
        ];
      }),
    );
  }

  /** Newest first. */
  requests(): LoggedRequest[] {
    return this.latest.toReversed();
  }
}
