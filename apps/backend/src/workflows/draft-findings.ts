/** What is wrong with a draft. */
import { Injectable } from '@nestjs/common';
import {
  bytesOf,
  findingsOf,
  graphOf,
  isAction,
  problemsOfDoes,
  type DraftNode,
  type WorkflowDraft,
  type WorkflowFinding,
} from '@quarterdeck/events';
import { ActionRegistry, unknownAction } from './action-registry';
import { WorkflowConditions } from './conditions';

/** Each instance has a copy of it. */
const MAX_GRAPH_BYTES = 256 * 1024;

@Injectable()
export class DraftFindings {
  constructor(
    private readonly actions: ActionRegistry,
    private readonly conditions: WorkflowConditions,
  ) {}

  async of(draft: WorkflowDraft, workspace: string): Promise<WorkflowFinding[]> {
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
    const action = this.actions.find(does.is);
    const unknown = { field: 'is', says: unknownAction(does.is) };
    const found = action ? await action.problems(does, workspace) : [unknown];
    return found.map(({ field, says }) => ({
      severity: 'problem',
      node: id,
      field: `does.${field}`,
      says: `${name}: ${says}`,
    }));
  }
}
