/** The SSL monitor. */
import { nothing, sslChecks, sslChecksPage, sslRunStart } from '@quarterdeck/events/inputs';
import { listPageOf, sslCheck, sslMonitorStatus } from '@quarterdeck/projections';
import { z } from 'zod';
import { started } from './answers';
import { calls } from './call';
import { demo, newRunId, page } from './demo';

/** The remaining allowance under one rate limit of the certificate authority. */
const budget = z.strictObject({
  limit: z.enum(['registeredDomain', 'exactNames', 'failures', 'orders']),
  of: z.string(),
  left: z.number(),
  outOf: z.number(),
  /** When the next order is allowed; absent if it is allowed now. */
  nextAt: z.string().optional(),
  words: z.string(),
});

/** The rate limit of a registered domain, for a new name below it. */
const domainBudget = z.strictObject({
  domain: z.string(),
  allowed: z.boolean(),
  nextAt: z.string().optional(),
  words: z.string(),
  budgets: z.array(budget),
});

export const ssl = calls('ssl', 'admin', {
  run: {
    summary: 'Starts the SSL monitor, as a recorded run',
    input: sslRunStart,
    example: { runId: newRunId, checkOnly: true },
    answer: started,
    stales: 'runs',
    receipt: false,
  },
  status: {
    summary: 'The state of the SSL monitor',
    input: nothing,
    answer: sslMonitorStatus,
    shows: ['runs', 'workspaces'],
    asOf: true,
  },
  checks: {
    summary: 'The results of an SSL run, domain by domain',
    input: sslChecks,
    example: { id: demo.sslRun, problems: 5 },
    answer: z.array(sslCheck),
    shows: 'runs',
    asOf: true,
  },
  checksPage: {
    summary: 'One page of what an SSL run found, domain by domain',
    path: 'checks/page',
    input: sslChecksPage,
    example: { id: demo.sslRun, ...page },
    answer: listPageOf(sslCheck),
    shows: 'runs',
    asOf: true,
  },
  budget: {
    summary: 'Remaining rate limits of the certificate authority',
    input: nothing,
    answer: z.array(domainBudget),
    shows: 'domains',
    asOf: true,
  },
});
