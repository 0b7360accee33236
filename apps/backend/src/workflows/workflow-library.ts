/** Published versions of workflows. */
import { Inject, Injectable } from '@nestjs/common';
import { graphOf, streamName, type EventData, type Position, type WorkflowGraph } from '@quarterdeck/events';
import type { StoredWorkflowVersion, WorkflowVersionRow } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { caughtUp } from '../platform/caught-up';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { inView } from '../platform/in-view';
import { sameData } from '../platform/same-data';
import type { CommandMeta } from '../platform/sessions';
import {
  DB,
  EVENT_STORE,
  PROJECTIONS,
  type EventStore,
  type Pool,
  type ProjectionRunner,
} from '../platform/tokens';
import { DraftFindings } from './draft-findings';
import { changesBetween, noGraph } from './graph-changes';
import { WorkflowDrafts } from './workflow-drafts';
import { PublishWorkflow, workflowVersionDecider } from './workflow-versions.decider';

const view = inView<StoredWorkflowVersion>('v.view');
const ROW = `v.view - ${view.keys('workflowId', 'graph')}`;
const OF = 'from read.workflow_versions v where v.workspace = $1 and v."workflowId" = $2';
const MANY_CHANGES = 'many changes are being recorded at the moment, please try again';

export interface WorkflowVersionDetail extends WorkflowVersionRow {
  graph: WorkflowGraph;
}

@Injectable()
export class WorkflowLibrary {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly decisions: Decisions,
    private readonly drafts: WorkflowDrafts,
    private readonly found: DraftFindings,
  ) {}

  async findings(id: string, workspace: string) {
    await this.drafts.named(id, workspace);
    return this.found.of(await this.drafts.draft(id, workspace), workspace);
  }

  /**
   * A draft that is the newest version already is not published again.
   * @throws DomainError `unprocessable` with the first problem
   */
  async publish(id: string, meta: CommandMeta): Promise<{ id: string; version: number; position: Position }> {
    await caughtUp(this.store, this.projections, MANY_CHANGES);
    const named = await this.drafts.named(id, meta.workspace);
    const draft = await this.drafts.draft(id, meta.workspace);
    const found = await this.found.of(draft, meta.workspace);
    const problems = found.filter(({ severity }) => severity === 'problem');
    const [first, ...others] = problems;
    if (first) {
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      const fields = problems.map(({ node, transition, field, says }) => [
        [node ?? transition, field].filter(Boolean).join('.'),
        says,
      ]);
      throw new DomainError('unprocessable', `${first.says}${more}`, Object.fromEntries(fields));
    }
    const graph = graphOf(draft);
    const newest = await this.newest(id, meta.workspace);
    if (newest && sameData(newest.graph, graph))
      return { id: newest.id, version: newest.version, position: newest.position };
    const version = (newest?.version ?? 0) + 1;
    const of = uuidv5(`version ${version}`, id);
    const publish = new PublishWorkflow(of, { workflow: named, version, graph }, meta);
    const { position } = await this.decisions.execute(workflowVersionDecider, publish);
    return { id: of, version, position };
  }

  /** Newest first. */
  async versions(id: string, workspace: string): Promise<WorkflowVersionRow[]> {
    await this.drafts.named(id, workspace);
    const { rows } = await this.db.query<{ view: WorkflowVersionRow }>(
      `select ${ROW} as view ${OF} order by v.version desc`,
      [workspace, id],
    );
    return rows.map((row) => row.view);
  }

  /** @throws DomainError `notFound` */
  async version(id: string, version: number, workspace: string): Promise<WorkflowVersionDetail> {
    await this.drafts.named(id, workspace);
    return this.one('and v.version = $3', [workspace, id, version]).then((found) => {
      if (!found) throw notFound('version of the workflow');
      return found;
    });
  }

  private async newestOf(id: string, workspace: string): Promise<WorkflowVersionDetail> {
    const { name } = await this.drafts.named(id, workspace);
    const found = await this.newest(id, workspace);
    if (!found) throw new DomainError('unprocessable', `${name} is not published yet: publish it first`);
    return found;
  }

  /**
   * What instances start with. The graph says what is done on servers, so it comes from the log: a row of a read model can be
   * altered by a person with access to the database.
   * @throws DomainError `notFound`; `unprocessable` if none is published
   */
  async toStart(
    workflow: string,
    version: number | undefined,
    workspace: string,
  ): Promise<EventData<'WorkflowPublished'>> {
    const { id } =
      version === undefined
        ? await this.newestOf(workflow, workspace)
        : await this.version(workflow, version, workspace);
    const [first] = await this.store.readStream(streamName('workflowVersion', id), { limit: 1 });
    const data = first?.data as EventData<'WorkflowPublished'> | undefined;
    if (first?.meta.workspace !== workspace || data?.workflow.id !== workflow)
      throw notFound('version of the workflow');
    return data;
  }

  private newest(id: string, workspace: string): Promise<WorkflowVersionDetail | undefined> {
    return this.one('order by v.version desc limit 1', [workspace, id]);
  }

  async compare(id: string, from: number, to: number | undefined, workspace: string) {
    const [before, after] = await Promise.all([
      this.graphAt(id, from, workspace),
      to === undefined ? this.drafts.draft(id, workspace).then(graphOf) : this.graphAt(id, to, workspace),
    ]);
    return changesBetween(before, after);
  }

  /** @returns the position up to which the draft is the same */
  async restore(id: string, version: number, meta: CommandMeta): Promise<Position> {
    const { graph } = await this.version(id, version, meta.workspace);
    await this.drafts.become(id, graph, meta);
    return this.store.head();
  }

  private async graphAt(id: string, version: number, workspace: string): Promise<WorkflowGraph> {
    await this.drafts.named(id, workspace);
    return version === 0 ? noGraph : (await this.version(id, version, workspace)).graph;
  }

  private async one(which: string, values: unknown[]): Promise<WorkflowVersionDetail | undefined> {
    const { rows } = await this.db.query<{ view: WorkflowVersionDetail }>(
      `select v.view - ${view.keys('workflowId')} as view ${OF} ${which}`,
      values,
    );
    return rows[0]?.view;
  }
}
