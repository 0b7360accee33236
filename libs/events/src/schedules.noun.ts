/** Work that is started at its times: a script, a fixed command or a saved request. Each time is a run. */
import { commandTypes } from './commands';
import { environments } from './databases.noun';
import { choice, flag, group, optionalText, paragraphs, reference, text } from './kit/field';
import { noun } from './kit/noun';
import { refusedZone } from './weekly-times';

export const scheduledKinds = ['script', 'command', 'request'] as const;
export type ScheduledKind = (typeof scheduledKinds)[number];

const commandLabels = commandTypes.map(({ label }) => label);

const MAX_ARGUMENTS = 20;
const refusedArguments = (lines: string): string | undefined =>
  lines.split('\n').length > MAX_ARGUMENTS ? `at most ${MAX_ARGUMENTS} lines are accepted` : undefined;

export const schedule = noun('schedule', {
  path: 'schedule',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100, { placeholder: 'Nightly clean-up' }),
    isOn: flag({ label: 'On', help: 'A schedule that is off starts nothing.', initial: true }),
    does: choice(scheduledKinds, {
      label: 'What it does',
      words: { script: 'Runs a script', command: 'Runs a fixed command', request: 'Sends a saved request' },
    }),
    // All are loose: a schedule without its target says so, and holds no removal back.
    server: reference('server', { when: ['does', 'script', 'command'], loose: true }),
    script: reference('script', {
      when: ['does', 'script'],
      loose: true,
      help: 'The newest version at each time.',
    }),
    arguments: paragraphs(4000, {
      when: ['does', 'script'],
      help: 'What the script reads as $1, $2 and so on: one a line.',
      refuses: refusedArguments,
    }),
    command: group(
      { name: choice(commandLabels, { label: 'Command' }) },
      { when: ['does', 'command'], label: 'Fixed command' },
    ),
    request: reference('request', { when: ['does', 'request'], loose: true, label: 'Saved request' }),
    sending: group(
      { env: choice(environments, { label: 'Environment' }) },
      { when: ['does', 'request'], help: 'Whose variables and secrets the request gets.' },
    ),
    missed: choice(['catch up', 'skip'], {
      label: 'Times that were missed',
      omitted: 'catch up',
      words: { 'catch up': 'Run once for the newest one', skip: 'Leave them out' },
    }),
    overlap: choice(['skip', 'wait'], {
      label: 'If its last run is still going',
      omitted: 'skip',
      words: { skip: 'Leave this time out', wait: 'Run when it has ended' },
    }),
    times: text(100, {
      label: 'Times',
      placeholder: '0 6 * * 1-5',
      help: 'Five fields as in crontab: minute, hour, day, month, weekday.',
      example: '0 6 * * 1-5',
      half: true,
    }),
    zone: optionalText(60, {
      label: 'Time zone',
      placeholder: 'Europe/Berlin',
      help: 'If empty, UTC.',
      half: true,
      refuses: refusedZone,
    }),
  },
});
