/** Versions and instances of workflows. The calls of workflows, nodes and transitions are the kit's. */
import { workflow, type WorkflowGraph } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import {
  byId,
  nothing,
  workflowAnswer,
  workflowCondition,
  workflowDifference,
  workflowFork,
  workflowInstancePage,
  workflowRetry,
  workflowRevise,
  workflowSkip,
  workflowsListed,
  workflowStart,
  workflowStateInsert,
  workflowVersionOf,
} from '@quarterdeck/events/inputs';
import { workflowInstanceView, workflowState, workflowVersionRow } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';
import { gathered } from './specified';
import { workflowCount, workflowsWaiting } from './workflow-answers';

const graph = catalogue.WorkflowPublished.schema.shape.graph as unknown as z.ZodType<WorkflowGraph>;

const finding = z
  .strictObject({
    /** `problem`: keeps it from being published. `notice`: is only told. */
    severity: z.enum(['problem', 'notice']),
    node: z.string().optional(),
    transition: z.string().optional(),
    field: z.string(),
    says: z.string(),
  })
  .meta({ id: 'WorkflowFinding' });

const change = z
  .strictObject({
    is: z.enum(['added', 'removed', 'changed']),
    what: z.enum(['node', 'transition', 'start']),
    id: z.string(),
    name: z.string(),
    fields: z.array(
      z.strictObject({ field: z.string(), before: z.json().optional(), after: z.json().optional() }),
    ),
  })
  .meta({ id: 'WorkflowChange' });
export interface WorkflowChange extends z.infer<typeof change> {}

const instanceDetail = workflowInstanceView
  .extend({
    graph,
    data: z.json(),
    /** Its visits, the first one first. */
    states: z.array(workflowState),
    /** A larger instance's states have no data and no results here. */
    whole: z.boolean(),
  })
  .meta({ id: 'WorkflowInstanceDetail' });
export interface WorkflowInstanceDetail extends z.infer<typeof instanceDetail> {}

/** `next`: send it as `before` for the page that follows. Absent: this is the last one. */
const instancePage = z
  .strictObject({ instances: z.array(workflowInstanceView), next: z.string().optional() })
  .meta({ id: 'WorkflowInstancePage' });
export interface WorkflowInstancePage extends z.infer<typeof instancePage> {}

const draft = ['workflows', 'workflowNodes', 'workflowTransitions'] as const;
const instances = 'workflowInstances';

export const workflows = calls(workflow.path, 'admin', {
  check: {
    summary: 'What keeps a workflow from being published, and what is told about its draft',
    input: byId,
    example: { id: demo.workflow },
    answer: z.strictObject({ findings: z.array(finding) }),
    shows: draft,
    wide: true,
    costs: 'work',
  },
  judge: {
    summary: 'Why a condition of a transition does not compile, with the place; nothing if it does',
    input: workflowCondition,
    example: { when: 'data.total > 100 && choice == "Approve"' },
    answer: z.strictObject({ problem: z.string().optional() }).meta({ id: 'WorkflowConditionJudged' }),
    shows: [],
    costs: 'work',
  },
  publish: {
    summary: 'Publishes the draft of a workflow; instances that start from then on have this version',
    input: byId,
    example: { id: demo.workflow },
    answer: ids.extend({ version: z.int() }).meta({ id: 'PublishedWorkflow' }),
    stales: 'workflowVersions',
    wide: true,
    costs: 'work',
  },
  counts: {
    summary: 'The newest version of each of these workflows, and how many of its instances are under way',
    input: workflowsListed,
    example: { workflows: [demo.workflow] },
    answer: z.strictObject({ workflows: z.array(workflowCount) }),
    shows: ['workflowVersions', instances],
    asOf: true,
  },
  waiting: {
    summary: 'Instances of all workflows that wait for an answer of somebody with the caller’s role',
    access: 'member',
    input: nothing,
    answer: workflowsWaiting,
    shows: instances,
    volatile: true,
  },
});

export const workflowVersions = calls('workflow/version', 'admin', {
  list: {
    summary: 'The published versions of a workflow, newest first',
    input: byId,
    example: { id: demo.workflow },
    answer: z.array(workflowVersionRow),
    shows: 'workflowVersions',
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'A published version of a workflow, with its graph',
    input: workflowVersionOf,
    example: { id: demo.workflow, version: 1 },
    answer: workflowVersionRow.extend({ graph }).meta({ id: 'WorkflowVersionDetail' }),
    shows: 'workflowVersions',
    wide: true,
    asOf: true,
  },
  compare: {
    summary: 'The differences between two versions of a workflow, or a version and the draft',
    input: workflowDifference,
    example: { id: demo.workflow, from: 0, to: 1 },
    answer: z.strictObject({ changes: z.array(change) }),
    shows: ['workflowVersions', ...draft],
    wide: true,
    asOf: true,
  },
  restore: {
    summary: 'Makes the draft of a workflow the same as a published version',
    input: workflowVersionOf,
    example: { id: demo.workflow, version: 1 },
    answer: ids,
    stales: draft,
    wide: true,
    costs: 'work',
  },
});

