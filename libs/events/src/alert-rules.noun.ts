/**
 * Rules about telling: after how long, to whom, and how often again. What no rule covers is told at once to every channel
 * that wants it.
 */
import { causeWords } from './alert-causes';
import { leastSeverities } from './alert-channels.noun';
import { choice, flag, group, integer, several, text } from './kit/field';
import { noun } from './kit/noun';
import { rich } from './kit/rich';
import { weeklyTimes } from './weekly-times';

const plainRule = noun('alertRule', {
  path: 'alert-rule',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    causes: several({ of: causeWords }, { help: 'If empty, all.' }),
    leastSeverity: choice(leastSeverities, {
      omitted: 'notice',
      help: 'The rule does not cover alerts below it.',
    }),
    servers: several({ to: 'server' }, { help: 'With their sites and services.' }),
    sites: several({ to: 'domain' }),
    products: several(
      { to: 'product' },
      { help: 'With their services. If no server, site or product is chosen, the rule covers all.' },
    ),
    holdsMinutes: integer(1440, {
      label: 'Tell after (minutes)',
      omitted: 0,
      help: 'Only what lasts that long is told. 0: at once.',
      half: true,
    }),
    repeatHours: integer(168, {
      label: 'Tell again every (hours)',
      omitted: 0,
      help: 'While it lasts. 0: never.',
      half: true,
    }),
    channels: several({ to: 'alertChannel' }, { help: 'If empty, all channels.' }),
    quietHours: group(weeklyTimes, {
      optional: true,
      help: 'What is not critical waits, and is told at their end if it is still open.',
      since: { version: 2, value: null },
    }),
  },
});

export const alertRule = rich(plainRule, {
  // A rule is tried on the past before it counts.
  state: { enabled: flag({ label: 'Switched on' }) },
  commands: (command) => ({
    switchOn: command('AlertRuleEnabled', {
      takes: {},
      says: () => 'switched on',
      sets: () => ({ enabled: true }),
      undo: 'switchOff',
    }),
    switchOff: command('AlertRuleDisabled', {
      takes: {},
      says: () => 'switched off',
      sets: () => ({ enabled: false }),
      undo: 'switchOn',
    }),
  }),
});
