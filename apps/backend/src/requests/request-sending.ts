/** The step that sends a saved request: what it knows, what it sends, and what it keeps of the answer. */
import { createHash } from 'node:crypto';
import { identifiesCaller, SECRET_PREFIX } from '@quarterdeck/events';
import type { AnswerHead } from '@quarterdeck/contract';
import { DomainError } from '../platform/errors';
import type { Outbound } from '../platform/outbound';
import { StepFailed, StepLost, type LocalIo, type Report, type RunContext, type RunHosts } from '../runs';
import { Masking } from './answer-masking';
import { outputOf } from './answer-path';
import { textOf, type AnswerStore } from './answer-store';
import { evaluateChecks, expressionsOf, MAX_FACT_BYTES, type CheckResult } from './checks';
import { readyOf, type ReadyRequest } from './ready-request';
import type { RequestLibrary } from './request-library';
import { bodyHasSecret, laterNames, ownHeaders, type RequestPlan, type Taken } from './request-plan';
import { namesIn } from './request-values';
import { sendRequest, type SentAnswer } from './send-request';

/** What a run of a saved request records about it. No secret, and no value of an earlier answer. */
export interface SendInput {
  plan: RequestPlan;
  follow: boolean;
  env: number;
  /** Ids of the secrets that the plan names. */
  secrets: Record<string, string>;
  taken: Record<string, Taken>;
  /** As they were given, in words. */
  inputs: string;
  checks: string;
  [other: string]: unknown;
}

export interface SendingDeps {
  outbound: Outbound;
  hosts: RunHosts;
  library: RequestLibrary;
  answers: AnswerStore;
}

export const SEND_MS = 60_000;

export const sendInput = ({ request }: RunContext): SendInput => request.input as unknown as SendInput;

/** A server may repeat only the token of `Bearer <token>`. */
const credentialIn = (value: string): string[] =>
  /^(?:Basic|Bearer|Token) +(\S{8,})$/i.exec(value)?.slice(1) ?? [];

/** A redirect may have a secret in the name of its host. Reasons are recorded. */
const maskedError = (error: unknown, masking: Masking): unknown => {
  if (error instanceof StepLost) return new StepLost(masking.text(error.message));
  if (error instanceof StepFailed || error instanceof DomainError)
    return new StepFailed(error.code, masking.text(error.message));
  return error;
};

class Sending {
  private readonly input: SendInput;

  constructor(
    private readonly deps: SendingDeps,
    private readonly context: RunContext,
    private readonly io: LocalIo,
    private readonly repeatable: boolean,
  ) {
    this.input = sendInput(context);
  }

  async perform(): Promise<{ report: Report }> {
    const { plan, follow } = this.input;
    const secrets = await this.secrets();
    const taken = await this.taken();
    const ready = readyOf(plan, (name) => secrets.get(name) ?? taken.get(name) ?? '');
    const masking = await this.masking([...secrets.values()], ready);
    this.io.print(`${ready.method} ${masking.text(ready.url.href)}\n`);
    const late = AbortSignal.timeout(SEND_MS);
    const answer = await sendRequest(ready, {
      outbound: this.deps.outbound,
      follow,
      own: ownHeaders(plan),
      secretBody: bodyHasSecret(plan),
      repeatable: this.repeatable,
      late,
      signal: AbortSignal.any([late, this.io.signal]),
    }).catch((error: unknown) => {
      throw maskedError(error, masking);
    });
    const report = await this.kept(ready, answer, masking).catch(() => {
      throw new StepLost(`The answer (${answer.status}) came, but could not be stored`);
    });
    return { report };
  }

