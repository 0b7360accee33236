/**
 * The graph of a workflow: as a draft, in each version, and copied into each instance. Browser and back end share the
 * types, and the rules for what a node does.
 */
import { commandOf } from './commands';
import { environments } from './databases.noun';
import { roles, type Role } from './roles';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Ref {
  id: string;
}

/**
 * What a node does. Texts may have `{{data.order.id}}`, which is replaced by that value of the instance's data when the
 * node is entered.
 */
export type WorkflowDoes =
  /** Goes on at once. */
  | { is: 'none' }
  /** For `seconds`, or until an instant, such as `2026-05-01T08:00:00Z` or `{{data.delivery.at}}`. */
  | { is: 'wait'; seconds?: number; until?: string }
  /** Until somebody with this role, or a higher one, makes a choice. Later than `dueSeconds` it ends as `late`. */
  | { is: 'person'; role: Role; choices: string[]; question?: string; dueSeconds?: number }
  | {
      is: 'savedRequest';
      request: Ref;
      /** 1 dev (default), 2 test, 3 prod. */
      env?: { id: number };
      inputs?: { name: string; value: string }[];
    }
  /** One of the fixed commands. */
  | { is: 'command'; server: Ref; cmdType: number }
  /** `args`: what the script reads as `$1`, `$2` and so on. */
  | { is: 'script'; server: Ref; script: Ref; args?: string[] }
  /** Without `packageId`: the package that the service runs now. */
  | { is: 'deploy'; service: Ref; packageId?: string; env?: { id: number } }
  | { is: 'notification'; title: string; text?: string }
  /** Its data are this instance's, and its last data are the result. */
  | { is: 'workflow'; workflow: Ref };

export type WorkflowDoesIs = WorkflowDoes['is'];

/** How a node is left: `late` by a person who did not answer in time, `skipped` by one who chose the transition. */
/**
 * `running`: between two nodes. `waiting`: for a time. `asking`: for a person. `acting`: its action is under way.
 * `stopped`: it cannot go on by itself.
 */
export const workflowInstanceStates = [
  'running',
  'waiting',
  'asking',
  'acting',
  'stopped',
  'completed',
  'cancelled',
] as const;

export const nodeEnds = ['done', 'failed', 'late', 'skipped'] as const;
export type NodeEnd = (typeof nodeEnds)[number];
/** Ends that a transition is for. */
export const transitionEnds = ['done', 'failed', 'late'] as const;
export type TransitionEnd = (typeof transitionEnds)[number];

export interface WorkflowGraphNode {
  id: string;
  name: string;
  does: WorkflowDoes;
  /** The key of the data under which the result is kept; empty: it is not kept. */
  keepAs: string;
  place: { x: number; y: number } | null;
}

export interface WorkflowGraphTransition {
  id: string;
  name: string;
  from: string;
  to: string;
  on: TransitionEnd;
  /** CEL over `data`, `result`, `choice` and `end`. Empty: always. */
  when: string;
  /** Of the transitions that fit, the first is taken. They are in this order. */
  order: number;
}

export interface WorkflowGraph {
  /** Id of the node. */
  start: string;
  nodes: WorkflowGraphNode[];
  transitions: WorkflowGraphTransition[];
}

/** In bytes, as JSON. */
export const MAX_WORKFLOW_DATA = 64 * 1024;
export const MAX_WORKFLOW_NODES = 200;
export const MAX_WORKFLOW_TRANSITIONS = 600;
const YEAR = 366 * 86_400;
const MAX_CHOICES = 20;

export const bytesOf = (data: unknown): number => new TextEncoder().encode(JSON.stringify(data)).length;

/** Why data are not accepted; undefined if they are. */
export const refusedWorkflowData = (data: unknown): string | undefined => {
  const bytes = bytesOf(data);
  return bytes > MAX_WORKFLOW_DATA
    ? `the data have ${Math.ceil(bytes / 1024)} kB as JSON, and at most 64 kB are accepted`
    : undefined;
};

type JsonObject = Readonly<Record<string, unknown>>;
type Rule = (value: unknown) => string | undefined;

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null || value === '' ? undefined : rule(value);
const line =
  (max: number): Rule =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= max
      ? undefined
      : `a text of 1 to ${max} characters is expected`;
