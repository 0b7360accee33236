import type { RunWords } from './define-run';

export const mailRuns = {
  resendEmail: {
    label: () => 'Resend e-mail',
    steps: { send: 'Hand it to the mail server' },
  },
} satisfies Record<string, RunWords>;
