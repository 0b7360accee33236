/**
 * Asks the source host about tokens, when somebody looks and the last answer is hours old. The answer is kept outside
 * of the log, by the token's reference: it is not a fact of ours, and is deleted with the token.
 */
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors';
import { callOut, Outbound } from '../platform/outbound';
import { CONFIG, DB, VAULT } from '../platform/tokens';
import type { Config, Pool, Vault } from '../platform/tokens';
import type { SecretName } from '../platform/vault';
import { learned, readAnswer, type TokenAnswer, type TokenFacts } from './token-validity';

const FRESH_SECONDS = 6 * 60 * 60;
/** A page waits at most this long before it says that the source host is slow. */
const PATIENCE_MS = 8000;
const RETRY_SECONDS = 60;

export interface TokenCheck {
  facts?: TokenFacts;
  checkedAt?: string;
  problem?: string;
}

interface Row {
  facts: TokenFacts | null;
  checked_at: Date | null;
  problem: string | null;
  due: boolean;
}

const READ = `
  select facts, checked_at, problem, next_at <= clock_timestamp() as due
  from app.token_checks where workspace = $1 and ref = $2`;

/** The asking process claims the check first. All others answer with what is known. */
const CLAIM = `
  insert into app.token_checks as kept (workspace, ref, next_at)
  select workspace, ref, clock_timestamp() + interval '${PATIENCE_MS} milliseconds'
  from app.vault where workspace = $1 and ref = $2
  on conflict (workspace, ref) do update set next_at = excluded.next_at
  where kept.next_at <= clock_timestamp()`;

/**
 * Written only while the token exists: it may have been removed during the request. The row lock keeps the token until
 * this is written.
 */
const KEEP = `
  insert into app.token_checks as kept (workspace, ref, facts, checked_at, problem, next_at)
  select workspace, ref, $3::jsonb, case when $4::text is null then clock_timestamp() end, $4,
    clock_timestamp() + make_interval(secs => $5)
  from app.vault where workspace = $1 and ref = $2 and shredded_at is null for key share
  on conflict (workspace, ref) do update set
    facts = excluded.facts, checked_at = coalesce(excluded.checked_at, kept.checked_at),
    problem = excluded.problem, next_at = excluded.next_at
  returning facts, checked_at, problem, false as due`;

const keyOf = ({ workspace, ref }: SecretName): string => `${workspace}/${ref}`;

const told = ({ facts, checked_at: at, problem }: Row): TokenCheck => ({
  ...(facts && { facts }),
  ...(at && { checkedAt: at.toISOString() }),
  ...(problem !== null && { problem }),
});

@Injectable()
export class TokenChecks {
  private readonly asking = new Map<string, Promise<TokenCheck>>();
  private readonly outbound: Outbound;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    outbound: Outbound,
  ) {
    // The address comes from the environment, so it needs no entry in OUTBOUND_ALLOW.
    this.outbound = outbound.alsoTo(new URL(config.GITHUB_API_URL).hostname.replace(/^\[|\]$/g, ''));
  }

  async look(name: SecretName): Promise<TokenCheck> {
    const { rows } = await this.db.query<Row>(READ, [name.workspace, name.ref]);
    const row = rows[0];
    if (row && !row.due && !this.asking.has(keyOf(name))) return told(row);
    // Several pages that open at once share one request.
    const key = keyOf(name);
    const asked = this.asking.get(key) ?? this.askOnce(name, row).finally(() => this.asking.delete(key));
    this.asking.set(key, asked);
    return asked;
  }

  private async askOnce(name: SecretName, row: Row | undefined): Promise<TokenCheck> {
    const { rowCount } = await this.db.query(CLAIM, [name.workspace, name.ref]);
    if (rowCount === 1) return this.ask(name, row?.facts ?? undefined);
    return row ? told(row) : {};
  }

  async forget({ workspace, ref }: SecretName): Promise<void> {
    await this.db.query('delete from app.token_checks where workspace = $1 and ref = $2', [workspace, ref]);
  }

  private async ask(name: SecretName, before: TokenFacts | undefined): Promise<TokenCheck> {
    const token = await this.vault.get(name);
    if (token === undefined) return {};
    const answer = await this.call(token);
    const { why = null, retrySeconds = FRESH_SECONDS } = answer.is === 'untold' ? answer : {};
    const { rows } = await this.db.query<Row>(KEEP, [
      name.workspace,
      name.ref,
      learned(before, answer) ?? null,
      why,
      retrySeconds,
    ]);
    return rows[0] ? told(rows[0]) : {};
  }

  private async call(token: string): Promise<TokenAnswer> {
    try {
      const answer = await callOut(this.outbound, {
        url: `${this.config.GITHUB_API_URL.replace(/\/+$/, '')}/user`,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'x-github-api-version': '2022-11-28',
        },
        timeoutMs: PATIENCE_MS,
      });
      return readAnswer(answer, Date.now());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { is: 'untold', why: error.msg, retrySeconds: RETRY_SECONDS };
    }
  }
}
