import type { RunWords } from './define-run';

export const requestRuns = {
  savedRequest: {
    label: () => 'Send request',
    steps: { send: 'Send and receive' },
  },
  recordAnswer: {
    label: () => 'Record answer',
    steps: { record: 'Record' },
  },
} satisfies Record<string, RunWords>;