  /** By the names that the plan has for them. */
  private async secrets(): Promise<Map<string, string>> {
    const { meta } = this.io;
    const opened = Object.entries(this.input.secrets).map(async ([name, id]): Promise<[string, string]> => [
      `${SECRET_PREFIX}${name}`,
      await this.deps.library.secret(id, meta.workspace).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        throw new StepFailed('secret', `The secret ${name} does not exist any more`);
      }),
    ]);
    return new Map(await Promise.all(opened));
  }

  private async taken(): Promise<Map<string, string>> {
    const found = Object.entries(this.input.taken).map(async ([name, from]): Promise<[string, string]> => {
      const answer = await this.deps.answers.ofRun(from.run, this.io.meta.workspace);
      const value =
        answer?.body && outputOf({ headers: answer.head.headers, text: answer.body.toString() }, from);
      if (value === undefined || value === null)
        throw new StepFailed('noValue', `The earlier answer has no ${from.source} for {{${name}}}`);
      return [name, value];
    });
    return new Map(await Promise.all(found));
  }

  /**
   * Every secret of the workspace, each header in which one was sent, and each that identifies the caller by a value of
   * an earlier answer.
   */
  private async masking(used: readonly string[], ready: ReadyRequest): Promise<Masking> {
    const all = await this.deps.hosts.access.secrets(this.io.meta.workspace);
    const named = new Set(
      this.input.plan.headers.flatMap(([name, value]) =>
        identifiesCaller(name) && namesIn(value).length > 0 ? [name] : [],
      ),
    );
    const sent = ready.headers.flatMap(([name, value]) =>
      named.has(name) || used.some((secret) => value.includes(secret)) ? [value, ...credentialIn(value)] : [],
    );
    return new Masking(all, [...used, ...sent]);
  }

  private async kept(ready: ReadyRequest, answer: SentAnswer, masking: Masking): Promise<Report> {
    const body = masking.body(answer.body, answer.cut !== undefined);
    const { phases, cut, location } = answer;
    const ms = Math.round(Object.values(phases).reduce((sum, one) => sum + one, 0) * 10) / 10;
    const headers = masking.pairs(answer.headers);
    const checks = await this.checked({ status: answer.status, headers, ms, body });
    const head: AnswerHead = {
      by: 'console',
      status: answer.status,
      statusText: masking.text(answer.statusText),
      httpVersion: answer.httpVersion,
      headers,
      phases,
      ms,
      wireBytes: answer.wireBytes,
      ...(cut && { cut }),
      hops: answer.hops.map((hop) => ({ ...hop, url: masking.text(hop.url) })),
      ...(location !== undefined && { location: masking.text(location) }),
      sent: {
        method: ready.method,
        url: masking.text(ready.url.href),
        headers: masking.pairs(ready.headers),
        ...(ready.body !== undefined && { body: masking.text(ready.body) }),
      },
      inputs: this.input.inputs,
      env: this.input.env,
      checks,
    };
    return this.store(head, body);
  }

  private async store(head: AnswerHead, body: Buffer): Promise<Report> {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { run, request, attempts } = this.context;
    await this.deps.answers.store({
      run,
      attempt: attempts.length + 1,
      workspace: this.io.meta.workspace,
      request: request.subject.id,
      at: new Date().toISOString(),
      head,
      body,
      size: body.length,
      sha256,
    });
    const { status, ms, phases, checks, hops } = head;
    const passed = checks.filter(({ is }) => is === 'passed').length;
    this.io.print(
      `${status} ${head.statusText}, ${body.length} bytes, ${ms} ms\n${checks.map((check) => `${lineOf(check)}\n`).join('')}`,
    );
    return {
      status: String(status),
      ms: String(ms),
      ...Object.fromEntries(Object.entries(phases).map(([phase, took]) => [phase, String(took)])),
      size: String(body.length),
      sha256,
      ...(hops.length > 1 && { redirects: String(hops.length - 1) }),
      ...(head.cut && { cut: head.cut }),
      ...(checks.length > 0 && { checks: `${passed} of ${checks.length}` }),
    };
  }

  private async checked({
    body,
    ...facts
  }: Pick<AnswerHead, 'status' | 'headers' | 'ms'> & { body: Buffer }): Promise<CheckResult[]> {
    const { checks } = this.input;
    if (checks.trim() === '') return [];
    const answers = [{ ...facts, text: textOf(body.subarray(0, MAX_FACT_BYTES)) }];
    try {
      const [results = []] = await evaluateChecks(checks, answers);
      return results;
    } catch (error) {
      // The request has been answered, whatever becomes of its checks.
      if (!(error instanceof DomainError)) throw error;
      return expressionsOf(checks).map((expression) => ({ expression, is: 'undecided', reason: error.msg }));
    }
  }
}

const marks = { passed: 'passed', failed: 'FAILED', undecided: 'undecided' };
const lineOf = (check: AnswerHead['checks'][number]): string =>
  `check ${marks[check.is]}: ${check.expression}${check.reason === undefined ? '' : ` (${check.reason})`}`;

export const performSending = (
  deps: SendingDeps,
  context: RunContext,
  io: LocalIo,
  repeatable: boolean,
): Promise<{ report: Report }> => new Sending(deps, context, io, repeatable).perform();

/** What a plan names, for its run. */
export const namedBy = (
  plan: RequestPlan,
  secrets: ReadonlyMap<string, string>,
  taken: ReadonlyMap<string, Taken>,
): Pick<SendInput, 'secrets' | 'taken'> => {
  const names = laterNames(plan);
  const of = <V>(known: ReadonlyMap<string, V>, prefix: string): Record<string, V> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = name.startsWith(prefix) ? known.get(name.slice(prefix.length)) : undefined;
        return value === undefined ? [] : [[name.slice(prefix.length), value] as const];
      }),
    );
  return { secrets: of(secrets, SECRET_PREFIX), taken: of(taken, '') };
};
