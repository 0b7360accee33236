/** The form of a node: its fields for each kind of action, and what is sent. */
import {
  commandTypes,
  problemsOfDoes,
  workflowNode,
  type WorkflowDoes,
  type WorkflowDoesIs,
} from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { z } from 'zod';
import { scriptChoices, serverChoices } from '../../records/choices';
import type { Choices } from '../../ui/choice';
import type { Field } from '../../ui/ResourceForm';
import { amountOf, kinds, secondsIn, unitNames, type Unit } from './workflow-words';

export interface NodeValues {
  name: string;
  does: WorkflowDoes;
  isStart: boolean;
  keepAs: string;
  place?: { x: number; y: number } | null;
}

/** Values as the form has them: durations with a unit, choices and arguments on lines. */
type FormDoes = Record<string, unknown> & { is: WorkflowDoesIs };

export interface Lists {
  requests: Choices;
  workflows: Choices;
  services: readonly { value: string; label: string }[];
}

const environments = [
  { value: 1, label: 'dev' },
  { value: 2, label: 'test' },
  { value: 3, label: 'prod' },
];
const unitOptions = unitNames.map((unit) => ({ value: unit, label: `${unit}s` }));
const of =
  (...asked: WorkflowDoesIs[]) =>
  ({ is }: Readonly<Record<string, unknown>>): boolean =>
    asked.includes(is as WorkflowDoesIs);

const duration = (label: string, { help, ...rest }: Partial<Field>): Field[] => [
  { name: 'amount', label, type: 'number', half: true, ...rest, ...(help && { help }) } as Field,
  {
    name: 'unit',
    label: 'Unit',
    type: 'select',
    options: unitOptions,
    half: true,
    ...rest,
    optional: false,
  } as Field,
];

/** Fields of what a node does; each kind of action has its own. */
const doesFields = ({ requests, workflows, services }: Lists): Field[] => [
  {
    name: 'is',
    label: 'Kind',
    type: 'select',
    options: Object.entries(kinds).map(([value, { label }]) => ({ value, label })),
  },
  {
    name: 'waits',
    label: 'How long',
    type: 'select',
    options: [
      { value: 'for', label: 'For a duration' },
      { value: 'until', label: 'Until a time' },
    ],
    when: of('wait'),
  },
  ...duration('Duration', { when: ({ is, waits }) => is === 'wait' && waits !== 'until' }),
  {
    name: 'until',
    label: 'Time',
    type: 'text',
    mono: true,
    placeholder: '2026-05-01T08:00:00Z',
    help: 'An instant, or a value of the data, such as {{data.delivery.at}}.',
    when: ({ is, waits }) => is === 'wait' && waits === 'until',
  },
  {
    name: 'question',
    label: 'Question',
    type: 'text',
    optional: true,
    placeholder: 'Ship order {{data.order.id}}?',
    when: of('person'),
  },
  {
    name: 'choices',
    label: 'Choices',
    type: 'textarea',
    rows: 3,
    placeholder: 'Approve\nReject',
    help: 'One on each line. Each becomes a button.',
    when: of('person'),
  },
  {
    name: 'role',
    label: 'Who may answer',
    type: 'select',
    options: ['member', 'admin', 'superadmin'].map((role) => ({ value: role, label: `${role} or higher` })),
    when: of('person'),
  },
  ...duration('Time limit', {
    optional: true,
    help: 'Needs a transition for “Nobody answered in time”.',
    when: of('person'),
  }).map((field) => ({ ...field, name: field.name === 'amount' ? 'dueAmount' : 'dueUnit' })),
  { name: 'request.id', label: 'Request', type: 'reference', from: requests, when: of('savedRequest') },
  { name: 'workflow.id', label: 'Workflow', type: 'reference', from: workflows, when: of('workflow') },
  {
    name: 'server.id',
    label: 'Server',
    type: 'reference',
    from: serverChoices,
    when: of('command', 'script'),
  },
  {
    name: 'cmdType',
    label: 'Command',
    type: 'select',
    options: commandTypes.map(({ cmdType, label }) => ({ value: cmdType, label })),
    when: of('command'),
  },
  { name: 'script.id', label: 'Script', type: 'reference', from: scriptChoices, when: of('script') },
  {
    name: 'args',
    label: 'Arguments',
    type: 'textarea',
    rows: 3,
    mono: true,
    optional: true,
    placeholder: '{{data.order.id}}',
    help: 'One on each line, read by the script as $1, $2 and so on. They may name data, such as {{data.order.id}}.',
    when: of('script'),
  },
  {
    name: 'service.id',
    label: 'Service',
    type: 'select',
    options: services,
    numeric: false,
    when: of('deploy'),
  },
  {
    name: 'packageId',
    label: 'Package',
    type: 'text',
    optional: true,
    mono: true,
    help: 'If empty, the package that the service runs now is deployed again.',
    when: of('deploy'),
  },
  {
    name: 'env.id',
    label: 'Environment',
    type: 'select',
    optional: true,
    options: environments,
    when: of('savedRequest', 'deploy'),
  },
  {
    name: 'inputs',
    label: 'Inputs',
    type: 'list',
    row: 'Input',
    help: 'Values may name data, such as {{data.order.id}}.',
    fields: [
      { name: 'name', label: 'Name', type: 'text', half: true },
      { name: 'value', label: 'Value', type: 'text', half: true, sendsEmpty: true },
    ],
    when: of('savedRequest'),
  },
  { name: 'title', label: 'Title', type: 'text', when: of('notification') },
  { name: 'text', label: 'Text', type: 'textarea', rows: 3, optional: true, when: of('notification') },
];

