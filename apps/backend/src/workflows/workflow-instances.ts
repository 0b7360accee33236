/** Instances of workflows: starting, answering and going on with them, and what they are. */
import { Inject, Injectable } from '@nestjs/common';
import {
  bytesOf,
  refusedWorkflowData,
  roles,
  type EventData,
  type Json,
  type Role,
  type WorkflowGraphNode,
} from '@quarterdeck/events';
import type {
  InputOf,
  workflowInstances,
  WorkflowInstanceDetail,
  WorkflowInstancePage,
  WorkflowsWaiting,
} from '@quarterdeck/contract';
import type {
  StoredWorkflowInstance,
  WorkflowInstanceView,
  WorkflowState,
  WorkflowStateRow,
} from '@quarterdeck/projections';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { inView } from '../platform/in-view';
import { type CommandMeta, idFor, mayActAs, type Session } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { leave } from './instance-next';
import { InstanceReader, type ReadInstance } from './instance-reader';
import { nodeOf } from './instance-state';
import { statesOf } from './instance-states';
import {
  AnswerInstance,
  CancelInstance,
  instanceDecider,
  RemoveInstance,
  RetryInstance,
  ReviseInstance,
  SkipNode,
  StartInstance,
} from './instances.decider';
import { WorkflowLibrary } from './workflow-library';

const view = inView<StoredWorkflowInstance>('i.view');
const VIEW = `i.view - ${view.keys('workflowId', 'startedPosition', 'wakeAt', 'acting', 'doing', 'abandoned', 'role', 'removedAt')} as view
  from read.workflow_instances i`;
const NEWEST = 500;
const PAGE = 50;
const SHOWN_WAITING = 200;
const COUNTED = 10_000;
/** Of the data of all states in one answer. */
const MAX_ANSWER = 2 * 1024 * 1024;
/** An answer that meets another change of the same instance is made again. */
const ATTEMPTS = 10;

export interface StartOf {
  workflow: string;
  /** Default: the newest one. */
  version?: number | undefined;
  data?: Json | undefined;
  cause: EventData<'WorkflowInstanceStarted'>['cause'];
  /** Under the same id it is started once. */
  id?: string;
}

type Answer = InputOf<typeof workflowInstances.answer>;

