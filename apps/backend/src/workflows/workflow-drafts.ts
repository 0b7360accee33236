/** Drafts of workflows: what is wrong with one, and how it becomes the same as a version. */
import { Inject, Injectable } from '@nestjs/common';
import {
  bytesOf,
  findingsOf,
  graphOf,
  isAction,
  problemsOfDoes,
  workflow as workflowNoun,
  workflowNode,
  workflowTransition,
  type DraftNode,
  type DraftTransition,
  type WorkflowDraft,
  type WorkflowFinding,
  type WorkflowGraph,
} from '@quarterdeck/events';
import { notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';
import { detailOf, listOf, PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ActionRegistry } from './action-registry';
import { WorkflowConditions } from './conditions';

/** Each instance has a copy of it. */
const MAX_GRAPH_BYTES = 256 * 1024;

@Injectable()
export class WorkflowDrafts {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly actions: ActionRegistry,
    private readonly conditions: WorkflowConditions,
    @Inject(recordsOf(workflowNode)) private readonly nodes: PlainRecords,
    @Inject(recordsOf(workflowTransition)) private readonly transitions: PlainRecords,
  ) {}

  /** @throws DomainError `notFound` */
  async named(id: string, workspace: string): Promise<{ id: string; name: string }> {
    const view = await detailOf(workflowNoun, this.db, workspace, id);
    if (!view) throw notFound('workflow');
    return { id, name: String(view['name']) };
  }

  async draft(id: string, workspace: string): Promise<WorkflowDraft> {
    const [nodes, transitions] = await Promise.all([
      listOf(workflowNode, this.db, workspace, id) as unknown as Promise<DraftNode[]>,
      listOf(workflowTransition, this.db, workspace, id) as unknown as Promise<DraftTransition[]>,
    ]);
    return { nodes, transitions: transitions.toSorted((a, b) => a.order - b.order) };
  }

  async findings(draft: WorkflowDraft, workspace: string): Promise<WorkflowFinding[]> {
    const graph = graphOf(draft);
    return [
      ...findingsOf(draft),
      ...(bytesOf(graph) > MAX_GRAPH_BYTES
        ? [{ severity: 'problem' as const, field: 'nodes', says: 'the whole graph is larger than 256 kB' }]
        : []),
      ...(await this.ofConditions(draft)),
      ...(await Promise.all(draft.nodes.map((node) => this.ofAction(node, workspace)))).flat(),
    ];
  }

  /** Makes the draft the same as a graph. @returns how many nodes and transitions were changed */
  async become(id: string, graph: WorkflowGraph, meta: CommandMeta): Promise<number> {
    const { nodes, transitions } = await this.draft(id, meta.workspace);
    const kept = new Set([...graph.nodes, ...graph.transitions].map((one) => one.id));
    let changes = 0;
    // What goes comes first, because its names may be taken again.
    for (const one of transitions.filter((each) => !kept.has(each.id))) {
      await this.transitions.remove(one.id, one.name, meta);
      changes += 1;
    }
    for (const one of nodes.filter((each) => !kept.has(each.id))) {
      await this.nodes.remove(one.id, one.name, meta);
      changes += 1;
    }
    for (const { id: node, ...fields } of graph.nodes)
      changes += await this.set(this.nodes, node, { ...fields, isStart: node === graph.start }, nodes, meta);
    for (const { id: transition, from, to, ...fields } of graph.transitions) {
      const ends = { from: { id: from }, to: { id: to } };
      changes += await this.set(this.transitions, transition, { ...fields, ...ends }, transitions, meta);
    }
    return changes;
  }

  private async set(
    things: PlainRecords,
    id: string,
    fields: Record<string, unknown>,
    there: readonly { id: string }[],
    meta: CommandMeta,
  ): Promise<number> {
    const before = there.find((one) => one.id === id) as Record<string, unknown> | undefined;
    if (!before) await things.restore(id, meta);
    const isSame = Object.entries(fields).every(([key, value]) =>
      sameData(comparable(value), comparable(before?.[key])),
    );
    if (!isSame) await things.edit(id, fields, meta);
    return isSame ? 0 : 1;
  }

  private async ofConditions({ transitions }: WorkflowDraft): Promise<WorkflowFinding[]> {
    const judged = transitions.filter(({ when }) => when.trim() !== '');
    const reasons = await this.conditions.judge(judged.map(({ when }) => when));
    return judged.flatMap(({ id, name }, at): WorkflowFinding[] => {
      const why = reasons[at];
      return why == null
        ? []
        : [
            {
              severity: 'problem',
              transition: id,
              field: 'when',
              says: `the condition of ${name} does not compile: ${why}`,
            },
          ];
    });
  }

  private async ofAction({ id, name, does }: DraftNode, workspace: string): Promise<WorkflowFinding[]> {
    // What is malformed is told already.
    if (!isAction(does) || problemsOfDoes(does).length > 0) return [];
    const found = await this.actions.of(does.is).problems(does, workspace);
    return found.map(({ field, says }) => ({
      severity: 'problem',
      node: id,
      field: `does.${field}`,
      says: `${name}: ${says}`,
    }));
  }
}

/** A reference is answered with the name of its record. */
const comparable = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value ? { id: value.id } : value;
