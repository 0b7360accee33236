/**
 * Raises an alert when the last deploy of a service to a server failed, or something that a schedule started. However often
 * it fails in a row, it is one alert: it ends when one of them succeeds.
 */
import type { RunView, StoredDeploy, StoredWorkflowInstance } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { moment } from '../platform/hooks';
import { inView } from '../platform/in-view';
import { Watch, type DueAlert, type WatchDeps } from './watch';

const NAMESPACE = '7c0e4f8b-52f5-4f0c-9b0f-6f1f0f1d8a36';

const release = inView<StoredDeploy>('r.view');
const run = inView<RunView>('r.view');
const instance = inView<StoredWorkflowInstance>('i.view');

/** The first failed deploy of each service to each server since the last one that served. */
const DEPLOYS = `
  select distinct on (r.workspace, r."serviceId", r."serverId") 'deployFailed' as about, r.workspace, r.id as first,
    'service' as kind, r."serviceId" as id, ${release.text('service', 'name')} as name,
    ${release.text('service', 'name')} || ' ' || ${release.text('package', 'version')} || ' was not deployed to '
      || ${release.text('server', 'name')} || ': ' || coalesce(${release.text('reason')}, 'the deploy failed') as says
  from read.releases r
  join read.services s on s.workspace = r.workspace and s.id = r."serviceId"
  join read.servers v on v.workspace = r.workspace and v.id = r."serverId"
  where ${release.text('state')} = 'failed' and not exists (select from read.releases later
    where later.workspace = r.workspace and later."serviceId" = r."serviceId" and later."serverId" = r."serverId"
      and later."servedAt" is not null and later.position > r.position)
  order by r.workspace, r."serviceId", r."serverId", r.position`;

/**
 * The first scheduled run of the SSL monitor that failed since the last one that succeeded. Ids compare by bytes, so an
 * index of other columns serves only with their own collation.
 */
export const MONITORS = (() => {
  const runsOf = (r: string): string =>
    `read.runs ${r} where ${r}.workspace = w.id collate "default" and ${r}."subjectId" = w.id collate "default" and ${r}.kind = 'sslMonitor'`;
  return `
    select 'scheduleFailed' as about, w.id as workspace, r.id as first, 'run' as kind, r.id,
      ${run.text('label')} as name,
      ${run.text('label')} || ' failed, as its schedule had started it: ' || coalesce(${run.text('reason')}, r.state) as says
    from read.workspaces w
    cross join lateral (
      select r.id, r.state, r.view from ${runsOf('r')}
        and r."requestedPosition" > coalesce(
          (select last."requestedPosition" from ${runsOf('last')} and last.state = 'succeeded'
           order by last."requestedPosition" desc limit 1), 0)
        and r.state in ('failed', 'interrupted') and ${run.text('requestedBy')} = 'system'
      order by r."requestedPosition" limit 1
    ) r`;
})();

/** The oldest instance of each trigger that has stopped, and waits for a person. */
const INSTANCES = `
  select distinct on (w.workspace, ${instance.text('cause', 'id')}) 'scheduleFailed' as about, w.workspace,
    i.id || ' ' || ${instance.text('visit')} as first, 'workflowInstance' as kind, i.id,
    ${instance.text('workflow', 'name')} as name,
    ${instance.text('workflow', 'name')} || ' stopped, as its schedule ' || coalesce(${instance.text('cause', 'name')}, '')
      || ' had started it: ' || coalesce(${instance.text('reason')}, 'it cannot go on') as says
  from read.workflows w
  join read.workflow_instances i on i.workspace = w.workspace and i."workflowId" = w.id collate "default" and i."is" = 'stopped'
  where ${instance.text('cause', 'is')} = 'schedule'
  order by w.workspace, ${instance.text('cause', 'id')}, i."startedPosition"`;

export interface FailedOutcome {
  about: 'deployFailed' | 'scheduleFailed';
  workspace: string;
  /** What makes the alert this one. */
  first: string;
  kind: string;
  id: string;
  name: string;
  says: string;
}

const MAX_SAYS = 500;
const shortened = (text: string): string => (text.length > MAX_SAYS ? `${text.slice(0, MAX_SAYS)}…` : text);

abstract class OutcomeWatch extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs: number = 5 * 60_000;
  protected abstract readonly about: FailedOutcome['about'];
  protected abstract readonly queries: readonly string[];
  /** Why an alert ends. */
  protected abstract readonly end: string;

  /** What a feature that has its own tables says. */
  protected further(): Promise<FailedOutcome[]> {
    return Promise.resolve([]);
  }

  protected async settle(): Promise<void> {
    const found = await this.further();
    for (const query of this.queries) found.push(...(await this.deps.db.query<FailedOutcome>(query)).rows);
    const wanted = new Map(
      found.map(({ about, workspace, first, kind, id, name, says }): [string, DueAlert] => [
        uuidv5(`${about} ${first}`, NAMESPACE),
        { workspace, raised: { subject: { kind, id, name }, about, says: shortened(says) } },
      ]),
    );
    await this.reconcile(await this.openAlerts([this.about]), wanted, () => this.end, true);
  }
}

export class DeployWatch extends OutcomeWatch {
  protected readonly about = 'deployFailed';
  protected readonly queries = [DEPLOYS];
  protected readonly end = 'a later deploy serves, or the service is gone';
  protected override readonly after = [
    'ReleaseFailed',
    'ReleaseServed',
    'ReleaseRemoved',
    'ServiceRemoved',
    'ServerRemoved',
  ];
}

/** Schedules with something to tell: a time that was missed or left out, and a run that failed. */
export const failedSchedules = moment<() => Promise<FailedOutcome[]>>('schedules that failed');

export class ScheduleWatch extends OutcomeWatch {
  /** What was missed or left out is no event. */
  protected override readonly everyMs = 30_000;
  protected readonly about = 'scheduleFailed';
  protected readonly queries = [MONITORS, INSTANCES];
  protected readonly end = 'a later run succeeded, or the instance went on or ended';

  constructor(
    deps: WatchDeps,
    private readonly schedules: readonly (() => Promise<FailedOutcome[]>)[],
  ) {
    super(deps);
  }

  protected override async further(): Promise<FailedOutcome[]> {
    return (await Promise.all(this.schedules.map((failed) => failed()))).flat();
  }

  protected override readonly after = [
    'RunSucceeded',
    'RunFailed',
    'RunInterrupted',
    'WorkflowInstanceStopped',
    'WorkflowInstanceResumed',
    'WorkflowInstanceEnded',
    'WorkflowInstanceRemoved',
    'WorkflowNodeLeft',
    'ScheduleRevised',
    'ScheduleRemoved',
  ];
}
