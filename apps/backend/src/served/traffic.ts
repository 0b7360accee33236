/** The latest requests to a served API, and samples of them. In memory only: they belong to those who sent them. */
import type { ApiTraffic } from '@quarterdeck/contract';
import { quantile, type Batch, type LoggedRequest } from './child/counts';
import type { Counted } from './kept-counts';
import { Samples } from './samples';

const MAX_REQUESTS = 100;

export class Traffic {
  readonly samples = new Samples();
  private readonly latest: LoggedRequest[] = [];

  add({ requests, samples }: Omit<Batch, 'counts'>): void {
    this.samples.add(samples);
    this.latest.push(...requests);
    this.latest.splice(0, this.latest.length - MAX_REQUESTS);
  }

  view({ since, endpoints }: Counted): Omit<ApiTraffic, 'port'> {
    return {
      ...(since && { since: since.toISOString() }),
      endpoints: [...endpoints].map(([endpoint, counts]) => {
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
