/** Sends the requests of a collection one after the other. Each is a run of its own, which a resumed run joins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { requestLocations } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import {
  StepFailed,
  type LocalIo,
  type Report,
  type RunContext,
  type RunEngine,
  type RunKind,
} from '../runs';
import type { AnswerStore } from './answer-store';
import type { RequestLibrary } from './request-library';
import type { Taken } from './request-plan';
import { SEND_MS } from './request-sending';
import type { RequestWork } from './request-work';

export const MAX_REQUESTS = 200;
const AROUND_MS = 60_000;
/** The longest delay that a timer supports. */
const LONGEST_MS = 2 ** 31 - 1;

export interface CollectionInput {
  env: number;
  delayMs: number;
  stopOnError: boolean;
  requests: { id: string; name: string; method: string }[];
  [other: string]: unknown;
}

export interface CollectionDeps {
  engine: RunEngine;
  work: RequestWork;
  library: RequestLibrary;
  answers: AnswerStore;
}

/** Only `RequestCollections` creates this input. */
export const collectionInput = ({ input }: { input: object }): CollectionInput => input as CollectionInput;

/** The same in every process, so that a resumed run finds its parts. */
export const partId = (run: string, at: number): string => uuidv5(`request ${at}`, run);

class CollectionRun {
  private readonly input: CollectionInput;
  private readonly taken = new Map<string, Taken>();
  /** Why requests were not sent or failed, by their place. */
  private readonly failures = new Map<number, string>();
  private passed = 0;

  constructor(
    private readonly deps: CollectionDeps,
    private readonly context: RunContext,
    private readonly io: LocalIo,
  ) {
    this.input = collectionInput(context.request);
  }

  async perform(): Promise<{ report: Report }> {
    const { requests, stopOnError, delayMs } = this.input;
    const { end } = this.io;
    for (const [at, { name }] of requests.entries()) {
      if (end.aborted && !(await this.wasBegun(at))) break;
      if (at > 0 && delayMs > 0 && !(await this.wasBegun(at)))
        await sleep(delayMs, undefined, { signal: this.io.signal });
      const failure = await this.one(at);
      this.io.print(`${at + 1}. ${name}: ${failure ?? 'passed'}\n`);
      if (failure === undefined) this.passed += 1;
      else this.failures.set(at, failure);
      if (failure !== undefined && stopOnError) break;
    }
    end.throwIfAborted();
    const report: Report = {
      passed: String(this.passed),
      failed: String(this.failures.size),
      ...Object.fromEntries([...this.failures].map(([at, why]) => [`request${at + 1}`, why])),
    };
    if (this.failures.size === 0) return { report };
    const [[at = 0, why = ''] = []] = this.failures;
    const of = this.failures.size === 1 ? '' : `${this.failures.size} requests failed. The first: `;
    throw new StepFailed('requests', `${of}${requests[at]?.name ?? ''}: ${why}`, report);
  }

  private wasBegun(at: number): Promise<boolean> {
    return this.deps.engine.knows(partId(this.context.run, at), this.io.meta.workspace);
  }

  /** @returns why it failed */
  private async one(at: number): Promise<string | undefined> {
    const { engine, answers } = this.deps;
    const { end, meta } = this.io;
    const part = partId(this.context.run, at);
    const cancel = (): void => engine.cancelPart(part, meta, () => true);
    try {
      if (!(await this.wasBegun(at))) await this.begin(at, part);
      end.addEventListener('abort', cancel);
      if (end.aborted) cancel();
      const ended = await engine.ended(part, meta.workspace);
      if (ended.end.is !== 'succeeded') return ended.end.reason;
    } catch (error) {
      if (this.io.signal.aborted || !(error instanceof DomainError) || error.code === 'unavailable')
        throw error;
      return error.msg;
    } finally {
      end.removeEventListener('abort', cancel);
    }
    await this.take(at, part);
    const answer = await answers.ofRun(part, meta.workspace);
    if (!answer) return 'its answer was not kept';
    const { status, checks } = answer.head;
    const wrong = checks.find(({ is }) => is !== 'passed');
    if (wrong)
      return `the check ${wrong.expression} ${wrong.is === 'failed' ? 'failed' : 'could not be decided'}`;
    return status >= 400 ? `it was answered ${status}` : undefined;
  }

  private async begin(at: number, part: string): Promise<void> {
    const { engine, work, library } = this.deps;
    const { meta } = this.io;
    const id = this.input.requests[at]?.id ?? '';
    const saved = await library.request(id, meta.workspace);
    const { env } = this.input;
    const what = await work.requestOf(saved, { env, taken: this.taken }, meta.workspace);
    await engine.start(
      part,
      'savedRequest',
      { ...what, parent: this.context.run },
      followUp(meta, this.context.run),
    );
  }

  /** The outputs of the request, for later ones. Events have only the place of a value, which may be a secret. */
  private async take(at: number, part: string): Promise<void> {
    const id = this.input.requests[at]?.id ?? '';
    for (const { output, value } of await this.deps.library.params(id, this.io.meta.workspace)) {
      const location = requestLocations[(output?.paramType.id ?? 0) - 1];
      if (output && (location === 'Payload' || location === 'Headers'))
        this.taken.set(output.name, { run: part, location, source: value === '' ? output.name : value });
    }
  }
}

export const collectionKind = (deps: CollectionDeps): RunKind => ({
  kind: 'requestCollection',
  changes: false,
  steps: (request) => {
    const { requests, delayMs } = collectionInput(request);
    return [
      {
        name: 'requests',
        on: 'console',
        timeoutMs: Math.min(requests.length * (SEND_MS + AROUND_MS + delayMs), LONGEST_MS),
        // Requests that were sent are joined, not sent again.
        repeatable: true,
        startsRuns: true,
        perform: (context, io) => new CollectionRun(deps, context, io).perform(),
      },
    ];
  },
  stillFits: () =>
    Promise.reject(
      new DomainError('unprocessable', 'requests that were sent stay sent: run the collection anew'),
    ),
});
