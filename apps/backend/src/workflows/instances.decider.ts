/**
 * Who may change an instance. What it does by itself comes from `instance-next.ts`, as events that hold only if nothing
 * was recorded since they were made. So of an answer and a time-out at the same instant, one is recorded.
 *
 * The state is small, because it is remembered for many instances: it has neither graph nor data.
 */
import type { EventData } from '@quarterdeck/events';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';
import type { InstanceEvent } from './instance-state';

interface Steps {
  /** Number of its events. */
  steps: number;
  /** How the last visit that asked somebody was left. */
  asked?: Pick<EventData<'WorkflowNodeLeft'>, 'visit' | 'end' | 'choice'>;
  /** Visits whose actions are still to be cancelled. */
  abandoned: readonly number[];
}

export type InstanceDecisionState =
  | ({ is: 'unknown' } & Steps)
  | ({
      is: 'open';
      visit: number;
      /** The node is entered and not left. */
      isIn: boolean;
      name: string;
      dry: boolean;
      asks?: EventData<'WorkflowNodeEntered'>['asks'];
      isActing: boolean;
      stopped?: EventData<'WorkflowInstanceStopped'>;
    } & Steps)
  | ({ is: 'ended'; as: string } & Steps)
  | ({ is: 'removed' } & Steps);

type Open = Extract<InstanceDecisionState, { is: 'open' }>;

const conflict = (says: string): DomainError => new DomainError('conflict', says);

const open = (state: InstanceDecisionState): Open => {
  if (state.is === 'unknown' || state.is === 'removed') throw notFound('workflow instance');
  if (state.is === 'ended') throw conflict(`this instance is ${state.as} already`);
  return state;
};

const atVisit = (state: InstanceDecisionState, visit: number): Open => {
  const there = open(state);
  if (there.visit !== visit)
    throw conflict(`this instance has moved on: it is at visit ${there.visit} by now, ${there.name}`);
  return there;
};

export class StartInstance extends command('StartInstance', { opens: true, idempotent: true })(
  (data: EventData<'WorkflowInstanceStarted'>, { is }: InstanceDecisionState): InstanceEvent[] =>
    is === 'unknown' ? [{ type: 'WorkflowInstanceStarted', data }] : [],
) {}

interface Advance extends Pick<Steps, 'steps'> {
  events: readonly InstanceEvent[];
}
/** What is recorded of an instance that has ended, too. */
const outlives = ({ type }: InstanceEvent): boolean => type === 'WorkflowActionCancelled';

/** What it does by itself. `[]` if somebody was faster. */
export class AdvanceInstance extends command('AdvanceInstance')(
  ({ steps, events }: Advance, state: InstanceDecisionState): readonly InstanceEvent[] =>
    state.steps === steps && (state.is === 'open' || events.every(outlives)) ? events : [],
) {}

interface Answer extends Pick<Steps, 'steps'> {
  visit: number;
  choice: string | undefined;
  /** Made from the whole instance, of that many events. */
  events: readonly InstanceEvent[];
}

const because = {
  done: 'it was answered before',
  failed: 'it was answered before',
  late: 'the time to answer it was over',
  skipped: 'somebody has skipped it',
};

/** `[]` if something was recorded since: then the events have to be made again. */
export class AnswerInstance extends command('AnswerInstance')(
  ({ steps, visit, choice, events }: Answer, state: InstanceDecisionState): readonly InstanceEvent[] => {
    const { asked } = state;
    if (asked?.visit === visit) {
      const why = asked.choice === undefined ? because[asked.end] : `${asked.choice} was answered before`;
      throw conflict(`your answer was not taken: ${why}`);
    }
    const there = atVisit(state, visit);
    if (there.stopped || !there.asks) throw conflict(`${there.name} asks nobody now`);
    const { choices } = there.asks;
    if (choices.length > 0 && (choice === undefined || !choices.includes(choice)))
      throw new DomainError('invalid', `one of ${choices.join(', ')} is expected`, {
        choice: `one of ${choices.join(', ')} is expected`,
      });
    return there.steps === steps ? events : [];
  },
) {}

export class ReviseInstance extends command('ReviseInstance')(
  (
    { data }: Pick<EventData<'WorkflowDataRevised'>, 'data'>,
    state: InstanceDecisionState,
  ): InstanceEvent[] => {
    const { visit, isActing, name, stopped } = open(state);
    if (isActing && !stopped)
      throw conflict(`${name} is under way with the data as they were: wait for it, or cancel the instance`);
    return [{ type: 'WorkflowDataRevised', data: { visit, data } }];
  },
) {}