export const workflowInstances = calls('workflow/instance', 'admin', {
  list: {
    summary: 'The newest 500 instances of a workflow; `page` has all of them',
    input: byId,
    example: { id: demo.workflow },
    answer: z.array(workflowInstanceView),
    shows: instances,
    wide: true,
    asOf: true,
  },
  page: {
    summary: 'Instances of a workflow, newest first, by pages',
    input: workflowInstancePage,
    example: { id: demo.workflow, is: 'stopped', limit: 5 },
    answer: instancePage,
    shows: instances,
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'An instance with its graph, its data and all its states',
    input: byId,
    example: { id: demo.workflowInstance },
    answer: instanceDetail,
    shows: instances,
    asOf: true,
  },
  insert: {
    summary: 'Starts an instance of a published workflow',
    input: workflowStart,
    example: { workflow: { id: demo.workflow }, version: 1, data: { total: 120 } },
    // The specification calls what an instance has its data, too.
    specified: (body) => {
      const { data, ...others } = gathered('workflow')(body) as { data?: object };
      return data && Object.keys(others).length === 0 ? data : body;
    },
    answer: ids,
    stales: instances,
    wide: true,
  },
  update: {
    summary: 'Revises the data of an instance; one that is stopped is gone on with by `retry`',
    input: workflowRevise,
    example: { id: demo.workflowInstance, data: { total: 80 }, revision: 3 },
    answer: ids,
    stales: instances,
  },
  delete: {
    summary: 'Removes an instance that has ended',
    input: byId,
    example: { id: demo.workflowInstance },
    answer: ids,
    stales: instances,
  },
  answer: {
    summary: 'Answers the question at which an instance waits',
    access: 'member',
    input: workflowAnswer,
    example: {
      id: demo.workflowInstance,
      visit: 1,
      choice: 'Approve',
      note: 'as agreed',
      end: 'done',
      result: { status: 200 },
    },
    answer: ids,
    stales: instances,
  },
  retry: {
    summary: 'Goes on with an instance that is stopped, with its data as they are now',
    input: workflowRetry,
    example: { id: demo.workflowInstance, visit: 1 },
    answer: ids,
    stales: instances,
  },
  skip: {
    summary: 'Leaves the node of an instance without its result, by a transition of that node',
    input: workflowSkip,
    example: { id: demo.workflowInstance, visit: 1, transition: demo.workflowTransition },
    answer: ids,
    stales: instances,
  },
  cancel: {
    summary: 'Ends an instance, and cancels the run that it waits for',
    input: byId,
    example: { id: demo.workflowInstance },
    answer: ids,
    stales: instances,
  },
  fork: {
    summary:
      'Starts a new instance from a state of another one; dry: nothing is done outside, and results are those of the other one, or asked',
    input: workflowFork,
    example: { id: demo.workflowInstance, visit: 1, data: { total: 80 }, dry: true },
    answer: ids,
    stales: instances,
    wide: true,
  },
});

/** The states of an instance are its visits, as they were recorded. */
export const workflowStates = calls('workflow/state', 'admin', {
  list: {
    summary: 'The states of an instance, the first one first',
    input: byId,
    example: { id: demo.workflowInstance },
    answer: z.array(workflowState),
    shows: instances,
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'One state of an instance, with its data and its result',
    input: byId,
    example: { id: demo.workflowState },
    answer: workflowState,
    shows: instances,
    wide: true,
    asOf: true,
  },
  insert: {
    summary: 'Is always refused: an instance enters its states itself',
    input: workflowStateInsert,
    example: { data: {} },
    answer: ids,
    stales: [],
  },
  update: {
    summary: 'Revises the data of an instance in its present state; earlier states never change',
    input: workflowRevise,
    example: { id: demo.workflowState, data: { total: 80 } },
    answer: ids,
    stales: instances,
    wide: true,
  },
  delete: {
    summary: 'Is always refused: what an instance did is never changed',
    input: byId,
    example: { id: demo.workflowState },
    answer: ids,
    stales: [],
  },
});