@Injectable()
export class WorkflowInstances {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly decisions: Decisions,
    private readonly reader: InstanceReader,
    private readonly library: WorkflowLibrary,
  ) {}

  /** @throws DomainError `notFound`; `unprocessable` if nothing is published; `invalid` if the data are too large */
  async start({ workflow, version, data = {}, cause, id }: StartOf, meta: CommandMeta): Promise<Decision> {
    refuseLarge(data);
    const published = await this.library.toStart(workflow, version, meta.workspace);
    const started = { ...published, data, cause };
    return this.execute(new StartInstance(id ?? idFor('workflow instance', meta), started, meta));
  }

  /** A new instance that begins at a state of this one, with the graph of this one. */
  async fork(
    { id, visit, data, dry }: InputOf<typeof workflowInstances.fork>,
    meta: CommandMeta,
  ): Promise<Decision> {
    const found = await this.reader.read(id, meta.workspace);
    const { state, events } = found;
    const from = statesOf(id, events).find((one) => one.visit === visit);
    if (!from) throw noSuchVisit(found);
    const { workflow, version, graph } = state.started;
    const started: EventData<'WorkflowInstanceStarted'> = {
      workflow,
      version,
      graph,
      data: data ?? from.data ?? null,
      cause: { is: 'fork', id, visit },
      ...(dry && { dry: true as const }),
      forkedFrom: { instance: id, visit },
      begin: from.node.id,
    };
    return this.execute(new StartInstance(idFor('workflow instance', meta), started, meta));
  }

  /** @throws DomainError `conflict` that says who or what was faster */
  async answer(given: Answer, { role, person }: Session, meta: CommandMeta): Promise<Decision> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await this.reader.read(given.id, meta.workspace);
      refuseLesser(found, role);
      const command = new AnswerInstance(given.id, answerTo(found, given, person), meta);
      const decision = await this.execute(command);
      if (decision.written > 0) return decision;
    }
    throw new DomainError('unavailable', 'this instance is being changed: please try again', undefined, {
      retryAfter: 1,
    });
  }

  revise(id: string, data: Json, meta: CommandMeta, revision?: number): Promise<Decision> {
    return this.execute(new ReviseInstance(id, { data }, meta, revision));
  }

  retry(id: string, visit: number, meta: CommandMeta): Promise<Decision> {
    return this.execute(new RetryInstance(id, { visit }, meta));
  }

  async skip(
    { id, visit, transition }: InputOf<typeof workflowInstances.skip>,
    { role, person }: Session,
    meta: CommandMeta,
  ): Promise<Decision> {
    const found = await this.reader.read(id, meta.workspace);
    const { graph } = found.state.started;
    const entered = enteredAt(found, visit);
    // It may get there before the command is decided, and nobody has judged the role then.
    if (visit > found.state.visit) throw noSuchVisit(found);
    if (entered) {
      refuseLesserThan(roleAsked(nodeOf(graph, entered.node)), role);
      if (!graph.transitions.some((one) => one.id === transition && one.from === entered.node))
        throw invalidField('transition', 'a transition of the node where the instance is is expected');
    }
    return this.execute(new SkipNode(id, { visit, transition, by: person }, meta));
  }

  async cancel(id: string, meta: CommandMeta): Promise<Decision> {
    await this.reader.read(id, meta.workspace);
    return this.execute(new CancelInstance(id, {}, meta));
  }

  remove(id: string, meta: CommandMeta): Promise<Decision> {
    return this.execute(new RemoveInstance(id, {}, meta));
  }

  /** The newest ones, newest first. */
  async list(workflow: string, workspace: string): Promise<WorkflowInstanceView[]> {
    return (await this.page({ id: workflow, limit: NEWEST }, workspace)).instances;
  }

  /** Continues before the instance that began at the position `before`. */
  async page(
    { id, is, before, limit = PAGE }: InputOf<typeof workflowInstances.page>,
    workspace: string,
  ): Promise<WorkflowInstancePage> {
    const values: unknown[] = [workspace, id, limit + 1];
    const where = [
      'i.workspace = $1 and i."workflowId" = $2',
      ...(is === undefined ? [] : [`i."is" = $${values.push(is)}`]),
      ...(before === undefined ? [] : [`i."startedPosition" < $${values.push(before)}`]),
    ];
    const { rows } = await this.db.query<{ view: WorkflowInstanceView; began: string }>(
      `select i."startedPosition"::text as began, ${VIEW} where ${where.join(' and ')}
       order by i."startedPosition" desc limit $3`,
      values,
    );
    const found = rows.slice(0, limit);
    const last = found.at(-1);
    return {
      instances: found.map(({ view }) => view),
      ...(rows.length > limit && last && { next: last.began }),
    };
  }

  async detail(id: string, workspace: string): Promise<WorkflowInstanceDetail> {
    const { rows } = await this.db.query<{ view: WorkflowInstanceView }>(
      `select ${VIEW} where i.workspace = $1 and i.id = $2`,
      [workspace, id],
    );
    const shown = rows[0]?.view;
    const found = shown && (await this.reader.find(id, workspace));
    if (!found) throw notFound('workflow instance');
    const { started, data } = found.state;
    const states = statesOf(id, found.events);
    const whole = bytesOf(states) <= MAX_ANSWER;
    const brief = states.map(({ data: _data, result: _result, ...state }) => state);
    return { ...shown, graph: started.graph, data, states: whole ? states : brief, whole };
  }

  async states(id: string, workspace: string): Promise<WorkflowState[]> {
    const { states } = await this.detail(id, workspace);
    return states;
  }

  /** @throws DomainError `notFound` */
  async state(id: string, workspace: string): Promise<WorkflowState> {
    const { rows } = await this.db.query<{ view: WorkflowStateRow }>(
      'select view from read.workflow_states where workspace = $1 and id = $2',
      [workspace, id],
    );
    const [row] = rows;
    const found = row && (await this.reader.read(row.view.instance, workspace));
    const state = found && statesOf(found.id, found.events).find((one) => one.id === id);
    if (!state) throw notFound('workflow state');
    return state;
  }

  /** @throws DomainError `conflict` if the instance has left this state */
  async reviseState(id: string, data: Json, meta: CommandMeta, revision?: number): Promise<Decision> {
    const { instance, visit } = await this.state(id, meta.workspace);
    const { state } = await this.reader.read(instance, meta.workspace);
    if (state.is === 'ended' || state.visit !== visit)
      throw new DomainError('conflict', 'the instance has left this state, and what it was never changes');
    return this.revise(instance, data, meta, revision);
  }

  /** The ones that have waited longest first. */
  async waiting({ workspace, role }: Session): Promise<WorkflowsWaiting> {
    const asked = roles.filter((least) => mayActAs(role, least));
    const of = 'from read.workflow_instances i where i.workspace = $1 and i.role = any($2)';
    const [{ rows }, counted] = await Promise.all([
      this.db.query<{ view: StoredWorkflowInstance }>(
        `select i.view ${of} order by i.position limit ${SHOWN_WAITING}`,
        [workspace, asked],
      ),
      this.db.query<{ total: number }>(
        `select count(*)::integer as total from (select ${of} limit ${COUNTED}) i`,
        [workspace, asked],
      ),
    ]);
    return {
      total: counted.rows[0]?.total ?? 0,
      instances: rows.map(({ view: { id, workflow, node, visit, since, due, dry, asks } }) => ({
        id,
        workflow,
        node: node ?? { id: '', name: '' },
        visit,
        since,
        ...(due !== undefined && { due }),
        dry,
        role: asks?.role ?? '',
        ...(asks?.question !== undefined && { question: asks.question }),
        choices: asks?.choices ?? [],
      })),
    };
  }

  private execute(command: Parameters<typeof instanceDecider.decide>[0]): Promise<Decision> {
    return this.decisions.execute(instanceDecider, command);
  }
}

