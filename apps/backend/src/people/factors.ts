/**
 * The second factors of people: a row each, and for an authenticator app, its secret in the vault. A row counts only if
 * the log has it, so what an interrupted change left behind opens nothing.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FactorKind } from '@quarterdeck/events';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import type { CommandMeta, Sessions } from '../platform/sessions';
import { DB, SESSIONS, VAULT, type Pool, type Vault } from '../platform/tokens';
import { personDecider, ResetFactors, type PersonState } from './people.decider';

export interface FactorRow {
  id: string;
  kind: FactorKind;
  name: string;
  addedAt: Date;
  usedAt: Date | null;
  /** Host name at which a passkey was made. It works at no other. */
  site: string | null;
  /** Id by which its authenticator knows a passkey. */
  credential: string | null;
  publicKey: Buffer | null;
  /** How often the passkey was used, as its authenticator counts. A copied one falls behind. */
  counter: number | null;
  transports: string[] | null;
}

@Injectable()
export class Factors {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'shred'>,
    private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Pick<Sessions, 'revokeAllOf'>,
  ) {}

  async recorded(person: string, workspace: string): Promise<PersonState> {
    return (await this.decisions.load(personDecider, person, workspace)).state;
  }

  /** Oldest first. */
  async of(person: string, workspace: string): Promise<FactorRow[]> {
    const { factors = {} } = await this.recorded(person, workspace);
    const { rows } = await this.pool.query<FactorRow>(
      `select id, kind, coalesce(name, '') as name, added_at as "addedAt", used_at as "usedAt", site, credential,
         public_key as "publicKey", counter::float8, transports
       from app.second_factors where person = $1 and id = any($2) order by added_at, id`,
      [person, Object.keys(factors)],
    );
    return rows;
  }

  /**
   * Removes what the log does not have (any more), and authenticator apps that were not confirmed. A row is a moment
   * older than its event.
   */
  async tidy(person: string, workspace: string): Promise<void> {
    const { factors = {} } = await this.recorded(person, workspace);
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from app.second_factors
       where person = $1 and id <> all($2) and (name is null or added_at < now() - interval '1 minute')`,
      [person, Object.keys(factors)],
    );
    await this.discard(
      rows.map(({ id }) => id),
      workspace,
    );
    if (Object.keys(factors).length === 0)
      await this.pool.query('delete from app.recovery_codes where person = $1', [person]);
  }

  /** Everything of a person who is gone or has lost it. */
  async destroy(person: string, workspace: string): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select id from app.second_factors where person = $1',
      [person],
    );
    await this.discard(
      rows.map(({ id }) => id),
      workspace,
    );
    for (const table of ['app.recovery_codes', 'app.second_factor_attempts', 'app.second_factor_challenges'])
      await this.pool.query(`delete from ${table} where person = $1`, [person]);
  }

  /** The person has lost their factors. Repeating an interrupted reset finishes it. */
  async reset(person: string, how: { byCli: boolean }, meta: CommandMeta): Promise<Decision> {
    const decision = await this.decisions.execute(personDecider, new ResetFactors(person, how, meta));
    await this.destroy(person, meta.workspace);
    await this.sessions.revokeAllOf(person);
    return decision;
  }

  /** The secret goes first: a row without one opens nothing, and its removal can be repeated. */
  async discard(ids: readonly string[], workspace: string): Promise<void> {
    for (const ref of ids) await this.vault.shred({ workspace, ref });
    await this.pool.query('delete from app.second_factors where id = any($1)', [ids]);
  }
}
