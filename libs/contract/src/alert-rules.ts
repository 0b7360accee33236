/** Trying a rule on the past, in addition to the kit's calls. */
import { alertRule } from '@quarterdeck/events';
import { byId, object } from '@quarterdeck/events/inputs';
import { fieldsInput } from '@quarterdeck/events/kit';
import { triedRule } from '@quarterdeck/projections';
import { calls } from './call';
import { demo } from './demo';
import { valuesOf } from './kit-examples';

/** Not cached: new probes change the answer, and no event announces them. */
const trial = {
  costs: 'work',
  answer: triedRule,
  shows: 'alertRules',
  wide: true,
  volatile: true,
} as const;

export const alertRules = calls(alertRule.path, 'admin', {
  try: {
    summary: 'When an alert rule would have told in the past 30 days, switched on or not',
    input: byId,
    example: { id: demo.alertRule },
    ...trial,
  },
  preview: {
    summary: 'The same for a rule that is not saved yet',
    input: object({ data: fieldsInput(alertRule) }),
    example: { data: valuesOf(alertRule, 'Nights') },
    ...trial,
  },
});
