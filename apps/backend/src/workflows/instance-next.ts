/**
 * What an instance does next. Pure: the pump carries it out and records it. Conditions are evaluated by the pump, and
 * which transition was taken is recorded, so a fold never evaluates one.
 */
import {
  bytesOf,
  dataWith,
  filledFrom,
  isAction,
  MAX_WORKFLOW_DATA,
  type EventData,
  type Json,
  type NodeEnd,
  type WorkflowDoes,
  type WorkflowGraphNode,
  type WorkflowGraphTransition,
} from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { nodeOf, type InstanceEvent, type OpenInstance } from './instance-state';

/** What conditions can read. */
export interface Facts {
  data: Json;
  result: Json;
  choice: string;
  end: NodeEnd;
}

/** A visit of the instance from which a dry one was forked. */
export interface PastVisit {
  visit: number;
  node: string;
  left?: EventData<'WorkflowNodeLeft'>;
}

export interface Surroundings {
  id: string;
  now: string;
  /** Of a dry instance: the visits of the other one, from that of the fork. */
  past?: readonly PastVisit[];
}

export type Next =
  | { do: 'record'; events: readonly InstanceEvent[] }
  /** Which of these is the first whose condition holds? Then `taking`. */
  | { do: 'choose'; transitions: readonly WorkflowGraphTransition[]; facts: Facts }
  | { do: 'act'; action: string; does: WorkflowDoes; node: WorkflowGraphNode }
  /** Until then, or until somebody answers, or goes on with it. */
  | { do: 'rest'; until?: string | undefined };

export const MAX_VISITS = 1000;

export const stateId = (instance: string, visit: number): string => uuidv5(`state ${visit}`, instance);
/** The same visit is the same action, however often it is started. */
export const actionId = (instance: string, visit: number): string => uuidv5(`action ${visit}`, instance);

const record = (...events: InstanceEvent[]): Next => ({ do: 'record', events });

export const stopped = (visit: number, at: 'node' | 'transition', reason: string): InstanceEvent => ({
  type: 'WorkflowInstanceStopped',
  data: { visit, at, reason },
});

/** The event that leaves the present node, with the data as they are then. */
export const leave = (
  { started, data, at, visit }: OpenInstance,
  {
    end,
    result,
    ...more
  }: Pick<EventData<'WorkflowNodeLeft'>, 'end' | 'result'> & Partial<EventData<'WorkflowNodeLeft'>>,
): readonly InstanceEvent[] => {
  const node = at.phase === 'enter' ? undefined : nodeOf(started.graph, at.entered.node);
  const name = node?.name ?? '';
  const isTooLarge = bytesOf(result) > MAX_WORKFLOW_DATA;
  const kept: Json = isTooLarge ? null : (result as Json);
  const after = isTooLarge || end === 'skipped' ? data : dataWith(data, node?.keepAs ?? '', kept);
  const isFull = bytesOf(after) > MAX_WORKFLOW_DATA;
  const changes = after !== data && !isFull;
  const left: InstanceEvent = {
    type: 'WorkflowNodeLeft',
    data: { visit, end, result: kept, ...more, ...(changes && { data: after }) },
  };
  const why = isTooLarge
    ? `the result of ${name} is larger than 64 kB and was not kept`
    : `with the result of ${name} the data would be larger than 64 kB, so it was not kept`;
  return isTooLarge || isFull ? [left, stopped(visit, 'transition', why)] : [left];
};

/** Enters the node by the transition that was chosen. */
export const taking = (
  state: OpenInstance,
  transition: WorkflowGraphTransition,
  around: Surroundings,
): Next => {
  const { visit, started } = state;
  const node = nodeOf(started.graph, transition.to);
  return node
    ? entering(state, node, around, transition.id)
    : record(stopped(visit, 'transition', `${transition.name} leads to a node that does not exist`));
};

const tooMuchFor = ({ name }: WorkflowGraphNode): string =>
  `${name} takes more than 64 kB from the data, and at most 64 kB are filled in`;

const later = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1000).toISOString();

