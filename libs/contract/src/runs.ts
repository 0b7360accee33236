/** Runs, their output, and their recordings. */
import { byId, runList, runOutput } from '@quarterdeck/events/inputs';
import { outputChunk, runView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

const page = z.strictObject({ runs: z.array(runView), next: z.string().optional() });

const output = z.strictObject({ chunks: z.array(outputChunk), more: z.boolean() });

const measure = z.strictObject({ bytes: z.number(), sha256: z.string() });

/** Compares a step's stored output with its record. `matches` is undefined if the end of the step was not recorded. */
const stepCheck = z.strictObject({
  step: z.string(),
  attempt: z.number(),
  /** Size and hash recorded when the step ended. */
  recorded: measure.optional(),
  actual: measure,
  matches: z.boolean().optional(),
  /** The output was deleted because of its age. That was recorded. */
  removed: z.literal(true).optional(),
});

export const runs = calls('run', {
  check: {
    summary: 'Checks the stored output of each step against its recorded size and SHA-256',
    access: 'admin',
    input: byId,
    answer: z.strictObject({ steps: z.array(stepCheck) }),
    shows: [],
  },
  cast: {
    summary: 'The output with its timing, as an asciicast v2',
    access: 'admin',
    method: 'GET',
    costs: 'file',
    input: byId,
    answer: z.unknown(),
    shows: [],
    produces: ['application/x-asciicast'],
  },
  cancel: {
    summary: 'Cancels a run: ends its step on the server first',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'runs',
  },
  retry: {
    summary: 'Continues a run that did not succeed, from the failed step',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'runs',
  },
  list: {
    summary: 'Runs, newest first, by pages',
    access: 'admin',
    input: runList,
    answer: page,
    shows: 'runs',
    asOf: true,
  },
  detail: {
    summary: 'One run with its steps',
    access: 'admin',
    input: byId,
    answer: runView,
    shows: 'runs',
    asOf: true,
  },
  output: {
    summary: 'The output of a run, in chunks with their time',
    access: 'admin',
    input: runOutput,
    answer: output,
    shows: [],
    asOf: true,
  },
});