const whole =
  (min: number, max: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      ? undefined
      : `a whole number from ${min} to ${max} is expected`;
const ref =
  (what: string): Rule =>
  (value) =>
    isRecord(value) && typeof value['id'] === 'string' && UUID.test(value['id'])
      ? undefined
      : `choose ${what}`;
const env: Rule = (value) =>
  isRecord(value) && Number.isInteger(value['id']) && environments[Number(value['id']) - 1] !== undefined
    ? undefined
    : 'an environment is expected, as its id: 1 dev, 2 test, 3 prod';

const until: Rule = (value) => {
  if (typeof value !== 'string' || value.length > 200) return 'an instant is expected';
  return value.includes('{{') || (/\dT\d/.test(value) && !Number.isNaN(Date.parse(value)))
    ? undefined
    : 'an instant is expected, such as 2026-05-01T08:00:00Z or {{data.delivery.at}}';
};

const choices: Rule = (value) => {
  if (!Array.isArray(value) || value.length === 0)
    return 'at least one choice with a name is expected, such as Approve';
  if (value.length > MAX_CHOICES) return `at most ${MAX_CHOICES} choices are accepted`;
  if (value.some((one) => line(100)(one) !== undefined))
    return 'each choice needs a name of at most 100 characters';
  return new Set(value.map((one: string) => one.trim().toLowerCase())).size < value.length
    ? 'two choices have the same name'
    : undefined;
};

const inputs: Rule = (value) =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every(
    (one) =>
      isRecord(one) &&
      line(200)(one['name']) === undefined &&
      typeof one['value'] === 'string' &&
      one['value'].length <= 4000,
  )
    ? undefined
    : 'at most 50 inputs are expected, each with a name and a value';

const args: Rule = (value) =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every((one) => typeof one === 'string' && one.length <= 4000)
    ? undefined
    : 'at most 50 texts are expected, each of at most 4000 characters';

/** The fields of each action with their rules. A feature with a further action adds it here. */
const fieldsOfDoes: Readonly<Record<WorkflowDoesIs, Readonly<Record<string, Rule>>>> = {
  none: {},
  wait: { seconds: optional(whole(1, YEAR)), until: optional(until) },
  person: {
    role: (value) =>
      (roles as readonly unknown[]).includes(value) ? undefined : `expected ${roles.join(', ')}`,
    choices,
    question: optional(line(500)),
    dueSeconds: optional(whole(1, YEAR)),
  },
  savedRequest: { request: ref('a saved request'), env: optional(env), inputs: optional(inputs) },
  command: {
    server: ref('a server'),
    cmdType: (value) => (typeof value === 'number' && commandOf(value) ? undefined : 'choose a command'),
  },
  script: { server: ref('a server'), script: ref('a script'), args: optional(args) },
  deploy: { service: ref('a service'), packageId: optional(line(100)), env: optional(env) },
  notification: { title: line(200), text: optional(line(2000)) },
  workflow: { workflow: ref('a workflow') },
};

export const doesKinds = Object.keys(fieldsOfDoes) as WorkflowDoesIs[];

/** What is wrong with what a node does, by field. */
export const problemsOfDoes = (does: unknown): { field: string; says: string }[] => {
  const is = isRecord(does) ? does['is'] : undefined;
  if (!isRecord(does) || typeof is !== 'string' || !Object.hasOwn(fieldsOfDoes, is))
    return [{ field: 'is', says: `one of ${doesKinds.join(', ')} is expected` }];
  const rules = fieldsOfDoes[is as WorkflowDoesIs];
  const unknown = Object.keys(does)
    .filter((key) => key !== 'is' && !Object.hasOwn(rules, key))
    .map((field) => ({ field, says: 'this key cannot be included' }));
  const wrong = Object.entries(rules).flatMap(([field, rule]) => {
    const says = rule(does[field]);
    return says === undefined ? [] : [{ field, says }];
  });
  const lengths = ['seconds', 'until'].filter((key) => optional(() => 'given')(does[key]) !== undefined);
  if (is === 'wait' && lengths.length !== 1)
    wrong.push({ field: 'seconds', says: 'set either a duration or a time' });
  return [...unknown, ...wrong];
};

/** An action is carried out by a feature and has a result; the others are the workflow's own. */
export const isAction = ({ is }: Pick<WorkflowDoes, 'is'>): boolean =>
  is !== 'none' && is !== 'wait' && is !== 'person';
