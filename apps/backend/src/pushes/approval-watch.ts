/** Raises an alert while a pushed version waits for a person, and when its deploy could not be started. */
import type { AlertView, StoredPush } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Watch } from '../alerts';
import { inView } from '../platform/in-view';
import { envInWords } from './push-plan';

const NAMESPACE = '0b6a9f0e-1c55-4b0e-8d7e-54f1c3a7e9d2';
const MAX_SAYS = 500;

const pushed = inView<StoredPush>('p.view');
const alert = inView<AlertView>('view');

const WAITING = `select view from read.pushes where state = 'waiting' order by position limit 1000`;

/** The newest one of its service and environment could not be started. */
const FAILED = `
  select p.view from (
    select distinct on (workspace, "serviceId", ${pushed.json('env')}) *
    from read.pushes p where state in ('deployed', 'failed')
    order by workspace, "serviceId", ${pushed.json('env')}, (${pushed.text('position')})::bigint desc) p
  join read.services s on s.workspace = p.workspace and s.id = p."serviceId"
  where p.state = 'failed' limit 1000`;

const OPEN = `
  select id, workspace, ${alert.text('about')} as about from read.alerts
  where state = 'open' and (${alert.text('about')} = 'deployApproval'
    or ${alert.text('about')} = 'workflowTrigger' and ${alert.text('subject', 'kind')} = 'service')`;

const ENDS: Record<string, string> = {
  deployApproval: 'somebody has decided, or it is not deployed any more',
  workflowTrigger: 'a later version is deployed, or the service is gone',
};

const idOf = (id: string, about: string): string => uuidv5(`${about} ${id}`, NAMESPACE);

const waitingSays = ({ service, version, env, by, approval }: StoredPush): string =>
  `${service.name} ${version} waits to be deployed to ${envInWords(env.id)}: it needs the approval of somebody with the role ${approval ?? 'admin'}. ${by} pushed it.`;

const failedSays = ({ service, version, env, reason }: StoredPush): string =>
  `${service.name} ${version} was not deployed to ${envInWords(env.id)}: ${reason ?? 'it could not be started'}`;

export class ApprovalWatch extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 5 * 60_000;
  protected override readonly after = [
    'PushMatched',
    'PushApproved',
    'PushRefused',
    'PushReplaced',
    'PushWithdrawn',
    'PushDeployed',
    'PushFailed',
    'ServiceRemoved',
  ];

  protected async settle(): Promise<void> {
    const { db } = this.deps;
    const waiting = await db.query<{ view: StoredPush }>(WAITING);
    const failed = await db.query<{ view: StoredPush }>(FAILED);
    const wanted = [
      ...waiting.rows.map(({ view }) => ({
        view,
        about: 'deployApproval' as const,
        says: waitingSays(view),
      })),
      ...failed.rows.map(({ view }) => ({ view, about: 'workflowTrigger' as const, says: failedSays(view) })),
    ].map(({ view, about, says }) => ({
      id: idOf(view.id, about),
      view,
      about,
      says: says.slice(0, MAX_SAYS),
    }));
    const ids = new Set(wanted.map(({ id }) => id));
    const open = await db.query<{ id: string; workspace: string; about: string }>(OPEN);
    for (const { id, workspace, about } of open.rows)
      if (!ids.has(id)) await this.resolve(id, ENDS[about] ?? '', workspace);
    const known = await db.query<{ id: string }>('select id from read.alerts where id = any($1::text[])', [
      [...ids],
    ]);
    const raised = new Set(known.rows.map(({ id }) => id));
    for (const { id, view, about, says } of wanted) {
      if (raised.has(id)) continue;
      const subject = { kind: 'service', ...view.service };
      await this.raise(id, { subject, about, says }, view.workspace, view.correlationId);
    }
  }
}
