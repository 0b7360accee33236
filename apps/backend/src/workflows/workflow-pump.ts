/**
 * Advances instances, in the process that holds the lease. A round is one query for all that can go on: what is due,
 * what waits for an action that has ended, and what has left one that is to be cancelled. A round begins every second, and when the read models show an event that may
 * let an instance go on. Nothing is kept about an instance between two rounds.
 */
import { Inject, Injectable } from '@nestjs/common';
import { eventNames, streamParts, workflow, type Json, type RecordedEvent } from '@quarterdeck/events';
import { isTransient } from '../platform/database';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, LOGGER, PROJECTIONS, type Logger, type Pool, type ProjectionRunner } from '../platform/tokens';
import { AbandonedActions } from './abandoned-actions';
import { ActionRegistry } from './action-registry';
import { WorkflowConditions } from './conditions';
import { leave, next, stopped, takingNone, taking, type Next, type PastVisit } from './instance-next';
import { InstanceReader, type ReadInstance } from './instance-reader';
import { evolveInstance, type InstanceEvent, type OpenInstance } from './instance-state';
import { AdvanceInstance, instanceDecider } from './instances.decider';
import { OrphanedInstances } from './orphaned-instances';
import { statesOf } from './instance-states';

const EVERY_MS = 1000;
const A_ROUND = 500;
const AT_ONCE = 32;
/** Steps of one instance in a row. It goes on in the next round. */
const MAX_STEPS = 200;

/** An action under way is a run, or another instance. One that is neither is to be started, or has ended. */
export const CAN_GO_ON = `
  (select i.id, i.workspace from read.workflow_instances i
   where i."wakeAt" <= $1 order by i."wakeAt" limit ${A_ROUND})
  union
  (select i.id, i.workspace from read.workflow_instances i
   where i.acting is not null
     and not exists (select from read.runs r
       where r.id = i.acting collate "C" and r.workspace = i.workspace and r.state in ('requested', 'running'))
     and not exists (select from read.workflow_instances c
       where c.id = i.acting collate "C" and c.workspace = i.workspace and c."endedAt" is null)
   limit ${A_ROUND})
  union
  (select i.id, i.workspace from read.workflow_instances i where i.abandoned is not null limit ${A_ROUND})`;

interface InstanceKey {
  id: string;
  workspace: string;
}

const REMOVED = eventNames(workflow).removed;
const ends = new Set(['RunSucceeded', 'RunFailed', 'RunInterrupted', 'RunCancelled']);

