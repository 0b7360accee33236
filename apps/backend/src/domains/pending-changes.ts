/**
 * How far the live configuration of each domain is from what would be applied now. The feature of the web server writes
 * configurations, and stands on this one: it registers here how.
 */
import { Injectable } from '@nestjs/common';
import type { DomainRow } from '@quarterdeck/projections';

/** What a configuration is written from: a domain as it is listed, and the folders of its server. */
export interface Configured {
  domain: Pick<DomainRow, 'serverName' | 'server' | 'locations' | 'dns' | 'config'>;
  folders: { path: string; root: string; nginxPath: string } | null;
  /** The live text. */
  text: string | null;
}

/** Lines that differ; `undefined`: none, or nothing is live. */
export type CountPending = (configured: Configured) => number | undefined;

@Injectable()
export class PendingChanges {
  private count: CountPending = () => undefined;

  register(count: CountPending): void {
    this.count = count;
  }

  added<D extends Configured['domain']>({
    domain,
    ...rest
  }: Configured & { domain: D }): D & { pending?: number } {
    const pending = this.count({ domain, ...rest });
    return pending === undefined ? domain : { ...domain, pending };
  }
}
