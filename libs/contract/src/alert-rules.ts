/** Trying a rule on the past, in addition to the kit's calls. */
import { alertRule } from '@quarterdeck/events';
import { byId } from '@quarterdeck/events/inputs';
import { triedRule } from '@quarterdeck/projections';
import { calls } from './call';
import { demo } from './demo';

export const alertRules = calls(alertRule.path, 'admin', {
  try: {
    summary: 'When an alert rule would have told in the past 30 days, switched on or not',
    input: byId,
    example: { id: demo.alertRule },
    costs: 'work',
    answer: triedRule,
    // The probes and events of the past month are more than events announce: whoever asks again gets a new answer.
    shows: 'alertRules',
    wide: true,
    volatile: true,
  },
});
