/** Sends the requests of a collection one after the other. Each is a run of its own, which a resumed run joins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyBodyMethods, requestLocations } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import {
  StepFailed,
  type LocalIo,
  type Report,
  type RecordedRun,
  type RunContext,
  type RunEngine,
  type RunKind,
} from '../runs';
import type { AnswerStore, StoredAnswer } from './answer-store';
import type { RequestLibrary } from './request-library';
import type { Taken } from './request-plan';
import { SEND_MS } from './request-sending';
import type { RequestWork } from './request-work';
import { mayHaveArrived } from './send-request';

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

/**
 * The same in every process, so that a resumed run finds its parts. A retry has ids of its own for what it sends.
 */
const partId = (run: string, at: number, retry: number): string =>
  uuidv5(retry === 0 ? `request ${at}` : `request ${at} of retry ${retry}`, run);

/** How a request ended, and whether sending it again repeats nothing. */
interface Verdict {
  failure: string | undefined;
  mayGoAgain: boolean;
}

class CollectionRun {
  private readonly input: CollectionInput;
  private readonly taken = new Map<string, Taken>();
  /** Why requests were not sent or failed, by their place. */
  private readonly failures = new Map<number, string>();
  private passed = 0;
  /** This attempt has sent a request, so the delay comes before the next one. */
  private isSending = false;
  /** How often an operator chose to go on. An attempt that was lost with its process goes on as the same one. */
  private readonly retry: number;

  constructor(
    private readonly deps: CollectionDeps,
    private readonly context: RunContext,
    private readonly io: LocalIo,
  ) {
    this.input = collectionInput(context.request);
    this.retry = context.attempts.filter(({ outcome }) => outcome !== 'lost').length;
  }

  async perform(): Promise<{ report: Report }> {
    const { requests, stopOnError, delayMs } = this.input;
    const { end } = this.io;
    for (const [at, { name }] of requests.entries()) {
      const sent = await this.lastPart(at);
      if (end.aborted && !sent.isNow) break;
      const old = sent.part === undefined || sent.isNow ? undefined : await this.joined(at, sent.part);
      const stays = old !== undefined && !(old.failure !== undefined && old.mayGoAgain);
      const failure = stays ? old.failure : await this.sent(at, sent.isNow, delayMs);
      this.io.print(`${at + 1}. ${name}: ${failure ?? 'passed'}\n`);
      if (failure === undefined) this.passed += 1;
      else this.failures.set(at, failure);
      // What stays failed is why the operator chose to go on.
      if (failure !== undefined && stopOnError && !stays) break;
    }
    end.throwIfAborted();
    return { report: this.reported() };
  }

  /** @throws StepFailed if requests failed */
  private reported(): Report {
    const { requests } = this.input;
    const report: Report = {
      passed: String(this.passed),
      failed: String(this.failures.size),
      ...Object.fromEntries([...this.failures].map(([at, why]) => [`request${at + 1}`, why])),
    };
    if (this.failures.size === 0) return report;
    const [[at = 0, why = ''] = []] = this.failures;
    const of = this.failures.size === 1 ? '' : `${this.failures.size} requests failed. The first: `;
    throw new StepFailed('requests', `${of}${requests[at]?.name ?? ''}: ${why}`, report);
  }

  /** The part that sent the request last, and whether it belongs to this attempt of the run. */
  private async lastPart(at: number): Promise<{ part?: string; isNow: boolean }> {
    for (let retry = this.retry; retry >= 0; retry -= 1) {
      const part = partId(this.context.run, at, retry);
      if (await this.deps.engine.knows(part, this.io.meta.workspace))
        return { part, isNow: retry === this.retry };
    }
    return { isNow: false };
  }

  /** @returns why it failed */
  private async sent(at: number, isBegun: boolean, delayMs: number): Promise<string | undefined> {
    const part = partId(this.context.run, at, this.retry);
    if (!isBegun && this.isSending && delayMs > 0)
      await sleep(delayMs, undefined, { signal: this.io.signal });
    this.isSending = true;
    try {
      if (!isBegun) await this.begin(at, part);
    } catch (error) {
      return this.refusal(error);
    }
    return (await this.joined(at, part)).failure;
  }

  /** Waits for the end of a part. */
  private async joined(at: number, part: string): Promise<Verdict> {
    const { engine, answers } = this.deps;
    const { end, meta } = this.io;
    const cancel = (): void => engine.cancelPart(part, meta, () => true);
    const repeats = emptyBodyMethods.includes(this.input.requests[at]?.method ?? '');
    try {
      end.addEventListener('abort', cancel);
      if (end.aborted) cancel();
      const { end: ended } = await engine.ended(part, meta.workspace);
      if (ended.is !== 'succeeded')
        return { failure: ended.reason, mayGoAgain: repeats || wasNotSent(ended) };
      await this.take(at, part);
      return { failure: failureOf(await answers.ofRun(part, meta.workspace)), mayGoAgain: repeats };
    } catch (error) {
      return { failure: this.refusal(error), mayGoAgain: false };
    } finally {
      end.removeEventListener('abort', cancel);
    }
  }

  /** Why a request cannot be sent. @throws what is no reason of the request itself */
  private refusal(error: unknown): string {
    if (this.io.signal.aborted || !(error instanceof DomainError) || error.code === 'unavailable')
      throw error;
    const [refused] = Object.entries(error.data ?? {});
    return refused ? refused.join(': ') : error.msg;
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

/** Any other end leaves open whether the other side has carried it out. */
const wasNotSent = (end: RecordedRun['end']): boolean =>
  end.is === 'cancelled' || (end.is === 'failed' && !mayHaveArrived(end.code));

const failureOf = (answer: StoredAnswer | undefined): string | undefined => {
  if (!answer) return 'its answer was not kept';
  const { status, checks } = answer.head;
  const wrong = checks.find(({ is }) => is !== 'passed');
  if (wrong)
    return `the check ${wrong.expression} ${wrong.is === 'failed' ? 'failed' : 'could not be decided'}`;
  return status >= 400 ? `it was answered ${status}` : undefined;
};

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
  /** A retry sends what was not sent, and what failed and only reads. */
  stillFits: async ({ subject }, workspace) => void (await deps.library.collection(subject.id, workspace)),
});
