/**
 * Raises an alert when visitors do not get a site, and ends it when they do, or when the site was removed. Another
 * kind of failure replaces it, so that an open alert says what is so now.
 */
import { siteStateOf, siteVerdicts, type AlertView, type DomainView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { inView } from '../platform/in-view';
import { Watch } from './watch';

const NAMESPACE = '5a0f3d0e-0d0c-4b57-8f19-7b5b0f6c1d33';

const domain = inView<DomainView>('d.view');
const alert = inView<AlertView>('a.view');

/** Each site that was looked at, with the alert about it that is open. */
const LOOKED_AT = `
  select d.workspace, d.id, d."serverName" as name, ${domain.json('answer')} as answer, a.id as alert
  from read.domains d
  left join read.alerts a on a.workspace = d.workspace and a."subjectId" = d.id collate "default" and a.state = 'open'
    and ${alert.text('about')} = 'siteDown'
  where ${domain.json('config')} is not null and ${domain.json('answer')} is not null
    and (${domain.text('answer', 'is')} <> 'answers' or a.id is not null)`;

/** Open alerts about what is no site any more. */
const ORPHANED = `
  select a.id, a.workspace from read.alerts a
  where a.state = 'open' and ${alert.text('about')} = 'siteDown' and not exists (
    select from read.domains d where d.workspace = a.workspace and d.id = a."subjectId"
      and ${domain.json('config')} is not null and ${domain.json('answer')} is not null)`;

interface LookedAt {
  workspace: string;
  id: string;
  name: string;
  answer: NonNullable<DomainView['answer']>;
  alert: string | null;
}

export class SiteAlerts extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 5 * 60_000;
  protected override readonly after = [
    'SiteAnswerChanged',
    'SiteConfigRemoved',
    'DomainRemoved',
    'DomainMoved',
    'DomainRenamed',
  ];

  protected async settle(): Promise<void> {
    const { rows } = await this.deps.db.query<LookedAt>(LOOKED_AT);
    for (const { workspace, id, name, answer, alert: open } of rows) {
      const { label, tone } = siteVerdicts[siteStateOf({ config: {}, answer })];
      const about = uuidv5(`${id} ${answer.at}`, NAMESPACE);
      if (open !== null && (tone !== 'bad' || open !== about))
        await this.resolve(
          open,
          tone === 'bad' ? `now: ${siteVerdicts[answer.is].label}` : 'it answers again',
          workspace,
        );
      if (tone !== 'bad' || open === about) continue;
      const subject = { kind: 'domain', id, name };
      const says = `${name}: ${label}. ${answer.says}`;
      const raised = { subject, about: 'siteDown', says } as const;
      await this.raise(about, raised, workspace);
    }
    const orphans = await this.deps.db.query<{ id: string; workspace: string }>(ORPHANED);
    for (const { id, workspace } of orphans.rows)
      await this.resolve(id, 'the site was removed or moved', workspace);
  }
}
