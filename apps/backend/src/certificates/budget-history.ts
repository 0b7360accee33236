/** What the authority still allows a workspace, from the history of its domains. */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import { namesOfSite, same, sameAsAny, type DomainView, type HistoryView } from '@quarterdeck/projections';
import { inView, type HistoryOf } from '../platform/in-view';
import { positionsBetween } from '../platform/history-times';
import { present } from '../platform/as-of';
import { DB, type Pool } from '../platform/tokens';
import { rateBudget, registeredDomain, type AcmeAttempt, type BudgetVerdict } from './rate-budget';

const domain = inView<DomainView>('view');
const attempt = inView<HistoryView>('h.view');
const removal = inView<HistoryOf<'DomainRemoved'>>('r.view');

/** An event about a certificate, with the domain's present or last name. Old refusals did not record the names. */
export type Attempted = { at: Date; serverName: string } & (
  | { type: 'CertificateIssued'; data: EventData<'CertificateIssued'> }
  | { type: 'CertificateRenewed'; data: EventData<'CertificateRenewed'> }
  | { type: 'CertificateRefused'; data: EventData<'CertificateRefused'> }
  | { type: 'CertificateOrderWasted'; data: EventData<'CertificateOrderWasted'> }
);

/** As SQL. */
const attempts = [
  'CertificateIssued',
  'CertificateRenewed',
  'CertificateRefused',
  'CertificateOrderWasted',
].map((type) => `'${type}'`);

/** The authority checked the name and the validation failed. */
const looked = /:(unauthorized|dns|connection|tls|caa|incorrectResponse)$/;

/** Names certified this long ago still count as renewals, not as new. */
const MEMORY_DAYS = 100;
const DAY_MS = 86_400_000;

export const attemptOf = (event: Attempted): AcmeAttempt => {
  const at = event.at.toISOString();
  if (event.type === 'CertificateOrderWasted')
    return { at, names: event.data.names, outcome: event.data.issued ? 'issued' : 'refused' };
  if (event.type !== 'CertificateRefused') return { at, names: event.data.names, outcome: 'issued' };
  const { problem = '', retryAt, names = [event.serverName] } = event.data;
  return {
    at,
    names,
    outcome: looked.test(problem) ? 'failed' : 'refused',
    ...(retryAt !== undefined && { retryAt }),
  };
};

@Injectable()
export class RateBudgets {
  constructor(@Inject(DB) private readonly db: Pool) {}

  async of(names: readonly string[], workspace: string, now = new Date()): Promise<BudgetVerdict> {
    return rateBudget({ names, history: await this.history(workspace, now), now });
  }

  /** For each registered domain of the workspace: what the authority would allow for a new name below it. */
  async perRegisteredDomain(
    workspace: string,
    now = present(),
  ): Promise<({ domain: string } & BudgetVerdict)[]> {
    const history = await this.history(workspace, now);
    const { rows } = await this.db.query<{ domain: Pick<DomainView, 'serverName' | 'names'> }>(
      `select jsonb_strip_nulls(jsonb_build_object('serverName', "serverName", 'names', ${domain.json('names')})) as domain
       from read.domains where workspace = $1`,
      [workspace],
    );
    const names = rows.flatMap((row) => namesOfSite(row.domain));
    const registered = [...new Set(names.map(registeredDomain))].toSorted();
    return registered.map((name) => ({ domain: name, ...rateBudget({ names: [name], history, now }) }));
  }

  private async history(workspace: string, now: Date): Promise<AcmeAttempt[]> {
    const from = new Date(now.getTime() - MEMORY_DAYS * DAY_MS).toISOString();
    const { first = '0' } = await positionsBetween(this.db, { from });
    // From the events, because a removed domain's attempts still count.
    const { rows } = await this.db.query<Attempted>(
      `select h.type, h.at, ${attempt.json('data')} as data, coalesce(
         (select d."serverName" from read.domains d where d.id = h."subjectId"),
         (select ${removal.text('data', 'serverName')} from read.history r where ${same('r.workspace', '$1')}
            and ${same('r."subjectId"', 'h."subjectId"')} and r.type = 'DomainRemoved'
            order by r.position desc limit 1), '') as "serverName"
       from read.history h where ${same('h.workspace', '$1')} and ${sameAsAny('h.type', attempts)}
         and h.at > $2::timestamptz and h.position >= $3::bigint`,
      [workspace, from, first],
    );
    return rows.map(attemptOf);
  }
}
