/** An instance as it was at each of its steps. A step is the visit of a node. Pure. */
import type { WorkflowInstanceDetail } from '@quarterdeck/contract';
import type { WorkflowState } from '@quarterdeck/projections';
import { IconMapPin } from '@tabler/icons-react';
import type { Mark } from '../../ui/graph';
import { isEnded, markOf, markOfEnd, notReached } from './workflow-words';

type Watched = Pick<WorkflowInstanceDetail, 'graph' | 'states' | 'is'>;

export interface Moment {
  /** The state at the step; none before the first. */
  state: WorkflowState | undefined;
  marks: ReadonlyMap<string, Mark>;
  /** Transitions that were taken up to the step. */
  taken: ReadonlySet<string>;
}

const here: Mark = { tone: 'busy', icon: IconMapPin, word: 'here' };

const markOfState = (state: WorkflowState, isHere: boolean, now: Watched | undefined): Mark => {
  if (isHere && now && !isEnded(now) && state.end === undefined) return markOf(now.is);
  if (isHere && !now) return here;
  return state.end === undefined ? (now ? markOf(now.is) : here) : markOfEnd(state.end);
};

/** @param step number of the state, from 1; absent: the present */
export const momentOf = (instance: Watched, step?: number): Moment => {
  const upTo = instance.states.slice(0, step ?? instance.states.length);
  const marks = new Map<string, Mark>(instance.graph.nodes.map(({ id }) => [id, notReached]));
  for (const [at, state] of upTo.entries())
    marks.set(
      state.node.id,
      markOfState(state, at === upTo.length - 1, step === undefined ? instance : undefined),
    );
  return {
    state: upTo.at(-1),
    marks,
    taken: new Set(upTo.flatMap(({ transition }) => (transition === undefined ? [] : [transition]))),
  };
};

export interface Pair {
  one: WorkflowState | undefined;
  other: WorkflowState | undefined;
  isSame: boolean;
  /** Whether both were at the same node and left it alike. */
  isSameWay: boolean;
}

const isSameWay = (one: WorkflowState | undefined, other: WorkflowState | undefined): boolean =>
  one?.node.id === other?.node.id && one?.end === other?.end && one?.choice === other?.choice;

const hasSameData = (one: WorkflowState | undefined, other: WorkflowState | undefined): boolean =>
  JSON.stringify([one?.data, one?.result]) === JSON.stringify([other?.data, other?.result]);

type Compared = Pick<WorkflowInstanceDetail, 'id' | 'forkedFrom' | 'states'>;

/** The steps of two instances beside each other. Those of a fork begin beside the step that it was forked from. */
export const stepByStep = (one: Compared, other: Compared): readonly Pair[] => {
  const skipped = (fork: Compared, source: Compared): number =>
    fork.forkedFrom?.instance === source.id ? fork.forkedFrom.visit - 1 : 0;
  const left = one.states.slice(skipped(other, one));
  const right = other.states.slice(skipped(one, other));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    one: left[at],
    other: right[at],
    isSame: isSameWay(left[at], right[at]) && hasSameData(left[at], right[at]),
    isSameWay: isSameWay(left[at], right[at]),
  }));
};
