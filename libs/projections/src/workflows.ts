/** Versions and instances of workflows. What each state of an instance was is folded from its stream when it is asked. */
import { workflowInstanceStates, type WorkflowGraph } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

const started = catalogue.WorkflowInstanceStarted.schema.shape;
const entered = catalogue.WorkflowNodeEntered.schema.shape;
const place = { revision: z.int(), position: z.string() };
const named = z.strictObject({ id: z.string(), name: z.string() });

export const workflowVersionRow = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    workflow: named,
    version: z.int(),
    logDateAdded: z.string(),
    by: z.string(),
    nodes: z.int(),
    transitions: z.int(),
    ...place,
  })
  .meta({ id: 'WorkflowVersion' });
export interface WorkflowVersionRow extends z.infer<typeof workflowVersionRow> {}

export interface StoredWorkflowVersion extends WorkflowVersionRow {
  workflowId: string;
  graph: WorkflowGraph;
}

export const workflowVersions = defineProjection<StoredWorkflowVersion>({
  name: 'workflow_versions',
  version: 1,
  columns: { workflowId: 'text', version: 'integer' },
  indexes: ['(workspace, "workflowId", version)'],
  ...rowPerStream('workflowVersion'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    if (type !== 'WorkflowPublished') return view;
    const { workflow, version, graph } = data;
    return {
      id,
      uuid: id,
      workspace: meta.workspace,
      workflow,
      workflowId: workflow.id,
      version,
      logDateAdded: meta.at,
      by: meta.actor,
      nodes: graph.nodes.length,
      transitions: graph.transitions.length,
      graph,
      revision,
      position,
    };
  },
});

export const workflowInstanceIs = z.enum(workflowInstanceStates);
export type WorkflowInstanceIs = z.infer<typeof workflowInstanceIs>;

export const workflowInstanceView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    workflow: named,
    version: z.int(),
    logDateAdded: z.string(),
    by: z.string(),
    cause: started.cause,
    dry: z.boolean(),
    forkedFrom: started.forkedFrom,
    is: workflowInstanceIs,
    /** The node where it is, or was last. */
    node: named.optional(),
    /** Number of that visit; 0 before the first. */
    visit: z.int(),
    /** When the node was entered. */
    since: z.string(),
    due: z.string().optional(),
    asks: entered.asks,
    /** Id of the run that the action is, or of the instance that it started. */
    action: z.string().optional(),
    /** Why it stopped, or ended. */
    reason: z.string().optional(),
    endedAt: z.string().optional(),
    ...place,
  })
  .meta({ id: 'WorkflowInstance' });
export interface WorkflowInstanceView extends z.infer<typeof workflowInstanceView> {}

export interface StoredWorkflowInstance extends WorkflowInstanceView {
  workflowId: string;
  /** Lists begin with the newest. */
  startedPosition: string;
  /** When it goes on by itself. Absent: it waits for something else. */
  wakeAt?: string | undefined;
  /** The action under way. */
  acting?: string | undefined;
  /** Visit whose action was not left. It may be stopped. */
  doing?: number | undefined;
  /** Visits whose actions are to be cancelled. */
  abandoned?: number[] | undefined;
  /** The role that is asked. */
  role?: string | undefined;
  removedAt?: string | undefined;
}

/** What holds only for the present node. */
const nowhere = {
  due: undefined,
  asks: undefined,
  acting: undefined,
  role: undefined,
  wakeAt: undefined,
  reason: undefined,
} as const;

const abandoning = (view: StoredWorkflowInstance): StoredWorkflowInstance =>
  view.doing === undefined
    ? view
    : { ...view, doing: undefined, abandoned: [...(view.abandoned ?? []), view.doing] };

