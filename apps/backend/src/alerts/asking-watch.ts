/**
 * Raises an alert when an instance of a workflow waits for a person, and ends it when it goes on. Each wait has its own
 * alert: a dismissed one stays dismissed, and the next wait is told again.
 */
import { roles, streamName, type Role } from '@quarterdeck/events';
import type { AlertView, StoredWorkflowInstance } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { inView } from '../platform/in-view';
import type { EventStore } from '../platform/tokens';
import { Watch, type WatchDeps } from './watch';

const NAMESPACE = '7a0c7b2e-4e0f-4b77-9d3c-8f3b6a1d52c4';
/** For each role of a workspace. The page of what waits shows the others. */
const MAX_OPEN = 100;

const instance = inView<StoredWorkflowInstance>('i.view');
const alert = inView<AlertView>('view');

const oldestFor = (role: Role): string => `
  (select i.workspace, i.id, ${instance.text('workflow', 'name')} as name, ${instance.text('visit')} as visit,
     i.role, ${instance.text('asks', 'question')} as question, ${instance.text('node', 'name')} as node
   from read.workflow_instances i
   where i.workspace = w.id collate "default" and i.role = '${role}' and ${instance.text('dry')} <> 'true'
   order by i.position limit ${MAX_OPEN})`;

/**
 * The oldest ones of each workspace, in the order of an index, because every step of an instance leads to a look. In a
 * dry instance nobody but the one who started it is asked; Postgres takes `<>` for true of most rows, as it is.
 */
export const ASKING = `
  select asking.* from read.workspaces w, lateral (${roles.map(oldestFor).join(' union all ')}) asking`;

interface Asking {
  workspace: string;
  id: string;
  name: string;
  visit: string;
  role: string;
  question: string | null;
  node: string | null;
}

const alertId = ({ id, visit }: Asking): string => uuidv5(`${id} ${visit}`, NAMESPACE);

const saysOf = ({ name, role, question, node }: Asking): string =>
  `${name} waits for the answer of a person with the role ${role}: ${question ?? node ?? ''}`;

export class AskingWatch extends Watch {
  protected readonly everyMs = 60_000;
  protected override readonly after = [
    'WorkflowNodeEntered',
    'WorkflowNodeLeft',
    'WorkflowInstanceStopped',
    'WorkflowInstanceResumed',
    'WorkflowInstanceEnded',
    'WorkflowInstanceRemoved',
  ];

  constructor(
    deps: WatchDeps,
    private readonly store: EventStore,
  ) {
    super(deps);
  }

  protected async settle(): Promise<void> {
    const { rows } = await this.deps.db.query<Asking>(ASKING);
    const open = await this.deps.db.query<{ id: string; workspace: string; instance: string }>(
      `select id, workspace, ${alert.text('subject', 'id')} as instance from read.alerts
       where state = 'open' and ${alert.text('about')} = 'workflowAsks'`,
    );
    const asking = new Map(rows.map((one) => [alertId(one), one]));
    for (const { id, workspace, instance: of } of open.rows)
      if (!asking.has(id))
        await this.resolve(id, 'the instance went on, or ended', workspace, await this.chainOf(of));
    const known = await this.deps.db.query<{ id: string }>(
      'select id from read.alerts where id = any($1::text[])',
      [[...asking.keys()]],
    );
    const raised = new Set(known.rows.map(({ id }) => id));
    for (const [id, one] of asking) {
      if (raised.has(id)) continue;
      const subject = { kind: 'workflowInstance', id: one.id, name: one.name };
      const says = saysOf(one);
      await this.raise(
        id,
        { subject, about: 'workflowAsks', says },
        one.workspace,
        await this.chainOf(one.id),
      );
    }
  }

  /** Alerts may start workflows, and how often these lead to each other is counted by the correlation. */
  private async chainOf(id: string): Promise<string | undefined> {
    const [first] = await this.store.readStream(streamName('workflowInstance', id), { limit: 1 });
    return first?.meta.correlationId;
  }
}
