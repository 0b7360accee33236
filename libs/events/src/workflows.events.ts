/**
 * Events about versions and instances of workflows. Each has a stream of its own. The graph is copied into both, so an
 * edit never reaches what was published or runs.
 *
 * An instance records which transition was taken. Folds never evaluate a condition: another version of the library
 * would take another way.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { nodeEnds, transitionEnds, type WorkflowDoes } from './workflow-graph';

const graph = z.object({
  start: z.uuid(),
  nodes: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** As it was accepted; a later version may accept other actions. */
      does: z.looseObject({ is: z.string() }) as unknown as z.ZodType<WorkflowDoes>,
      keepAs: z.string(),
      place: z.object({ x: z.number(), y: z.number() }).nullable(),
    }),
  ),
  transitions: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      from: z.uuid(),
      to: z.uuid(),
      on: z.enum(transitionEnds),
      when: z.string(),
      order: z.int(),
    }),
  ),
});

const workflow = z.object({ id: z.uuid(), name: z.string() });
const state = z.uuid();

export const workflowVersionEvents = {
  WorkflowPublished: defineEvent(z.object({ workflow, version: z.int(), graph })),
};

/** Why an instance was started. `id` and `name`: of the trigger. `visit`: of the instance `id` that started this one. */
const cause = z.object({
  is: z.enum(['person', 'schedule', 'webhook', 'event', 'workflow', 'fork']),
  id: z.uuid().optional(),
  name: z.string().optional(),
  visit: z.int().optional(),
  /** Log position of the event. */
  position: z.string().optional(),
});

export const workflowInstanceEvents = {
  WorkflowInstanceStarted: defineEvent(
    z.object({
      workflow,
      version: z.int(),
      graph,
      data: z.json(),
      cause,
      /** Nothing is done outside: results are those of `forkedFrom`, or asked. */
      dry: z.literal(true).optional(),
      /** It begins at the node of that visit. */
      forkedFrom: z.object({ instance: z.uuid(), visit: z.int() }).optional(),
      /** The first node, if it is not the start of the graph. */
      begin: z.uuid().optional(),
    }),
  ),
  /** `visit`: counted from 1. `state`: its id. `name`: of the node. `transition`: the one that was taken. */
  WorkflowNodeEntered: defineEvent(
    z.object({
      visit: z.int(),
      state,
      node: z.uuid(),
      name: z.string(),
      transition: z.uuid().optional(),
      due: z.string().optional(),
      /** Somebody has to say what comes of it. */
      asks: z
        .object({ role: z.string(), choices: z.array(z.string()), question: z.string().optional() })
        .optional(),
      /** Id under which its action is done. An action with an id that is known is not done again. */
      action: z.uuid().optional(),
    }),
  ),
  WorkflowNodeLeft: defineEvent(
    z.object({
      visit: z.int(),
      end: z.enum(nodeEnds),
      result: z.json(),
      choice: z.string().optional(),
      /** The id of the person who answered or skipped. */
      by: z.string().optional(),
      note: z.string().optional(),
      /** The data from now on, if they changed. */
      data: z.json().optional(),
      /** Chosen by a person, with end `skipped`. */
      transition: z.uuid().optional(),
      /** In a dry instance: the visit of `forkedFrom` whose result this is. */
      recalled: z.int().optional(),
    }),
  ),
  /**
   * It cannot go on by itself. `at`: the node could not be entered or done, or the next transition not be chosen.
   */
  WorkflowInstanceStopped: defineEvent(
    z.object({ visit: z.int(), at: z.enum(['node', 'transition']), reason: z.string() }),
  ),
  /** `again`: the node is entered again, as a visit of its own. Otherwise its next transition is chosen again. */
  WorkflowInstanceResumed: defineEvent(z.object({ visit: z.int(), again: z.boolean() })),
  WorkflowDataRevised: defineEvent(z.object({ visit: z.int(), data: z.json() })),
  WorkflowInstanceEnded: defineEvent(
    z.object({ is: z.enum(['completed', 'cancelled']), reason: z.string().optional() }),
  ),
  /** The action of a visit that was skipped, or at which the instance was cancelled, is seen to. */
  WorkflowActionCancelled: defineEvent(z.object({ visit: z.int() })),
  WorkflowInstanceRemoved: defineEvent(z.object({})),
};
