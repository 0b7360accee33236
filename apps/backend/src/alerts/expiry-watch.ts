/** Raises and ends alerts, after every event about a domain or a workspace's settings, and as time passes. */
import { streamParts, type RecordedEvent } from '@quarterdeck/events';
import { defaultAlerts } from '@quarterdeck/projections';
import { expiringDomains } from '../domains';
import { orphanedAlerts, withAlerts, type WatchedCertificate } from './alerts.queries';
import { settle } from './expiry';
import { Watch } from './watch';

export class ExpiryWatch extends Watch {
  /** Thresholds are days, so some minutes of delay do not matter. */
  protected readonly everyMs = 5 * 60_000;
  private domains = new Set<string>();
  private workspaces = new Set<string>();
  private all = true;

  override heard(events: readonly RecordedEvent[]): void {
    for (const { type, stream } of events) {
      const { category, id } = streamParts(stream);
      if (category === 'domain') this.domains.add(id);
      if (type === 'AlertsConfigured') this.workspaces.add(id);
    }
    if (this.domains.size + this.workspaces.size > 0) this.look();
  }

  protected override lookAtAll(): void {
    this.all = true;
    this.look();
  }

  protected async settle(): Promise<void> {
    if (!this.all && this.domains.size + this.workspaces.size === 0) return;
    const [all, domains, workspaces] = [this.all, this.domains, this.workspaces];
    this.all = false;
    this.domains = new Set();
    this.workspaces = new Set();
    const which = all ? 'all' : { domains: [...domains], workspaces: [...workspaces] };
    const expiring = await expiringDomains(this.deps.db, which);
    for (const watched of await withAlerts(this.deps.db, expiring)) await this.settleOne(watched);
    for (const orphan of await orphanedAlerts(this.deps.db))
      await this.resolve(orphan.id, 'the domain was removed', orphan.workspace);
  }

  private async settleOne({ domain, settings, alerts }: WatchedCertificate): Promise<void> {
    if (this.stopped) return;
    const { workspace } = domain;
    const { thresholds } = settings ?? defaultAlerts;
    const { raise, resolve } = settle({ domain, thresholds, now: new Date() }, alerts);
    // Ends the old alert first: there is never more than one open alert about a certificate.
    for (const { id, reason } of resolve) await this.resolve(id, reason, workspace);
    for (const { id, raised } of raise) await this.raise(id, raised, workspace);
  }
}
