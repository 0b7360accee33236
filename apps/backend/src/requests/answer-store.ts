/** The answers to saved requests, with bodies that are removed when the workspace's retention says so. */
import { Inject, Injectable } from '@nestjs/common';
import type { AnswerHead, RequestLog } from '@quarterdeck/contract';
import { inView } from '../platform/in-view';
import { LeasedRounds, Leases } from '../platform/leases';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { settingsOfAll } from '../workspaces';

const EVERY_MS = 60 * 60_000;
const LOGS = 200;
/** Characters of a body that the table of logs shows. */
const BEGINNING = 1000;

export interface StoredAnswer {
  run: string;
  request: string;
  at: string;
  head: AnswerHead;
  /** Null once retention has removed it. */
  body: Buffer | null;
  size: number;
  sha256: string;
}

const countOf = ({ checks }: AnswerHead): { passed: number; of: number } => ({
  passed: checks.filter(({ is }) => is === 'passed').length,
  of: checks.length,
});

const COLUMNS = 'run, request, at, head, body, size, sha256';

type Row = Omit<StoredAnswer, 'at'> & { at: Date };
const answerOf = ({ at, ...row }: Row): StoredAnswer => ({ ...row, at: at.toISOString() });

@Injectable()
export class AnswerStore extends LeasedRounds {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'answer-retention',
      what: 'the retention of answers',
      everyMs: EVERY_MS,
    });
  }

  protected round(): Promise<number> {
    return this.sweep();
  }

  /** An attempt that is stored already stays as it is. */
  async store(answer: StoredAnswer & { body: Buffer; attempt: number; workspace: string }): Promise<void> {
    const { run, attempt, workspace, request, at, head, body, size, sha256 } = answer;
    await this.db.query(
      `insert into app.request_answers (run, attempt, workspace, request, at, head, body, size, sha256)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [run, attempt, workspace, request, at, JSON.stringify(head), body, size, sha256],
    );
  }

  /** The answer of a run: that of its last attempt. */
  async ofRun(run: string, workspace: string): Promise<StoredAnswer | undefined> {
    const { rows } = await this.db.query<Row>(
      `select ${COLUMNS} from app.request_answers where run = $1 and workspace = $2 order by attempt desc limit 1`,
      [run, workspace],
    );
    return rows.map(answerOf)[0];
  }

  /** Answers of a request with the beginnings of their bodies, newest first. */
  async past(
    request: string,
    workspace: string,
    { since, from, limit, bytes }: { since: string; from: number; limit: number; bytes: number },
  ): Promise<StoredAnswer[]> {
    const { rows } = await this.db.query<Row>(
      `select run, request, at, head, substring(body from 1 for $6) as body, size, sha256
       from app.request_answers
       where workspace = $1 and request = $2 and at >= $3 order by at desc, run offset $4 limit $5`,
      [workspace, request, since, from, limit, bytes],
    );
    return rows.map(answerOf);
  }

  /** What a table of results shows of each. */
  async briefs(runs: readonly string[], workspace: string) {
    const { rows } = await this.db.query<{ run: string; head: AnswerHead }>(
      `select run, head from app.request_answers where run = any($1) and workspace = $2 order by attempt`,
      [runs, workspace],
    );
    return rows.map(({ run, head }) => ({ run, status: head.status, ms: head.ms, checks: countOf(head) }));
  }

  /** As the table of logs shows them: the beginning of each body. */
  async logs(workspace: string, which: { request?: string; run?: string }): Promise<RequestLog[]> {
    const { rows } = await this.db.query<Omit<Row, 'body'> & { beginning: Buffer | null }>(
      `select run, request, at, head, substring(body from 1 for ${BEGINNING}) as beginning, size, sha256
       from app.request_answers
       where workspace = $1 and ($2::uuid is null or request = $2) and ($3::uuid is null or run = $3)
       order by at desc limit ${LOGS}`,
      [workspace, which.request ?? null, which.run ?? null],
    );
    return rows.map(({ run, at, head, beginning, size, sha256 }) => ({
      id: run,
      uuid: run,
      logDateAdded: at.toISOString(),
      responseBody: beginning === null ? '' : textOf(beginning),
      removed: beginning === null,
      inputs: head.inputs,
      ...(head.env !== undefined && { env: head.env }),
      status: head.status,
      ms: head.ms,
      size,
      sha256,
      checks: countOf(head),
      by: head.by,
    }));
  }

  /**
   * Removes the bodies of workspaces that keep output for some days only, those that were sent too. Size and hash stay.
   * @returns how many
   */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const { workspace, chosen } of await settingsOfAll(this.db, 'retention')) {
      if (chosen.runOutputDays === undefined) continue;
      const { rowCount } = await this.db.query(
        `update app.request_answers
         set body = null, head = head || jsonb_build_object('sent', ${inView<AnswerHead>('head').json('sent')} - 'body')
         where workspace = $1 and body is not null and at < clock_timestamp() - make_interval(days => $2)`,
        [workspace, chosen.runOutputDays],
      );
      removed += rowCount ?? 0;
    }
    if (removed > 0) this.logger.info({ answers: removed }, 'the bodies of old answers were removed');
    return removed;
  }
}

/** Without the half of a character at the end of a cut body, and without what Postgres and JSON cannot hold. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replaceAll('\u0000', '\u2400');