export class RetryInstance extends command('RetryInstance', { idempotent: true })(
  ({ visit }: { visit: number }, state: InstanceDecisionState): InstanceEvent[] => {
    const { stopped } = atVisit(state, visit);
    return stopped
      ? [{ type: 'WorkflowInstanceResumed', data: { visit, again: stopped.at === 'node' } }]
      : [];
  },
) {}

export class SkipNode extends command('SkipNode')(
  (
    { visit, transition, by }: { visit: number; transition: string; by: string },
    state: InstanceDecisionState,
  ): InstanceEvent[] => {
    const { isIn, stopped, name } = atVisit(state, visit);
    if (!isIn && !stopped) throw conflict(`the instance has left ${name} already`);
    return [{ type: 'WorkflowNodeLeft', data: { visit, end: 'skipped', result: null, by, transition } }];
  },
) {}

export class CancelInstance extends command('CancelInstance', { idempotent: true })(
  ({ reason }: { reason?: string }, state: InstanceDecisionState): InstanceEvent[] => {
    if (state.is === 'ended' && state.as === 'cancelled') return [];
    open(state);
    const data = { is: 'cancelled' as const, ...(reason !== undefined && { reason }) };
    return [{ type: 'WorkflowInstanceEnded', data }];
  },
) {}

export class RemoveInstance extends command('RemoveInstance')(
  (_: object, state: InstanceDecisionState): InstanceEvent[] => {
    if (state.is === 'unknown' || state.is === 'removed') throw notFound('workflow instance');
    if (state.is === 'open') throw conflict('this instance has not ended: cancel it first');
    // Removed instances are no longer looked at, so its run would go on.
    if (state.abandoned.length > 0)
      throw conflict('the work of this instance is still being cancelled: delete it once that is done');
    return [{ type: 'WorkflowInstanceRemoved', data: {} }];
  },
) {}

/** As the read model folds it. */
const abandoning = ({ abandoned, isActing, visit }: Open): readonly number[] =>
  isActing ? [...abandoned, visit] : abandoned;

const whileOpen =
  <D>(fold: (state: Open, data: D) => InstanceDecisionState) =>
  (state: InstanceDecisionState, data: D): InstanceDecisionState => {
    const steps = state.steps + 1;
    return state.is === 'open' ? fold({ ...state, steps }, data) : { ...state, steps };
  };

export const instanceDecider = deciderOf<InstanceDecisionState, InstanceEvent>()({
  category: 'workflowInstance',
  commands: [
    StartInstance,
    AdvanceInstance,
    AnswerInstance,
    ReviseInstance,
    RetryInstance,
    SkipNode,
    CancelInstance,
    RemoveInstance,
  ],
  initial: { is: 'unknown', steps: 0, abandoned: [] },
  evolve: {
    WorkflowInstanceStarted: (_, { dry = false }) => ({
      is: 'open',
      steps: 1,
      visit: 0,
      isIn: false,
      name: 'the start',
      dry,
      isActing: false,
      abandoned: [],
    }),
    WorkflowNodeEntered: whileOpen(({ asks: _asks, ...state }, { visit, name, asks, action }) => ({
      ...state,
      visit,
      name,
      isIn: true,
      isActing: action !== undefined,
      ...(asks && { asks }),
    })),
    WorkflowNodeLeft: whileOpen(({ asks, stopped: _stopped, ...state }, { visit, end, choice }) => ({
      ...state,
      ...(end === 'skipped' && { abandoned: abandoning({ ...state, visit }) }),
      isIn: false,
      isActing: false,
      ...(asks && { asked: { visit, end, ...(choice !== undefined && { choice }) } }),
    })),
    WorkflowInstanceStopped: whileOpen((state, stopped) => ({ ...state, stopped })),
    WorkflowInstanceResumed: whileOpen(({ stopped: _stopped, ...state }, { again }) => ({
      ...state,
      isIn: state.isIn && !again,
    })),
    WorkflowDataRevised: whileOpen((state) => state),
    WorkflowInstanceEnded: whileOpen((state, { is }) => ({
      is: 'ended',
      as: is,
      steps: state.steps,
      abandoned: is === 'cancelled' ? abandoning(state) : state.abandoned,
      ...(state.asked && { asked: state.asked }),
    })),
    WorkflowActionCancelled: (state, { visit }) => ({
      ...state,
      steps: state.steps + 1,
      abandoned: state.abandoned.filter((one) => one !== visit),
    }),
    WorkflowInstanceRemoved: ({ steps }) => ({ is: 'removed', steps: steps + 1, abandoned: [] }),
  },
});
