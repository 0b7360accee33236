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
  requestCollection: {
    label: () => 'Run collection',
    steps: { requests: 'Each request' },
  },
} satisfies Record<string, RunWords>;
