import type { RunWords } from './define-run';
import { scriptRuns } from './scripts.runs';
import { commandRuns } from './servers.runs';

/** One command or one script on many servers. */
export const fleetRuns = {
  fleet: {
    label: (input) => (input.cmdType === undefined ? scriptRuns.script : commandRuns.command).label(input),
    steps: { servers: 'On each server' },
  },
} satisfies Record<string, RunWords>;
