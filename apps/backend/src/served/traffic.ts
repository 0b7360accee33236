/** What the processes of a served API have counted since the first request to it, its latest requests, and samples. */
import type { ApiTraffic } from '@quarterdeck/contract';
import { addCounts, noCounts, quantile, type Batch, type Counts, type LoggedRequest } from './child/counts';
import { Samples } from './samples';

const MAX_REQUESTS = 100;
/** Endpoints that were removed leave their counts. */
const MAX_ENDPOINTS = 2000;

export class Traffic {
  readonly samples = new Samples();
  private readonly since = new Date().toISOString();
  private readonly counts = new Map<string, Counts>();
  private readonly latest: LoggedRequest[] = [];

  add({ counts, requests, samples }: Batch): void {
    for (const [endpoint, more] of Object.entries(counts)) {
      const known = this.counts.get(endpoint) ?? noCounts();
      addCounts(known, more);
      if (this.counts.size < MAX_ENDPOINTS) this.counts.set(endpoint, known);
    }
    this.samples.add(samples);
    this.latest.push(...requests);
    this.latest.splice(0, this.latest.length - MAX_REQUESTS);
  }

  view(): Omit<ApiTraffic, 'port'> {
    return {
      since: this.since,
      endpoints: [...this.counts].map(([endpoint, counts]) => {
        const { requests, refused, failed } = counts;
        return {
          endpoint,
          requests,
          refused,
          failed,
          p50: quantile(counts, 0.5),
          p99: quantile(counts, 0.99),
          samples: this.samples.of(endpoint).length,
        };
      }),
      requests: this.latest.toReversed().map(({ endpoint = '', logs, ...one }) => ({
        endpoint,
        ...one,
        ...(logs && { logs: [...logs] }),
      })),
    };
  }
}