export const workflowInstances = defineProjection<StoredWorkflowInstance>({
  name: 'workflow_instances',
  version: 3,
  columns: {
    workflowId: 'text',
    startedPosition: 'bigint',
    is: 'text',
    wakeAt: 'timestamptz',
    acting: 'text',
    abandoned: 'jsonb',
    role: 'text',
    endedAt: 'timestamptz',
    removedAt: 'timestamptz',
  },
  hiddenBy: 'removedAt',
  // What goes on by itself, and what waits for an action, is looked for every second among all.
  indexes: [
    '(workspace, "workflowId", "startedPosition")',
    '(workspace, "workflowId", "is", "startedPosition")',
    '("wakeAt") where "wakeAt" is not null',
    '(acting) where acting is not null',
    '(id) where abandoned is not null',
    '(workspace, role, position) where role is not null',
  ],
  ...rowPerStream('workflowInstance'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    const at = { revision, position };
    if (type === 'WorkflowInstanceStarted') {
      const { workflow, version, cause, dry = false, forkedFrom } = data;
      return {
        id,
        uuid: id,
        workspace: meta.workspace,
        workflow,
        workflowId: workflow.id,
        startedPosition: position,
        version,
        logDateAdded: meta.at,
        by: meta.actor,
        cause,
        dry,
        ...(forkedFrom && { forkedFrom }),
        is: 'running',
        visit: 0,
        since: meta.at,
        wakeAt: meta.at,
        ...at,
      };
    }
    if (!view) return undefined;
    switch (type) {
      case 'WorkflowNodeEntered': {
        const { visit, node, name, due, asks, action } = data;
        return {
          ...view,
          ...nowhere,
          is: asks ? 'asking' : action ? 'acting' : due === undefined ? 'running' : 'waiting',
          node: { id: node, name },
          visit,
          since: meta.at,
          due,
          wakeAt: asks || action ? due : (due ?? meta.at),
          asks,
          role: asks?.role,
          action,
          acting: action,
          doing: action === undefined ? undefined : visit,
          ...at,
        };
      }
      case 'WorkflowNodeLeft':
        return {
          ...(data.end === 'skipped' ? abandoning(view) : view),
          ...nowhere,
          is: 'running',
          wakeAt: meta.at,
          doing: undefined,
          ...at,
        };
      case 'WorkflowInstanceResumed':
        return { ...view, ...nowhere, is: 'running', wakeAt: meta.at, ...at };
      case 'WorkflowInstanceStopped':
        return { ...view, ...nowhere, is: 'stopped', reason: data.reason, ...at };
      case 'WorkflowInstanceEnded':
        return {
          ...(data.is === 'cancelled' ? abandoning(view) : view),
          ...nowhere,
          is: data.is,
          reason: data.reason,
          endedAt: meta.at,
          ...at,
        };
      case 'WorkflowActionCancelled': {
        const abandoned = (view.abandoned ?? []).filter((visit) => visit !== data.visit);
        return { ...view, abandoned: abandoned.length > 0 ? abandoned : undefined, ...at };
      }
      case 'WorkflowInstanceRemoved':
        return { ...view, removedAt: meta.at, ...at };
      default:
        return { ...view, ...at };
    }
  },
});

/** Which instance a state belongs to. */
export interface WorkflowStateRow {
  id: string;
  workspace: string;
  instance: string;
  visit: number;
  position: string;
}

export const workflowStates = defineProjection<WorkflowStateRow>({
  name: 'workflow_states',
  version: 1,
  columns: {},
  indexes: [],
  keys: (event) => (event.type === 'WorkflowNodeEntered' ? [event.data.state] : []),
  evolve: (_, { type, data, meta, stream, position }, id) =>
    type === 'WorkflowNodeEntered'
      ? {
          id,
          workspace: meta.workspace,
          instance: stream.slice(stream.indexOf('-') + 1),
          visit: data.visit,
          position,
        }
      : undefined,
});

/** One visit of a node. */
export const workflowState = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    instance: z.string(),
    visit: z.int(),
    node: z.strictObject({ id: z.string(), uuid: z.string(), name: z.string() }),
    /** The transition by which it was entered. */
    transition: z.string().optional(),
    /** When it was entered. */
    logDateAdded: z.string(),
    /** Log position of that, for questions about the console as it was then. */
    position: z.string(),
    due: z.string().optional(),
    asks: entered.asks,
    action: z.string().optional(),
    /** The data with which it was entered. Absent from a long list: `workflow/state/detail` has them. */
    data: z.json().optional(),
    leftAt: z.string().optional(),
    end: catalogue.WorkflowNodeLeft.schema.shape.end.optional(),
    /** Absent like `data`. */
    result: z.json().optional(),
    choice: z.string().optional(),
    /** Who answered, or skipped. */
    by: z.string().optional(),
    note: z.string().optional(),
    recalled: z.int().optional(),
    /** Each time it stopped here. */
    stops: z.array(z.strictObject({ at: z.string(), reason: z.string() })),
    /** Each time somebody revised the data here. */
    revisions: z.array(z.strictObject({ at: z.string(), by: z.string() })),
  })
  .meta({ id: 'WorkflowState' });
export interface WorkflowState extends z.infer<typeof workflowState> {}
