/** The form of a trigger: the fields that fit what starts the instances. */
import { workflowTrigger, type TriggerKind } from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { z } from 'zod';
import { knownTypes } from '../../records/history';
import type { Field } from '../../ui/ResourceForm';

const kinds: Readonly<Record<TriggerKind, string>> = {
  webhook: 'A webhook',
  schedule: 'A schedule',
  event: 'An event of the log',
};

const of =
  (kind: TriggerKind) =>
  ({ starts }: Readonly<Record<string, unknown>>): boolean =>
    starts === kind;

export const triggerFields: readonly Field[] = [
  { name: 'name', label: 'Name', type: 'text', placeholder: 'Every morning' },
  {
    name: 'starts',
    label: 'Started by',
    type: 'select',
    options: Object.entries(kinds).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'schedule',
    label: 'Schedule',
    type: 'text',
    mono: true,
    placeholder: '0 6 * * 1-5',
    help: 'Five fields as in crontab, in UTC: minute, hour, day, month, weekday.',
    when: of('schedule'),
  },
  {
    name: 'data',
    label: 'Data',
    type: 'json',
    rows: 4,
    optional: true,
    help: 'JSON: the data of each instance.',
    when: of('schedule'),
  },
  {
    name: 'isSigned',
    label: 'Signature required',
    type: 'checkbox',
    help: 'Each call has to be signed with the secret of its token.',
    when: of('webhook'),
  },
  {
    name: 'event',
    label: 'Event',
    type: 'select',
    options: knownTypes,
    when: of('event'),
  },
  {
    name: 'filter',
    label: 'Condition',
    type: 'textarea',
    rows: 2,
    mono: true,
    optional: true,
    placeholder: 'event.data.about == "certificateExpiry"',
    help: 'CEL over event. If empty, each event of this type starts an instance.',
    when: of('event'),
  },
  { name: 'isOn', label: 'On', type: 'checkbox', help: 'A trigger that is off starts nothing.' },
];

/** Every trigger says whether calls are signed, and the form asks it only for a webhook. */
const withSigned = <S extends z.ZodType>(schema: S, isSigned: boolean) =>
  z.preprocess((typed) => ({ isSigned, ...(typed as object) }), schema);

export const newTrigger = withSigned(fieldsInput(workflowTrigger), true);

export const editedTrigger = (values: Record<string, unknown> & { isSigned: boolean }) =>
  withSigned(fieldsInput(workflowTrigger, 'editForm', values), values.isSigned);

export const startsInWords = ({
  starts,
  schedule,
  event,
}: {
  starts: string;
  schedule: string;
  event: string;
}): string => {
  if (starts === 'schedule') return `Schedule ${schedule} (UTC)`;
  return starts === 'event' ? `Event ${event}` : 'Webhook';
};