const dueOf = (does: WorkflowDoes, now: string): string | undefined => {
  if (does.is === 'person') return does.dueSeconds === undefined ? undefined : later(now, does.dueSeconds);
  if (does.is !== 'wait') return undefined;
  if (does.until === undefined || does.until === '') return later(now, does.seconds ?? 0);
  const at = Date.parse(does.until);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

const asksOf = (does: WorkflowDoes, name: string, dry: boolean): EventData<'WorkflowNodeEntered'>['asks'] => {
  if (does.is === 'person') {
    const { role, choices, question } = does;
    return { role, choices, ...(question !== undefined && question !== '' && { question }) };
  }
  return dry && isAction(does)
    ? { role: 'admin', choices: [], question: `What would ${name} come to?` }
    : undefined;
};

/** What came of it in the other instance: the first time here is what was the first time there. */
const recalled = (
  { entries }: OpenInstance,
  { id, does }: WorkflowGraphNode,
  past: readonly PastVisit[],
): PastVisit | undefined => {
  if (!isAction(does) && does.is !== 'person') return undefined;
  const before = entries[id] ?? 0;
  const there = past.filter(({ node }) => node === id)[before];
  return there?.left && there.left.end !== 'skipped' ? there : undefined;
};

const entering = (
  state: OpenInstance,
  node: WorkflowGraphNode,
  { id, now, past = [] }: Surroundings,
  transition?: string,
): Next => {
  const visit = state.visit + 1;
  const dry = state.started.dry === true;
  const { value: does, missing, isTooLarge } = filledFrom(node.does, state.data);
  const known = dry ? recalled(state, node, past) : undefined;
  const due = dry ? undefined : dueOf(does, now);
  const asks = known ? undefined : asksOf(does, node.name, dry);
  const entered: InstanceEvent = {
    type: 'WorkflowNodeEntered',
    data: {
      visit,
      state: stateId(id, visit),
      node: node.id,
      name: node.name,
      ...(transition !== undefined && { transition }),
      ...(due !== undefined && { due }),
      ...(asks && { asks }),
      ...(!dry && isAction(does) && { action: actionId(id, visit) }),
    },
  };
  const refuse = (reason: string): Next => {
    // There is nothing to wait for.
    const { due: _due, asks: _asks, action: _action, ...bare } = entered.data;
    return record({ type: 'WorkflowNodeEntered', data: bare }, stopped(visit, 'node', reason));
  };
  if (state.visits >= MAX_VISITS)
    return refuse(`${MAX_VISITS} nodes were entered, so this may never end: look at it, and go on if it may`);
  if (does.is === 'none' && state.idle.includes(node.id))
    return refuse(`${node.name} was entered again and nothing had changed, so this would never end`);
  if (isTooLarge) return refuse(tooMuchFor(node));
  if (missing.length > 0) return refuse(`${node.name} needs ${missing.join(', ')}, which the data lack`);
  if (does.is === 'wait' && !dry && due === undefined)
    return refuse(`${node.name} waits until ${JSON.stringify(does.until)}, which is no instant`);
  if (!known?.left) return record(entered);
  const { end, result, choice, by, note } = known.left;
  const there = { choice, by, note };
  const given = Object.fromEntries(Object.entries(there).filter(([, value]) => value !== undefined));
  const inside = { ...state, visit, at: { phase: 'in' as const, entered: entered.data } };
  return record(entered, ...leave(inside, { end, result, ...given, recalled: known.visit }));
};

const inside = (state: OpenInstance, { now }: Surroundings): Next => {
  if (state.at.phase !== 'in') return { do: 'rest' };
  const { entered } = state.at;
  const node = nodeOf(state.started.graph, entered.node);
  const isDue = entered.due !== undefined && entered.due <= now;
  if (entered.asks)
    return isDue
      ? record(...leave(state, { end: 'late', result: null }))
      : { do: 'rest', until: entered.due };
  if (entered.action !== undefined && node) {
    const { value: does, isTooLarge } = filledFrom(node.does, state.data);
    return isTooLarge
      ? record(stopped(state.visit, 'node', tooMuchFor(node)))
      : { do: 'act', action: entered.action, does, node };
  }
  return entered.due !== undefined && !isDue
    ? { do: 'rest', until: entered.due }
    : record(...leave(state, { end: 'done', result: null }));
};

const completed = (reason?: string): Next =>
  record({
    type: 'WorkflowInstanceEnded',
    data: { is: 'completed', ...(reason !== undefined && { reason }) },
  });

/** The transitions that fit how the node was left, in their order, and what follows if none is taken. */
export const waysOn = (state: OpenInstance): readonly WorkflowGraphTransition[] => {
  if (state.at.phase !== 'left') return [];
  const { entered, left } = state.at;
  const { transitions } = state.started.graph;
  return left.end === 'skipped'
    ? transitions.filter(({ id }) => id === left.transition)
    : transitions.filter(({ from, on }) => from === entered.node && on === left.end);
};

/** No transition is taken: the end, unless nobody has said what should happen then. */
export const takingNone = (state: OpenInstance): Next => {
  if (state.at.phase !== 'left') return { do: 'rest' };
  const { entered, left } = state.at;
  const failed = { failed: `${entered.name} failed`, late: `${entered.name} was not answered in time` };
  if (left.end !== 'failed' && left.end !== 'late')
    return completed(waysOn(state).length > 0 ? `no condition after ${entered.name} was true` : undefined);
  const { reason } = (left.result ?? {}) as { reason?: unknown };
  const why = typeof reason === 'string' ? `: ${reason}` : '';
  return record(stopped(state.visit, 'node', `${failed[left.end]}, and no transition is for that${why}`));
};

const isAlways = ({ when }: WorkflowGraphTransition): boolean => when.trim() === '';

const wayOn = (state: OpenInstance, around: Surroundings): Next => {
  if (state.at.phase !== 'left') return { do: 'rest' };
  const { left } = state.at;
  const transitions = waysOn(state);
  const [first] = transitions;
  if (!first) return takingNone(state);
  if (left.end === 'skipped' || isAlways(first)) return taking(state, first, around);
  const { end, result, choice = '' } = left;
  return { do: 'choose', transitions, facts: { data: state.data, result: result as Json, choice, end } };
};

export const next = (state: OpenInstance, around: Surroundings): Next => {
  if (state.stopped) return { do: 'rest' };
  switch (state.at.phase) {
    case 'enter': {
      const node = nodeOf(state.started.graph, state.at.node);
      return node
        ? entering(state, node, around)
        : record(stopped(state.visit, 'node', 'the node where it begins does not exist'));
    }
    case 'in':
      return inside(state, around);
    case 'left':
      return wayOn(state, around);
  }
};