const refuseLarge = (data: Json): void => {
  const why = refusedWorkflowData(data);
  if (why !== undefined) throw invalidField('data', why);
};

/** Whoever may see it may answer, if the node asks for no higher role. */
const refuseLesser = ({ state }: ReadInstance, role: Role): void => {
  const asked = 'at' in state && state.at.phase === 'in' ? state.at.entered.asks?.role : undefined;
  const isOver = !('at' in state) || state.at.phase !== 'in';
  if (!isOver) refuseLesserThan(asked, role);
};

const refuseLesserThan = (asked: string | undefined, role: Role): void => {
  const least = roles.find((one) => one === asked) ?? 'admin';
  if (!mayActAs(role, least))
    throw new DomainError('forbidden', `this is for somebody with the role ${least}`);
};

/** Also of one that stopped there before it asked. */
const roleAsked = (node: WorkflowGraphNode | undefined): string | undefined =>
  node?.does.is === 'person' ? node.does.role : undefined;

const enteredAt = ({ events }: ReadInstance, visit: number): EventData<'WorkflowNodeEntered'> | undefined =>
  events.flatMap(({ type, data }) =>
    type === 'WorkflowNodeEntered' && data.visit === visit ? [data] : [],
  )[0];

const noSuchVisit = ({ state }: ReadInstance): DomainError =>
  invalidField('visit', `this instance has ${state.visit} states`);

const answerTo = (
  { state }: ReadInstance,
  { visit, choice, note, end, result }: Answer,
  by: string,
): ConstructorParameters<typeof AnswerInstance>[1] => {
  const given = { ...(choice !== undefined && { choice }), by, ...(note && { note }) };
  const isAction = state.is === 'open' && state.started.dry && result !== undefined;
  const events =
    state.is === 'open' && state.at.phase === 'in'
      ? leave(state, {
          end: (state.started.dry && end) || 'done',
          result: isAction ? result : given,
          ...given,
        })
      : [];
  return { steps: state.steps, visit, choice, events };
};
