/** What starts instances of a workflow by itself: a schedule, a webhook, or an event of the log. */
import { defineNoun } from './define-noun';
import { choice, flag, json, optionalText, text } from './kit/field';
import { noun } from './kit/noun';
import type { Json } from './workflow-graph';
import type { workflowTokenEvents } from './workflow-triggers.events';

export const triggerKinds = ['webhook', 'schedule', 'event'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

const MAX_DATA = 32 * 1024;

export const workflowTrigger = noun('workflowTrigger', {
  path: 'workflow/trigger',
  within: 'workflow',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100, { placeholder: 'Every morning' }),
    isOn: flag({ label: 'On', help: 'A trigger that is off starts nothing.', initial: true }),
    starts: choice<TriggerKind>(triggerKinds, { label: 'Started by', omitted: 'webhook' }),
    schedule: optionalText(100, {
      help: 'For a schedule: five fields as in crontab, in UTC.',
      placeholder: '0 6 * * 1-5',
    }),
    data: json<Json>(
      { type: 'object' },
      { optional: true, max: MAX_DATA, help: 'For a schedule: the data of each instance.' },
    ),
    isSigned: flag({
      label: 'Signature required',
      help: 'For a webhook: each call has to be signed with the secret of its token.',
      initial: true,
    }),
    event: optionalText(100, {
      help: 'For an event of the log: its type, as the history shows it.',
      placeholder: 'AlertRaised',
    }),
    filter: optionalText(2000, {
      help: 'For an event: a condition in CEL over event. If empty, each event of this type starts an instance.',
      placeholder: 'event.data.about == "certificateExpiry"',
    }),
  },
});

export const workflowToken = defineNoun<typeof workflowTokenEvents>()({
  category: 'workflowtoken',
  words: { many: 'Workflow tokens', one: 'One workflow token' },
  rows: 'workflowTokens',
  within: 'workflowTrigger',
  audience: 'admin',
  named: { WorkflowTokenIssued: (d) => `token of ${d.trigger.name}` },
  events: {
    WorkflowTokenIssued: (d) => `issued a token for the webhook ${d.trigger.name}`,
    WorkflowTokenUsed: () => 'called the webhook, for the first time that day',
    WorkflowTokenRevoked: (d) => `revoked the token ${d.fingerprint}`,
  },
  removedBy: 'WorkflowTokenRevoked',
});