export const nodeFields = (lists: Lists): readonly Field[] => [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'does', label: 'Action', type: 'group', fields: doesFields(lists) },
  {
    name: 'keepAs',
    label: 'Keep the result as',
    type: 'text',
    optional: true,
    mono: true,
    sendsEmpty: true,
    placeholder: 'answer',
    help: 'Conditions and later nodes read it as data.answer. If empty, only the conditions after this node can read it.',
  },
  { name: 'isStart', label: 'Instances start here', type: 'checkbox' },
];

const durationOf = (seconds: number | undefined, amount: string, unit: string): Record<string, unknown> => {
  if (seconds === undefined) return { [unit]: 'minute' };
  const given = amountOf(seconds);
  return { [amount]: given.amount, [unit]: given.unit };
};

/** The values of a node as the form shows them. */
export const inForm = ({ does, ...node }: NodeValues): Record<string, unknown> => {
  const { choices, args, ...rest } = does as WorkflowDoes & { choices?: string[]; args?: string[] };
  const { seconds, dueSeconds, until } = rest as { seconds?: number; dueSeconds?: number; until?: string };
  return {
    ...node,
    does: {
      role: 'admin',
      ...rest,
      waits: until === undefined || until === '' ? 'for' : 'until',
      choices: choices?.join('\n') ?? '',
      args: args?.join('\n') ?? '',
      ...durationOf(seconds, 'amount', 'unit'),
      ...durationOf(dueSeconds, 'dueAmount', 'dueUnit'),
    },
  };
};

const secondsOf = (amount: unknown, unit: unknown): number | undefined =>
  typeof amount === 'number' ? Math.round(amount * secondsIn((unit ?? 'second') as Unit)) : undefined;

const linesIn = (text: unknown): string[] => (typeof text === 'string' ? text.split('\n') : []);

/** What the node does, from the form. A key that has no value is left out. */
export const doesFromForm = (form: FormDoes): WorkflowDoes => {
  const { amount, unit, dueAmount, dueUnit, waits: _waits, choices, args, ...rest } = form;
  const seconds = form.is === 'wait' ? secondsOf(amount, unit) : undefined;
  const dueSeconds = form.is === 'person' ? secondsOf(dueAmount, dueUnit) : undefined;
  return {
    ...rest,
    ...(seconds !== undefined && { seconds }),
    ...(dueSeconds !== undefined && { dueSeconds }),
    ...(form.is === 'person' && {
      choices: linesIn(choices)
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    }),
    // An empty line between others is an empty argument: those after it keep their number.
    ...(form.is === 'script' && typeof args === 'string' && { args: linesIn(args.trimEnd()) }),
  } as unknown as WorkflowDoes;
};

/** The form's field that a message about a part of the action belongs to. */
export const fieldOfDoes = (field: string): string =>
  `does.${{ seconds: 'amount', dueSeconds: 'dueAmount', request: 'request.id', workflow: 'workflow.id', server: 'server.id', script: 'script.id', service: 'service.id', env: 'env.id' }[field] ?? field}`;

const given = z.looseObject({ does: z.looseObject({}).optional(), arrow: z.unknown().optional() });
const whole = fieldsInput(workflowNode);

/**
 * Accepts what the call accepts, and puts each message under the field that it is about. `arrow` is the transition to a
 * new node.
 */
export const nodeSchema = given.transform((form, ctx): NodeValues & { arrow?: unknown } => {
  const { arrow, ...node } = form;
  const does = doesFromForm({ is: 'none', ...form.does });
  for (const { field, says } of problemsOfDoes(does))
    ctx.addIssue({ code: 'custom', path: fieldOfDoes(field).split('.'), message: says });
  const checked = whole.safeParse({ keepAs: '', isStart: false, ...node, does });
  if (!checked.success)
    for (const { path, message } of checked.error.issues)
      if (path[0] !== 'does') ctx.addIssue({ code: 'custom', path: [...path], message });
  return { keepAs: '', isStart: false, ...node, does, arrow } as unknown as NodeValues & { arrow?: unknown };
});
