/** The rows of SSL runs: the domains to check, the results, and the outcomes of renewals. Each is written once. */
import {
  noSslChecks,
  outcomeOf,
  type SslCheck,
  type SslCounters,
  type SslFound,
  type SslRenewal,
} from '@quarterdeck/projections';
import type { Pool } from 'pg';

export interface SslSubject {
  domain: string;
  serverName: string;
}

interface Row {
  domain: string;
  server_name: string;
  checked_at: Date | null;
  found: SslFound | null;
  renewal: SslRenewal | null;
}

const COLUMNS = 'domain, server_name, checked_at, found, renewal';
/**
 * As long as a certificate lasts, so that a check can be compared with the first one after the issue. The log of a run
 * and the changes of its domains are kept for ever.
 */
const KEPT = '90 days';

const checkOf = ({ domain, server_name, checked_at, found, renewal }: Row): SslCheck => ({
  domain,
  serverName: server_name,
  ...(checked_at && { at: checked_at.toISOString() }),
  ...(found && { found }),
  ...(renewal && { renewal }),
});

export class SslChecks {
  constructor(
    private readonly db: Pool,
    private readonly run: string,
    private readonly workspace: string,
  ) {}

  /** Keeps existing rows: a resumed run has the domains that it began with. Deletes the rows of old runs. */
  async begin(subjects: readonly SslSubject[]): Promise<void> {
    await this.db.query(
      `insert into app.ssl_checks (run, place, workspace, domain, server_name)
       select $1, place, $2, domain, server_name
       from unnest($3::uuid[], $4::text[]) with ordinality as given (domain, server_name, place)
       where not exists (select 1 from app.ssl_checks where run = $1)
       on conflict do nothing`,
      [
        this.run,
        this.workspace,
        subjects.map(({ domain }) => domain),
        subjects.map(({ serverName }) => serverName),
      ],
    );
    await this.db.query(
      `delete from app.ssl_checks
       where workspace = $1 and run <> $2 and begun_at < clock_timestamp() - interval '${KEPT}'`,
      [this.workspace, this.run],
    );
  }

  /** @returns whether this is the first result for the domain in this run, and is now stored */
  async found(domain: string, found: SslFound): Promise<boolean> {
    const { rowCount } = await this.db.query({
      name: 'ssl-found',
      text: `update app.ssl_checks set found = $3, checked_at = clock_timestamp()
             where run = $1 and domain = $2 and found is null`,
      values: [this.run, domain, found],
    });
    return rowCount === 1;
  }

  async renewal(domain: string, renewal: SslRenewal): Promise<void> {
    await this.db.query('update app.ssl_checks set renewal = $3 where run = $1 and domain = $2', [
      this.run,
      domain,
      renewal,
    ]);
  }

  counters(): Promise<SslCounters> {
    return sslCountersOf(this.db, this.workspace, this.run);
  }

  unchecked(): Promise<SslCheck[]> {
    return this.rows('found is null');
  }

  checked(): Promise<SslCheck[]> {
    return this.rows('found is not null');
  }

  /** Checked domains whose renewal was not begun or has not ended. */
  open(): Promise<SslCheck[]> {
    return this.rows(`found is not null and (renewal is null or renewal->>'is' = 'underWay')`);
  }

  private async rows(which: string): Promise<SslCheck[]> {
    const { rows } = await this.db.query<Row>(
      `select ${COLUMNS} from app.ssl_checks where run = $1 and ${which} order by place`,
      [this.run],
    );
    return rows.map(checkOf);
  }
}

export const sslChecksOf = async (db: Pool, workspace: string, run: string): Promise<SslCheck[]> => {
  const { rows } = await db.query<Row>({
    name: 'ssl-checks',
    text: `select ${COLUMNS} from app.ssl_checks where run = $1 and workspace = $2 order by place`,
    values: [run, workspace],
  });
  return rows.map(checkOf);
};

interface Alike {
  found: SslFound | null;
  renewal: SslRenewal | null;
  times: number;
}

/** Counts all rows in the database: rows that count alike are grouped. */
export const sslCountersOf = async (db: Pool, workspace: string, run: string): Promise<SslCounters> => {
  const { rows } = await db.query<Alike>({
    name: 'ssl-counters',
    text: `select case when found is not null then jsonb_build_object(
               'label', found->'label', 'valid', found->'valid', 'code', found->'code') end as found,
             case when renewal is not null then jsonb_build_object('is', renewal->'is') end as renewal,
             count(*)::int as times
           from app.ssl_checks where run = $1 and workspace = $2 group by 1, 2`,
    values: [run, workspace],
  });
  return rows.reduce<SslCounters>(
    (sum, { found, renewal, times }) =>
      counted(
        { ...sum, total: sum.total + times },
        { ...(found && { found }), ...(renewal && { renewal }) },
        times,
      ),
    noSslChecks,
  );
};

/** Adds the results of this many domains: checks, or outcomes of renewals. Pure. */
export const counted = (
  counters: SslCounters,
  { found, renewal }: Pick<SslCheck, 'found' | 'renewal'>,
  times = 1,
): SslCounters => {
  const more = (is: boolean | undefined): number => (is ? times : 0);
  const outcome = found && outcomeOf(found);
  return {
    total: counters.total,
    checked: counters.checked + more(found !== undefined),
    valid: counters.valid + more(outcome === 'valid'),
    expiring: counters.expiring + more(outcome === 'expiring'),
    expired: counters.expired + more(outcome === 'expired'),
    unreachable: counters.unreachable + more(outcome === 'unreachable'),
    invalid: counters.invalid + more(outcome === 'invalid'),
    renewed: counters.renewed + more(renewal?.is === 'renewed'),
    failed: counters.failed + more(renewal?.is === 'failed'),
  };
};
