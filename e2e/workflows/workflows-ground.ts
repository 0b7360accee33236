/** Short forms of the calls of workflows. */
import type { WorkflowInstanceDetail } from '@quarterdeck/contract';
import type { WorkflowDoes } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { until } from '../../testing/patience';

export type Ask = <T>(path: string, body: object) => Promise<T>;

export interface NodeOf {
  does?: WorkflowDoes;
  keepAs?: string;
}
/** `from -> to`, `from -> to on late`, `from -> to if data.total > 100`. */
export type Way = string;

export interface Drawn {
  id: string;
  nodes: Record<string, string>;
  transitions: Record<Way, string>;
}

interface Ids {
  id: string;
}

const partsOf = (way: Way) => {
  const [, from = '', to = '', on = 'done', when = ''] =
    /^(.+?) -> (.+?)(?: on (\w+))?(?: if (.+))?$/.exec(way) ?? [];
  return { from, to, on, when };
};

/** A workflow whose first node is where instances start. */
export const drawn = async (
  ask: Ask,
  nodes: Record<string, NodeOf>,
  ways: readonly Way[] = [],
): Promise<Drawn> => {
  const { id } = await ask<Ids>('workflow/insert', {
    data: { name: `W ${uuidv7()}`, description: '', product: null },
  });
  const made: Drawn = { id, nodes: {}, transitions: {} };
  for (const [at, [name, { does = { is: 'none' }, keepAs = '' }]] of Object.entries(nodes).entries()) {
    const data = { name, does, isStart: at === 0, keepAs, place: null };
    made.nodes[name] = (await ask<Ids>('workflow/node/insert', { data, workflow: { id } })).id;
  }
  for (const [order, way] of ways.entries()) {
    const { from, to, on, when } = partsOf(way);
    const ends = { from: { id: made.nodes[from] }, to: { id: made.nodes[to] } };
    const data = { name: `${from} to ${to}`, ...ends, on, when, order: order + 1 };
    made.transitions[way] = (await ask<Ids>('workflow/transition/insert', { data, workflow: { id } })).id;
  }
  return made;
};

export const published = async (
  ask: Ask,
  ...drawing: [Record<string, NodeOf>, (readonly Way[])?]
): Promise<Drawn> => {
  const made = await drawn(ask, ...drawing);
  await ask('workflow/publish', { id: made.id });
  return made;
};

export const started = async (ask: Ask, workflow: Ids, data: unknown = {}): Promise<string> =>
  (await ask<Ids>('workflow/instance/insert', { workflow: { id: workflow.id }, data })).id;

export const detail = (ask: Ask, id: string): Promise<WorkflowInstanceDetail> =>
  ask('workflow/instance/detail', { id });

/** Waits until it is so. */
export const instanceThat = async (
  ask: Ask,
  id: string,
  is: WorkflowInstanceDetail['is'],
  visit?: number,
): Promise<WorkflowInstanceDetail> => {
  let found = await detail(ask, id);
  await until(async () => {
    found = await detail(ask, id);
    return found.is === is && (visit === undefined || found.visit === visit);
  });
  return found;
};

/** The names of the nodes in the order in which they were entered. */
export const wayOf = ({ states }: WorkflowInstanceDetail): string[] => states.map(({ node }) => node.name);

/** Publishes a workflow with one node, which asks. */
export const publishAsking = async (ask: Ask, workflow: string, node: string): Promise<void> => {
  const does: WorkflowDoes = { is: 'person', role: 'member', choices: ['Approve'] };
  const data = { name: 'Ask', does, isStart: true, keepAs: '', place: null };
  await ask('workflow/node/update', { id: node, data });
  await ask('workflow/publish', { id: workflow });
};

/** An instance of a published workflow that has come to a question. */
export const askingInstance = async (
  ask: Ask,
  workflow: Ids,
  data?: unknown,
): Promise<WorkflowInstanceDetail> => instanceThat(ask, await started(ask, workflow, data), 'asking');
