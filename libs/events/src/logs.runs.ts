import type { RunWords } from './define-run';

export const logRuns = {
  saveLog: {
    label: () => 'Saved log',
    steps: { log: 'Read the log' },
  },
} satisfies Record<string, RunWords>;
