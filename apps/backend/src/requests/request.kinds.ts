/** Runs of saved requests. */
import { createHash } from 'node:crypto';
import { emptyBodyMethods } from '@quarterdeck/events';
import type { AnswerHead } from '@quarterdeck/contract';
import { StepFailed, type RunContext, type RunKind } from '../runs';
import type { AnswerStore } from './answer-store';
import { performSending, SEND_MS, type SendingDeps, type SendInput } from './request-sending';

/** More than the request itself may take, with its checks, so that its own end comes first. */
const STEP_MS = SEND_MS + 2 * 60_000;
const OUTPUT_BYTES = 256 * 1024;

/** A request that only reads is sent again if its outcome was lost. Any other is sent once, whatever happens. */
export const savedRequestKind = (deps: SendingDeps): RunKind => ({
  kind: 'savedRequest',
  changes: false,
  outputLimit: OUTPUT_BYTES,
  steps: ({ input }) => {
    const repeatable = emptyBodyMethods.includes((input as unknown as SendInput).plan.method);
    return [
      {
        name: 'send',
        on: 'console',
        timeoutMs: STEP_MS,
        repeatable,
        actsElsewhere: true,
        perform: (context, io) => performSending(deps, context, io, repeatable),
      },
    ];
  },
});

/** An answer that a client received itself. The body is known only to the process that was told it. */
export const recordAnswerKind = (
  answers: AnswerStore,
  bodyOf: (run: string) => { body: Buffer; inputs: string } | undefined,
): RunKind => ({
  kind: 'recordAnswer',
  changes: false,
  outputLimit: OUTPUT_BYTES,
  steps: [
    {
      name: 'record',
      on: 'console',
      timeoutMs: STEP_MS,
      repeatable: false,
      perform: async ({ run, request, attempts }: RunContext, io) => {
        const told = bodyOf(run);
        if (!told) throw new StepFailed('forgotten', 'The answer is not known any more: record it anew');
        const { body, inputs } = told;
        const sha256 = createHash('sha256').update(body).digest('hex');
        await answers.store({
          run,
          attempt: attempts.length + 1,
          workspace: io.meta.workspace,
          request: request.subject.id,
          at: new Date().toISOString(),
          head: recordedHead(inputs),
          body,
          size: body.length,
          sha256,
        });
        io.print(`${body.length} bytes were recorded\n`);
        return { report: { size: String(body.length), sha256 } };
      },
    },
  ],
});

/** A client says nothing about how it was answered. */
const recordedHead = (inputs: string): AnswerHead => ({
  by: 'client',
  status: 0,
  statusText: '',
  httpVersion: '',
  headers: [],
  phases: { dns: 0, connect: 0, tls: 0, firstByte: 0, download: 0 },
  ms: 0,
  wireBytes: 0,
  hops: [],
  sent: { method: '', url: '', headers: [] },
  inputs,
  checks: [],
});
