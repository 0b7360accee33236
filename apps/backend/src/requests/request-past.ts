/** "Would this check have failed last week?": checks over the stored answers of a request. */
import { Injectable } from '@nestjs/common';
import type { Answer, requests } from '@quarterdeck/contract';
import { invalidField } from '../platform/errors';
import { AnswerStore, textOf } from './answer-store';
import { evaluateChecks, MAX_FACT_BYTES, refusedChecks } from './checks';

const MAX_ANSWERS = 200;
/** So many bodies are in memory at once. */
const AT_ONCE = 10;
const DAY_MS = 86_400_000;

type Past = Answer<typeof requests.past>;

@Injectable()
export class RequestPast {
  constructor(private readonly answers: AnswerStore) {}

  async judge(request: string, checks: string, days: number, workspace: string): Promise<Past> {
    const wrong = await refusedChecks(checks);
    if (wrong !== undefined) throw invalidField('checks', wrong);
    const since = new Date(Date.now() - days * DAY_MS).toISOString();
    const past: Past = { answers: [], removed: 0 };
    for (let from = 0; from < MAX_ANSWERS; from += AT_ONCE) {
      const page = await this.answers.past(request, workspace, {
        since,
        from,
        limit: AT_ONCE,
        bytes: MAX_FACT_BYTES,
      });
      const whole = page.filter(({ body }) => body !== null);
      past.removed += page.length - whole.length;
      const facts = whole.map(({ head, body }) => ({
        status: head.status,
        headers: head.headers,
        ms: head.ms,
        text: textOf(body ?? Buffer.alloc(0)),
      }));
      const results = await evaluateChecks(checks, facts);
      past.answers.push(
        ...whole.map(({ run, at, head }, index) => ({
          run,
          at,
          status: head.status,
          checks: results[index] ?? [],
        })),
      );
      if (page.length < AT_ONCE) break;
    }
    return past;
  }
}
