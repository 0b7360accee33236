/** Sending saved requests, and what they were answered, in addition to the kit's calls. */
import { request, requestCollection } from '@quarterdeck/events';
import {
  byId,
  collectionRun,
  importedRequest,
  importPreview,
  importRequests,
  requestAnswer,
  requestExecute,
  requestLogInsert,
  requestPast,
} from '@quarterdeck/events/inputs';
import { runState } from '@quarterdeck/projections';
import { z } from 'zod';
import { started } from './answers';
import { calls } from './call';
import { demo, newRunId } from './demo';

const check = z
  .strictObject({
    expression: z.string(),
    is: z.enum(['passed', 'failed', 'undecided']),
    /** Why it could not be decided. */
    reason: z.string().optional(),
  })
  .meta({ id: 'RequestCheck' });

const pair = z.tuple([z.string(), z.string()]);

/** What is kept of an answer for ever, except its body. Secrets are masked. */
export const answerHead = z
  .strictObject({
    /** `client`: recorded by a client that sent the request itself. */
    by: z.enum(['console', 'client']),
    status: z.int(),
    statusText: z.string(),
    httpVersion: z.string(),
    /** As received, in order. */
    headers: z.array(pair),
    phases: z.strictObject({
      dns: z.number(),
      connect: z.number(),
      tls: z.number(),
      firstByte: z.number(),
      download: z.number(),
    }),
    ms: z.number(),
    wireBytes: z.int(),
    /** The body was not received whole. */
    cut: z.enum(['tooLarge', 'ended', 'unreadable', 'late']).optional(),
    hops: z.array(
      z.strictObject({ method: z.string(), url: z.string(), status: z.int(), dropped: z.array(z.string()) }),
    ),
    /** The redirect that was not followed. */
    location: z.string().optional(),
    sent: z.strictObject({
      method: z.string(),
      url: z.string(),
      headers: z.array(pair),
      body: z.string().optional(),
    }),
    /** Inputs in words, `limit=25`; secrets by their names. */
    inputs: z.string(),
    env: z.int().optional(),
    checks: z.array(check),
  })
  .meta({ id: 'RequestAnswerHead' });
export interface AnswerHead extends z.infer<typeof answerHead> {}

const answer = answerHead
  .extend({
    run: z.string(),
    request: z.string(),
    at: z.string(),
    size: z.int(),
    sha256: z.string(),
    /** Base64. Absent once retention has removed it. */
    body: z.string().optional(),
  })
  .meta({ id: 'RequestAnswer' });
export interface RequestAnswer extends z.infer<typeof answer> {}

const requestLog = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    logDateAdded: z.string(),
    /** Its beginning. */
    responseBody: z.string(),
    /** Retention has removed the body. */
    removed: z.boolean(),
    inputs: z.string(),
    env: z.int().optional(),
    status: z.int(),
    ms: z.number(),
    size: z.int(),
    sha256: z.string(),
    checks: z.strictObject({ passed: z.int(), of: z.int() }),
    by: z.enum(['console', 'client']),
  })
  .meta({ id: 'RequestLog' });
export interface RequestLog extends z.infer<typeof requestLog> {}

const past = z
  .strictObject({
    answers: z.array(
      z.strictObject({ run: z.string(), at: z.string(), status: z.int(), checks: z.array(check) }),
    ),
    /** Answers whose bodies retention has removed, so that they could not be checked. */
    removed: z.int(),
    /** There are more answers of this time than are checked at once; these are the newest. */
    isCut: z.boolean(),
  })
  .meta({ id: 'RequestPast' });

const imported = z
  .strictObject({ requests: z.array(importedRequest), notes: z.array(z.string()) })
  .meta({ id: 'ImportedRequests' });

const collectionResults = z
  .strictObject({
    run: z.string(),
    state: runState,
    reason: z.string().optional(),
    results: z.array(
      z.strictObject({
        request: z.string(),
        name: z.string(),
        method: z.string(),
        /** Absent until its turn has come. */
        run: z.string().optional(),
        state: runState.optional(),
        reason: z.string().optional(),
        status: z.int().optional(),
        ms: z.number().optional(),
        checks: z.strictObject({ passed: z.int(), of: z.int() }).optional(),
      }),
    ),
  })
  .meta({ id: 'CollectionResults' });
export interface CollectionResults extends z.infer<typeof collectionResults> {}

export const requests = calls(request.path, 'admin', {
  execute: {
    summary: 'Sends a saved request, as a recorded run',
    input: requestExecute,
    example: { id: demo.request, env: { id: 1 }, inputs: [], follow: false, runId: newRunId },
    answer: started,
    stales: 'runs',
    wide: true,
  },
  answer: {
    summary: 'What a run of a saved request was answered',
    input: requestAnswer,
    example: { run: demo.answered },
    answer,
    shows: 'runs',
    asOf: true,
    wide: true,
    costs: 'file',
  },
  past: {
    summary: 'Whether checks would have passed for the stored answers of a request',
    input: requestPast,
    example: { id: demo.request, checks: 'status == 200', days: 7 },
    answer: past,
    shows: 'runs',
    asOf: true,
    wide: true,
    costs: 'work',
  },
  preview: {
    summary: 'The requests that a curl command or an OpenAPI document describes',
    path: 'import/preview',
    input: importPreview,
    example: { source: 'curl', text: 'curl https://api.example.org/orders' },
    answer: imported,
    shows: [],
    costs: 'work',
    maxBodyBytes: 4_000_000,
  },
  import: {
    summary: 'Adds requests that were previewed',
    input: importRequests,
    example: {
      requests: [
        { name: 'Orders', method: 'GET', host: 'https://api.example.org', url: '/orders', params: [] },
      ],
      collection: { id: demo.requestCollection },
    },
    answer: z.strictObject({ ids: z.array(z.string()) }),
    stales: ['requests', 'requestParams'],
    maxBodyBytes: 4_000_000,
  },
});

export const requestLogs = calls('request/logs', 'admin', {
  list: {
    summary: 'The newest 200 answers to a request',
    input: byId,
    example: { id: demo.request },
    answer: z.array(requestLog),
    shows: 'runs',
    asOf: true,
    wide: true,
  },
  detail: {
    summary: 'One answer, without the rest of its body',
    input: byId,
    example: { id: demo.answered },
    answer: requestLog,
    shows: 'runs',
    asOf: true,
  },
  insert: {
    summary: 'Records an answer that a client received itself',
    input: requestLogInsert,
    example: { data: { request: { id: demo.request }, responseBody: '{"orders": []}', inputs: 'limit=25' } },
    answer: z.strictObject({ id: z.string(), uuid: z.string() }),
    stales: 'runs',
    wide: true,
  },
});

export const requestCollections = calls(requestCollection.path, 'admin', {
  run: {
    summary: 'Sends the requests of a collection one after the other, as a recorded run',
    input: collectionRun,
    example: { id: demo.requestCollection, env: { id: 1 }, runId: newRunId },
    answer: started,
    stales: 'runs',
    wide: true,
  },
  results: {
    summary: 'The result of each request of such a run',
    input: byId,
    example: { id: demo.run },
    answer: collectionResults,
    shows: 'runs',
    asOf: true,
  },
});
