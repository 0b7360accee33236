/**
 * What keeps a draft from being published, and what is told about it. Pure: the editor shows it while one draws. The back
 * end adds what only it can know: conditions that do not compile, and references to what does not exist.
 */
import {
  isAction,
  MAX_WORKFLOW_NODES,
  MAX_WORKFLOW_TRANSITIONS,
  problemsOfDoes,
  type TransitionEnd,
  type WorkflowDoes,
  type WorkflowGraph,
} from './workflow-graph';

/** `problem`: keeps it from being published. `notice`: is only told. */
export interface WorkflowFinding {
  severity: 'problem' | 'notice';
  /** Id of the node or transition; neither: of the whole graph. */
  node?: string;
  transition?: string;
  field: string;
  says: string;
}

export interface DraftNode {
  id: string;
  name: string;
  does: WorkflowDoes;
  isStart: boolean;
  keepAs: string;
  place: { x: number; y: number } | null;
}

export interface DraftTransition {
  id: string;
  name: string;
  from: { id: string } | null;
  to: { id: string } | null;
  on: TransitionEnd;
  when: string;
  order: number;
}

export interface WorkflowDraft {
  nodes: readonly DraftNode[];
  transitions: readonly DraftTransition[];
}

const byOrder = (a: DraftTransition, b: DraftTransition): number =>
  a.order - b.order || (a.id < b.id ? -1 : 1);

/** The graph of a draft. Transitions that lead nowhere are left out. */
export const graphOf = ({ nodes, transitions }: WorkflowDraft): WorkflowGraph => ({
  start: nodes.find(({ isStart }) => isStart)?.id ?? '',
  nodes: nodes
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, name, does, keepAs, place }) => ({ id, name, does, keepAs, place })),
  transitions: transitions
    .toSorted(byOrder)
    .flatMap(({ id, name, from, to, on, when, order }) =>
      from && to ? [{ id, name, from: from.id, to: to.id, on, when, order }] : [],
    ),
});

const reachedIn = ({ start, transitions }: WorkflowGraph): Set<string> => {
  const reached = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...transitions.filter(({ from }) => from === id).map(({ to }) => to));
  }
  return reached;
};

/** Nodes that are on a circle in which nothing is done and nothing is waited for. */
const idleCircles = ({ nodes, transitions }: WorkflowGraph): string[] => {
  const idle = new Set(nodes.filter(({ does }) => does.is === 'none').map(({ id }) => id));
  const leads = (from: string): string[] =>
    transitions.filter((one) => one.from === from && idle.has(one.to)).map(({ to }) => to);
  return [...idle].filter((id) => {
    const seen = new Set<string>();
    const open = leads(id);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === id) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...leads(at));
    }
    return false;
  });
};

const problem = (
  field: string,
  says: string,
  about: Pick<WorkflowFinding, 'node' | 'transition'> = {},
): WorkflowFinding => ({ severity: 'problem', ...about, field, says });
const notice = (field: string, says: string, about: Pick<WorkflowFinding, 'node' | 'transition'>) => ({
  ...problem(field, says, about),
  severity: 'notice' as const,
});

const findingsOfWhole = ({ nodes, transitions }: WorkflowDraft): WorkflowFinding[] => {
  const starts = nodes.filter(({ isStart }) => isStart);
  return [
    ...(nodes.length === 0 ? [problem('nodes', 'there is no node yet')] : []),
    ...(nodes.length > 0 && starts.length === 0
      ? [problem('isStart', 'no node is marked as the one where instances start')]
      : []),
    ...(starts.length > 1
      ? starts.map(({ id, name }) =>
          problem('isStart', `${name} is one of ${starts.length} nodes where instances start: choose one`, {
            node: id,
          }),
        )
      : []),
    ...(nodes.length > MAX_WORKFLOW_NODES
      ? [problem('nodes', `at most ${MAX_WORKFLOW_NODES} nodes are accepted`)]
      : []),
    ...(transitions.length > MAX_WORKFLOW_TRANSITIONS
      ? [problem('transitions', `at most ${MAX_WORKFLOW_TRANSITIONS} transitions are accepted`)]
      : []),
  ];
};

const findingsOfNode = (graph: WorkflowGraph, { id, name, does }: DraftNode): WorkflowFinding[] => {
  const about = { node: id };
  const leaving = (on: TransitionEnd) => graph.transitions.filter((one) => one.from === id && one.on === on);
  const found = problemsOfDoes(does).map(({ field, says }) =>
    problem(`does.${field}`, `${name}: ${says}`, about),
  );
  const isTimed = does.is === 'person' && does.dueSeconds !== undefined;
  if (isTimed && leaving('late').length === 0)
    found.push(
      problem('transitions', `${name} has a time limit, and no transition for an answer that is late`, about),
    );
  if (does.is !== 'person' && leaving('late').length > 0)
    found.push(problem('transitions', `${name} asks nobody, so it is never late`, about));
  if (!isAction(does) && leaving('failed').length > 0)
    found.push(problem('transitions', `${name} runs nothing that could fail`, about));
  const done = leaving('done');
  if (done.length > 0 && done.every(({ when }) => when.trim() !== ''))
    found.push(
      notice('transitions', `if no condition after ${name} is true, the instance is completed there`, about),
    );
  const always = done.findIndex(({ when }) => when.trim() === '');
  return [
    ...found,
    ...(always < 0 ? [] : done.slice(always + 1)).map((one) =>
      problem('order', `${one.name} is never taken: ${done[always]?.name} always applies before it`, {
        transition: one.id,
      }),
    ),
  ];
};

/** In the order: of the whole, of nodes, of transitions. */
export const findingsOf = (draft: WorkflowDraft): WorkflowFinding[] => {
  const graph = graphOf(draft);
  const { nodes } = draft;
  const transitions = draft.transitions.toSorted(byOrder);
  const known = new Set(nodes.map(({ id }) => id));
  const reached = reachedIn(graph);
  const circles = new Set(idleCircles(graph));
  const hasStart = known.has(graph.start);
  return [
    ...findingsOfWhole(draft),
    ...nodes.flatMap((node) => findingsOfNode(graph, node)),
    ...nodes
      .filter(({ id }) => hasStart && !reached.has(id))
      .map(({ id, name }) => problem('transitions', `no way from the start leads to ${name}`, { node: id })),
    ...nodes
      .filter(({ id }) => circles.has(id))
      .map(({ id, name }) =>
        notice(
          'transitions',
          `${name} leads back to itself through nodes that do nothing: an instance that goes round without a change is stopped`,
          { node: id },
        ),
      ),
    ...transitions.flatMap(({ id, name, from, to }) =>
      (['from', 'to'] as const).flatMap((field) => {
        const end = field === 'from' ? from : to;
        return end && known.has(end.id)
          ? []
          : [problem(field, `${name} needs a node at this end`, { transition: id })];
      }),
    ),
  ];
};
