/**
 * Workflows: the draft consists of nodes and transitions, which are nouns of the kit. A version has the whole graph, and so
 * has each instance: what runs is never changed by an edit.
 */
import { defineNoun } from './define-noun';
import { choice, flag, integer, json, optionalText, paragraphs, reference, text } from './kit/field';
import { noun } from './kit/noun';
import {
  doesKinds,
  problemsOfDoes,
  transitionEnds,
  type NodeEnd,
  type TransitionEnd,
  type WorkflowDoes,
} from './workflow-graph';
import type { workflowInstanceEvents, workflowVersionEvents } from './workflows.events';

export const workflow = noun('workflow', {
  path: 'workflow',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    description: paragraphs(2000),
    product: reference('product', { optional: true, loose: true }),
  },
});

const refusedDoes = (does: WorkflowDoes): string | undefined => {
  const [first] = problemsOfDoes(does);
  return first && `${first.field}: ${first.says}`;
};

const MAX_DOES_BYTES = 32 * 1024;
const KEY = /^[A-Za-z_]\w*$/;

export const workflowNode = noun('workflowNode', {
  path: 'workflow/node',
  within: 'workflow',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    does: json<WorkflowDoes>(
      {
        type: 'object',
        properties: { is: { type: 'string', enum: doesKinds } },
        required: ['is'],
        examples: [{ is: 'none' }],
      },
      { max: MAX_DOES_BYTES, initial: { is: 'none' }, refuses: refusedDoes },
    ),
    isStart: flag({ label: 'Instances start here' }),
    keepAs: optionalText(100, {
      label: 'Keep the result as',
      help: 'Conditions and later nodes read the result as data.name. If empty, only the conditions of this node can read it.',
      placeholder: 'answer',
      refuses: (key) =>
        KEY.test(key) ? undefined : 'a name begins with a letter and has letters, digits and _ only',
    }),
    place: json<{ x: number; y: number }>(
      {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'number' } },
        required: ['x', 'y'],
        additionalProperties: false,
      },
      { optional: true },
    ),
  },
});

export const workflowTransition = noun('workflowTransition', {
  path: 'workflow/transition',
  within: 'workflow',
  // Not unique: one is known by the nodes that it connects.
  named: 'name',
  fields: {
    name: text(200),
    from: reference('workflowNode'),
    to: reference('workflowNode'),
    on: choice<TransitionEnd>(transitionEnds, {
      label: 'When the node is',
      help: 'late: nobody has answered in time.',
      omitted: 'done',
    }),
    when: optionalText(2000, {
      label: 'Condition',
      help: 'CEL over data, result, choice and end, such as data.total > 100 && choice == "Approve". If empty, it always applies.',
    }),
    order: integer(9999, {
      help: 'Of the transitions that apply, the one with the lowest number is taken.',
      initial: 1,
      half: true,
    }),
  },
});

const many = ({ length }: readonly unknown[], what: string): string =>
  `${length} ${what}${length === 1 ? '' : 's'}`;

export const workflowVersion = defineNoun<typeof workflowVersionEvents>()({
  category: 'workflowVersion',
  words: { many: 'Workflow versions', one: 'One workflow version' },
  rows: 'workflowVersions',
  within: 'workflow',
  audience: 'admin',
  named: { WorkflowPublished: (d) => `${d.workflow.name} ${d.version}` },
  events: {
    WorkflowPublished: ({ version, graph: { nodes, transitions } }) =>
      `published version ${version} with ${many(nodes, 'node')} and ${many(transitions, 'transition')}`,
  },
});

const reasonOf = ({ is, reason }: { is: string; reason?: string | undefined }): string =>
  reason === undefined ? is : `${is}: ${reason}`;

const leftAs: Record<NodeEnd, (step: number) => string> = {
  done: (step) => `completed step ${step}`,
  failed: (step) => `failed at step ${step}`,
  late: (step) => `got no answer in time at step ${step}`,
  skipped: (step) => `skipped step ${step}`,
};

export const workflowInstance = defineNoun<typeof workflowInstanceEvents>()({
  category: 'workflowInstance',
  words: { many: 'Workflow instances', one: 'One workflow instance' },
  rows: 'workflowInstances',
  within: 'workflow',
  audience: 'admin',
  named: { WorkflowInstanceStarted: (d) => `instance of ${d.workflow.name}` },
  events: {
    WorkflowInstanceStarted: (d) =>
      d.forkedFrom
        ? `forked ${d.dry ? 'dry ' : ''}from step ${d.forkedFrom.visit} of another instance`
        : `started with version ${d.version}`,
    WorkflowNodeEntered: (d) => `reached ${d.name} as step ${d.visit}`,
    WorkflowNodeLeft: (d) =>
      d.choice === undefined ? leftAs[d.end](d.visit) : `answered step ${d.visit}: ${d.choice}`,
    WorkflowInstanceStopped: (d) => `stopped: ${d.reason}`,
    WorkflowInstanceResumed: (d) => (d.again ? 'tried the node again' : 'went on'),
    WorkflowDataRevised: () => 'revised the data',
    WorkflowInstanceEnded: (d) => reasonOf(d),
    WorkflowActionCancelled: (d) => `cancelled the action of step ${d.visit}`,
    WorkflowInstanceRemoved: () => 'removed',
  },
  removedBy: 'WorkflowInstanceRemoved',
});
