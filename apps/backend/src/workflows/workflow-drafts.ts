/** Drafts of workflows, and how one becomes the same as a version. */
import { Inject, Injectable } from '@nestjs/common';
import {
  workflow as workflowNoun,
  workflowNode,
  workflowTransition,
  type DraftNode,
  type DraftTransition,
  type WorkflowDraft,
  type WorkflowGraph,
} from '@quarterdeck/events';
import { followUp, nameKey } from '../platform/decisions';
import { notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';
import { detailOf, listOf, PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';

@Injectable()
export class WorkflowDrafts {
  constructor(
    @Inject(DB) private readonly db: Pool,
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

  /** Makes the draft the same as a graph. If it fails in between, the same again completes it. */
  async become(id: string, graph: WorkflowGraph, meta: CommandMeta): Promise<void> {
    const { nodes, transitions } = await this.draft(id, meta.workspace);
    const kept = new Set([...graph.nodes, ...graph.transitions].map((one) => one.id));
    // What goes comes first, because its names may be taken again.
    for (const one of transitions.filter((each) => !kept.has(each.id)))
      await this.transitions.remove(one.id, one.name, meta);
    for (const one of nodes.filter((each) => !kept.has(each.id)))
      await this.nodes.remove(one.id, one.name, meta);
    const present = nodes.filter((each) => kept.has(each.id));
    const there = await this.withoutClashes(graph, present, meta);
    for (const { id: node, ...fields } of graph.nodes)
      await this.set(this.nodes, node, { ...fields, isStart: node === graph.start }, there.get(node), meta);
    for (const { id: transition, from, to, ...fields } of graph.transitions) {
      const before = transitions.find((one) => one.id === transition);
      if (!before) await this.transitions.restore(transition, meta);
      const ends = { from: { id: from }, to: { id: to } };
      await this.set(this.transitions, transition, { ...fields, ...ends }, before, meta);
    }
  }

  /**
   * Brings back the nodes that are missing, and makes room for the names of the graph: no two nodes may have the same
   * name at any time, so nodes that exchange names have others in between.
   * @returns the nodes of the graph as they are then
   */
  private async withoutClashes(
    { nodes }: WorkflowGraph,
    present: readonly DraftNode[],
    meta: CommandMeta,
  ): Promise<ReadonlyMap<string, NamedNode>> {
    const there = new Map<string, NamedNode>(present.map((one) => [one.id, one]));
    const rename = async (node: string, before: NamedNode): Promise<void> => {
      const name = `restoring ${node}`;
      // Under the same id, the edit that follows would be taken for a repetition of this one.
      await this.nodes.edit(node, { name }, followUp(meta));
      there.set(node, { ...before, name });
    };
    for (const { id: node } of nodes.filter((each) => !there.has(each.id))) {
      // It comes back with the name that it had last.
      const last = (await this.nodes.last(node, meta.workspace)) as unknown as NamedNode;
      for (const [holder, one] of there)
        if (nameKey(one.name) === nameKey(last.name)) await rename(holder, one);
      await this.nodes.restore(node, meta);
      there.set(node, last);
    }
    const owners = new Map(nodes.map((one) => [nameKey(one.name), one.id]));
    for (const [node, one] of there)
      if ((owners.get(nameKey(one.name)) ?? node) !== node) await rename(node, one);
    return there;
  }

  private async set(
    things: PlainRecords,
    id: string,
    fields: Record<string, unknown>,
    before: object | undefined,
    meta: CommandMeta,
  ): Promise<void> {
    const was = before as Record<string, unknown> | undefined;
    const isSame = Object.entries(fields).every(([key, value]) =>
      sameData(comparable(value), comparable(was?.[key])),
    );
    if (!isSame) await things.edit(id, fields, meta);
  }
}

type NamedNode = Pick<DraftNode, 'name'>;

/** A reference is answered with the name of its record. */
const comparable = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value ? { id: value.id } : value;
