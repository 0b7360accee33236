/**
 * TXT records that prove names to an authority. Each is written down before it is added to the zone, and removed when its
 * run is over, whatever became of the run or of this process.
 */
import { Inject, Injectable } from '@nestjs/common';
import { WorkspaceDns, type TextRecord } from '../dns';
import { DomainError } from '../platform/errors';
import { LeasedRounds, Leases } from '../platform/leases';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';

const SWEEP_MS = 15_000;
/** After this time the provider is not asked any more: it, or the zone, may be gone for good. */
const PATIENCE_DAYS = 7;
/** Nobody waits for the removal. */
const MAX_AT_ONCE = 50;
/** The shortest that every provider accepts. */
const TTL = 60;

interface ProofRow extends TextRecord {
  workspace: string;
  run: string;
}

@Injectable()
export class DnsProofs extends LeasedRounds {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly dns: WorkspaceDns,
    private readonly engine: RunEngine,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'dns-proofs',
      what: 'removing the TXT records of orders',
      everyMs: SWEEP_MS,
    });
  }

  /** @throws DomainError of the provider */
  async add(run: string, workspace: string, record: TextRecord): Promise<void> {
    const { provider } = await this.dns.writer(workspace);
    await this.db.query(
      `insert into app.dns_proofs (workspace, run, name, text) values ($1, $2, $3, $4) on conflict do nothing`,
      [workspace, run, record.name, record.text],
    );
    await provider.addText(record, TTL);
    // If the run has ended since, its rows are gone.
    const left = await this.rows(run);
    if (!left.some(({ name, text }) => name === record.name && text === record.text))
      await provider.removeText(record);
  }

  /** @throws DomainError of the provider; then a later round removes the rest */
  async removeOf(run: string, workspace: string): Promise<string[]> {
    const rows = await this.rows(run);
    if (rows.length === 0) return [];
    const { provider } = await this.dns.writer(workspace);
    for (const { name, text } of rows) {
      await provider.removeText({ name, text });
      await this.db.query('delete from app.dns_proofs where run = $1 and name = $2 and text = $3', [
        run,
        name,
        text,
      ]);
    }
    return rows.map(({ name }) => name);
  }

  private async rows(run: string): Promise<TextRecord[]> {
    const { rows } = await this.db.query<TextRecord>(
      'select name, text from app.dns_proofs where run = $1 order by name, text',
      [run],
    );
    return rows;
  }

  protected async round(signal: AbortSignal): Promise<void> {
    const { rows } = await this.db.query<Pick<ProofRow, 'run' | 'workspace'> & { old: boolean }>(
      `select run, workspace, min(at) < now() - make_interval(days => $1) as old
       from app.dns_proofs group by run, workspace order by min(at) limit $2`,
      [PATIENCE_DAYS, MAX_AT_ONCE],
    );
    for (const { run, workspace, old } of rows) {
      if (signal.aborted) return;
      // A run that has ended may have been retried.
      if (await this.engine.isOpen(run, workspace)) continue;
      try {
        await this.removeOf(run, workspace);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (!old) continue;
        const left = await this.rows(run);
        this.logger.warn({ err: error, left }, 'TXT records of an order stay in their zone');
        await this.db.query('delete from app.dns_proofs where run = $1', [run]);
      }
    }
  }
}
