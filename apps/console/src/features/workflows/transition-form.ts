/** The form of a transition. */
import { transitionEnds, type TransitionEnd } from '@quarterdeck/events';
import { z } from 'zod';
import type { Field } from '../../ui/ResourceForm';
import { endsInWords } from './workflow-words';

export const WHEN_HELP =
  'CEL over data, result, choice and end, such as data.total > 100 && choice == "Approve". If empty, it always applies.';

const ends = transitionEnds.map((value) => ({ value, label: endsInWords[value] }));

/** Below the fields of a new node: the transition that leads to it. */
export const arrowFields = (from: string): readonly Field[] => [
  {
    name: 'arrow',
    label: `Transition from ${from}`,
    type: 'group',
    fields: [
      { name: 'on', label: `When ${from} is`, type: 'select', options: ends },
      { name: 'when', label: 'Condition', type: 'text', mono: true, optional: true, help: WHEN_HELP },
    ],
  },
];

export const arrowOf = (arrow: unknown): { on: TransitionEnd; when: string } => {
  const { on = 'done', when = '' } = (arrow ?? {}) as { on?: TransitionEnd; when?: string };
  return { on, when };
};

export interface Option {
  value: string;
  label: string;
}

export const transitionFields = (nodes: readonly Option[]): readonly Field[] => [
  { name: 'from', label: 'From', type: 'select', options: nodes, numeric: false, half: true },
  { name: 'to', label: 'To', type: 'select', options: nodes, numeric: false, half: true },
  { name: 'on', label: 'When the node is', type: 'select', options: ends },
  {
    name: 'when',
    label: 'Condition',
    type: 'textarea',
    rows: 2,
    mono: true,
    optional: true,
    help: WHEN_HELP,
  },
  {
    name: 'order',
    label: 'Order',
    type: 'number',
    half: true,
    help: 'Of those that apply, the one with the lowest number is taken.',
  },
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    optional: true,
    half: true,
    help: 'Default: the names of the nodes.',
  },
];

export const transitionSchema = z.object({
  from: z.string('choose a node'),
  to: z.string('choose a node'),
  on: z.enum(transitionEnds),
  when: z.string().max(2000, 'at most 2000 characters are accepted').default(''),
  order: z.int('a whole number is expected').min(0).max(9999, 'at most 9999 is accepted').default(1),
  name: z.string().max(200, 'at most 200 characters are accepted').default(''),
});
