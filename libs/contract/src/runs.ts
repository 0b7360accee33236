/** Runs, their output, and their recordings. */
import { byId, runList, runOutput } from '@quarterdeck/events/inputs';
import { outputChunk, runView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

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

export const runs = calls('run', 'admin', {
  check: {
    summary: 'Checks the stored output of each step against its recorded size and SHA-256',
    input: byId,
    example: { id: demo.run },
    answer: z.strictObject({ steps: z.array(stepCheck) }),
    shows: [],
  },
  cast: {
    summary: 'The output with its timing, as an asciicast v2',
    method: 'GET',
    costs: 'file',
    input: byId,
    example: { id: demo.run },
    answer: z.unknown(),
    shows: [],
    produces: ['application/x-asciicast'],
  },
  cancel: {
    summary: 'Cancels a run: ends its step on the server first',
    input: byId,
    example: { id: demo.run },
    answer: ids,
    stales: 'runs',
  },
  retry: {
    summary: 'Continues a run that did not succeed, from the failed step',
    input: byId,
    example: { id: demo.run },
    answer: ids,
    stales: 'runs',
  },
  list: {
    summary: 'Runs, newest first, by pages',
    input: runList,
    example: {
      subject: { kind: 'server', id: demo.server },
      state: 'running',
      requestedBy: demo.person,
      parent: demo.fleet,
      script: demo.script,
      ids: [demo.run],
      search: 'docker images',
      limit: 5,
    },
    answer: page,
    shows: 'runs',
    asOf: true,
  },
  detail: {
    summary: 'One run with its steps',
    input: byId,
    example: { id: demo.run },
    answer: runView,
    shows: 'runs',
    asOf: true,
  },
  output: {
    summary: 'The output of a run, in chunks with their time',
    input: runOutput,
    example: { id: demo.run, after: 4 },
    answer: output,
    shows: [],
    asOf: true,
  },
});
