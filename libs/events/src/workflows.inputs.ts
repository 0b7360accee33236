/** Input schemas of the calls about workflows. */
import { z } from 'zod';
import {
  anyJson,
  array,
  boolean,
  integer,
  json,
  longText,
  numericId,
  object,
  oneOf,
  optionalText,
  text,
  uuid,
} from './rules';
import { position } from './history.inputs';
import { MAX_WORKFLOW_DATA, workflowInstanceStates, type Json } from './workflow-graph';

const one = object({ id: uuid });

/** A condition as it is typed. */
export const workflowCondition = object({ when: longText(2000) });

/** Any JSON, at most 64 kB. */
export const workflowData = json({}, MAX_WORKFLOW_DATA) as z.ZodType<Json, Json>;

/** The workflows of one page of their list. */
export const workflowsListed = object({ workflows: array(uuid, 100) });

/** The version of a workflow. */
export const workflowVersionOf = object({ id: uuid, version: numericId() });
/** 0: the empty graph. Without `to`: the draft. */
export const workflowDifference = object({ id: uuid, from: integer(), to: numericId().optional() });

/** `before`: the `next` of the page before. */
export const workflowInstancePage = object({
  id: uuid,
  is: oneOf(workflowInstanceStates).optional(),
  before: position.optional(),
  limit: numericId(200).optional(),
});

/** Without `version`: the newest one. Without `data`: {}. */
export const workflowStart = object({
  workflow: one,
  version: numericId().optional(),
  data: workflowData.optional(),
});
export const workflowRevise = object({ id: uuid, data: workflowData, revision: integer().optional() });
/**
 * `visit`: the one that the person saw. In a dry instance, `end` and `result` say what its action would have come to.
 */
export const workflowAnswer = object({
  id: uuid,
  visit: numericId(),
  choice: text(100).optional(),
  note: optionalText(2000),
  end: oneOf(['done', 'failed', 'late']).optional(),
  result: workflowData.optional(),
});
export const workflowRetry = object({ id: uuid, visit: integer() });
export const workflowSkip = object({ id: uuid, visit: integer(), transition: uuid });
/** `visit`: the state from which it goes on, with its data or these. */
export const workflowFork = object({
  id: uuid,
  visit: numericId(),
  data: workflowData.optional(),
  dry: boolean,
});
/** Refused with the reason, whatever is given. */
export const workflowStateInsert = object({ data: anyJson({}) });