@Injectable()
export class WorkflowPump extends LeasedRounds {
  private readonly busy = new Map<string, Promise<void>>();
  private unlisten: (() => void) | undefined;
  private stop = new AbortController();
  private again = false;
  /** A workflow was removed, or may have been before this process took over. */
  private mayBeOrphaned = false;
  private looking: Promise<void> | undefined;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly decisions: Decisions,
    private readonly reader: InstanceReader,
    private readonly conditions: WorkflowConditions,
    private readonly actions: ActionRegistry,
    private readonly abandoned: AbandonedActions,
    private readonly orphaned: OrphanedInstances,
    leases: Leases,
  ) {
    super(leases, logger, { lease: 'workflows', what: 'the instances of workflows', everyMs: EVERY_MS });
  }

  protected override begin(): void {
    this.stop = new AbortController();
    this.mayBeOrphaned = true;
    this.unlisten = this.projections.onProjected((_, events) => {
      if (!events || events.some(({ type }) => type === REMOVED)) this.mayBeOrphaned = true;
      if (!events || events.some(mayLetGoOn)) void this.look();
    });
    super.begin();
  }

  protected override async cease(): Promise<void> {
    this.unlisten?.();
    this.stop.abort();
    await super.cease();
    await this.looking;
    await Promise.all(this.busy.values());
  }

  protected round(): Promise<void> {
    return this.look();
  }

  /** Of many wishes for a round while one is under way, one more is enough. */
  private look(): Promise<void> {
    this.again = true;
    this.looking ??= this.lookWhileAsked().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookWhileAsked(): Promise<void> {
    const { signal } = this.stop;
    while (this.again && !signal.aborted) {
      this.again = false;
      try {
        const { rows } = await this.db.query<InstanceKey>(CAN_GO_ON, [new Date().toISOString()]);
        for (const found of rows) await this.takeUp(found, signal);
        await this.cancelOrphaned(signal);
      } catch (error) {
        // The rows are still there: the next round finds them.
        this.logger.warn({ err: error }, 'instances of workflows could not be looked for now');
      }
    }
  }

  private async cancelOrphaned(signal: AbortSignal): Promise<void> {
    if (!this.mayBeOrphaned) return;
    // Another removal may be told of meanwhile.
    this.mayBeOrphaned = false;
    try {
      if (await this.orphaned.cancelSome(signal)) this.mayBeOrphaned = true;
    } catch (error) {
      this.mayBeOrphaned = true;
      throw error;
    }
  }

  /** Resolves when there is room for another one. */
  private async takeUp({ id, workspace }: InstanceKey, signal: AbortSignal): Promise<void> {
    while (this.busy.size >= AT_ONCE) await Promise.race(this.busy.values());
    if (signal.aborted || this.busy.has(id)) return;
    const work = this.advance(id, workspace, signal)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, instance: id }, 'an instance could not go on'),
      )
      .finally(() => this.busy.delete(id));
    this.busy.set(id, work);
  }

  private async advance(id: string, workspace: string, signal: AbortSignal): Promise<void> {
    const found = await this.reader.find(id, workspace);
    if (!found || (await this.orphaned.cancelIfBegunTooLate(found))) return;
    const cancelled = await this.abandoned.cancel(found);
    if (cancelled.length > 0 && !(await this.record(found, cancelled))) return;
    const past = await this.pastOf(found);
    for (let steps = 0; steps < MAX_STEPS && !signal.aborted;) {
      const [events, step] = this.ownSteps(found, past);
      steps += events.length + 1;
      if (events.length > 0 && !(await this.record(found, events))) return;
      if (found.state.is !== 'open') return;
      const more = await this.carriedOut(found, found.state, step, past);
      if (more.length === 0 || !(await this.record(found, more))) return;
    }
  }

  /** What needs nothing but the state, and what comes then. Only folded, not yet recorded. */
  private ownSteps(found: ReadInstance, past: readonly PastVisit[]): [InstanceEvent[], Next] {
    const all: InstanceEvent[] = [];
    let { state } = found;
    for (;;) {
      const step: Next =
        state.is === 'open' ? next(state, { id: found.id, now: now(), past }) : { do: 'rest' };
      if (step.do !== 'record' || all.length >= MAX_STEPS) return [all, step];
      for (const event of step.events) {
        all.push(event);
        const after = evolveInstance(state, event);
        if (after.is !== 'unknown') state = after;
      }
    }
  }

  /** The events that follow; none: it waits. */
  private async carriedOut(
    found: ReadInstance,
    state: OpenInstance,
    step: Next,
    past: readonly PastVisit[],
  ): Promise<readonly InstanceEvent[]> {
    if (step.do === 'act') return this.act(found, state, step);
    if (step.do !== 'choose') return [];
    const { transitions, facts } = step;
    const { at, undecided } = await this.conditions.decide(
      transitions.map(({ when }) => when),
      facts,
    );
    if (undecided) {
      const name = transitions[undecided.at]?.name ?? '';
      return [
        stopped(
          state.visit,
          'transition',
          `the condition of ${name} could not be decided: ${undecided.reason}`,
        ),
      ];
    }
    const taken = at === undefined ? undefined : transitions[at];
    const chosen = taken ? taking(state, taken, { id: found.id, now: now(), past }) : takingNone(state);
    return chosen.do === 'record' ? chosen.events : [];
  }

  private async act(
    found: ReadInstance,
    state: OpenInstance,
    { action: id, does, node }: Extract<Next, { do: 'act' }>,
  ): Promise<readonly InstanceEvent[]> {
    const ask = this.actions.ask(found, { action: id, does, visit: state.visit });
    try {
      const action = this.actions.of(does.is);
      const known = await action.outcome(ask);
      if (!known) await action.start(ask);
      const outcome = known ?? (await action.outcome(ask));
      return outcome ? leave(state, { end: outcome.end, result: outcome.result }) : [];
    } catch (error) {
      if (isTransient(error) || (error instanceof DomainError && error.code === 'tooMany')) return [];
      const why = error instanceof DomainError ? error.msg : String(error);
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'an action failed');
      return [stopped(state.visit, 'node', `${node.name} could not be started: ${why}`)];
    }
  }

  /** @returns false if somebody else recorded something in between: then a later round goes on from there */
  private async record(found: ReadInstance, events: readonly InstanceEvent[]): Promise<boolean> {
    const meta = { ...ownMeta('system', found.workspace, found.correlationId), causationId: found.id };
    const advance = new AdvanceInstance(found.id, { steps: found.state.steps, events }, meta);
    const { written } = await this.decisions.execute(instanceDecider, advance);
    if (written === 0) return false;
    for (const event of events) {
      const after = evolveInstance(found.state, event);
      if (after.is !== 'unknown') found.state = after;
    }
    return true;
  }

  /** Of a dry instance: what was in the one that it was forked from. */
  private async pastOf({ state, workspace }: ReadInstance): Promise<readonly PastVisit[]> {
    const { dry, forkedFrom } = state.started;
    if (!dry || !forkedFrom) return [];
    const other = await this.reader.find(forkedFrom.instance, workspace);
    return statesOf(forkedFrom.instance, other?.events ?? [])
      .filter(({ visit }) => visit >= forkedFrom.visit)
      .map(({ visit, node, end, result = null, choice, by, note }) => ({
        visit,
        node: node.id,
        ...(end && {
          left: {
            visit,
            end,
            result: result as Json,
            ...(choice !== undefined && { choice }),
            ...(by !== undefined && { by }),
            ...(note !== undefined && { note }),
          },
        }),
      }));
  }
}

const now = (): string => new Date().toISOString();

const mayLetGoOn = ({ type, stream }: RecordedEvent): boolean =>
  ends.has(type) || type === REMOVED || streamParts(stream).category === 'workflowInstance';
