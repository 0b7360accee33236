/**
 * Names that only one thing can hold at a time: a workspace's name in the installation, a server's alias in its
 * workspace.
 *
 * The claim is made before the event is appended, so a crash in between leaves a claim without a holder. Such a claim
 * can be taken over once it is old enough that nobody can be between the two steps any more.
 */
import type { ClientBase, Pool } from 'pg';

/** Longer than the timeout of an append. */
const GRACE_MS = 30_000;

/** Whether the stream of `holder` really has the key. */
export type Holds = (holder: string) => Promise<boolean>;

/** The pool, or a connection whose transaction this should be part of. */
type Queries = Pick<ClientBase, 'query'>;

/** An owner of rows in schema `app` that can be restored from the log: see `remaking.ts`. */
export interface Remade {
  /** Never changes: installations store it to remember that these rows were restored. */
  name: string;
  /** Restores the rows from the read models. */
  remake(client: ClientBase): Promise<void>;
}

/** A key that its holder has now. */
export interface Claimed {
  /** When it was claimed, or claimed again: an instant of the database's clock. */
  readonly at: string;
  /** Nobody had it before, not even this holder. */
  readonly isNew: boolean;
}

/** A key and its holder, according to the read models. */
export interface Held {
  scope: string;
  key: string;
  holder: string;
}

const HELD_AT_ONCE = 5_000;

interface Row {
  holder: string;
  /** As text: a `Date` would lose the microseconds that the take-over compares. */
  claimed_at: string;
  since: Date;
  old: boolean;
}

export class Claims {
  /** Every owner of claims registers here how to restore them if the database is empty. */
  readonly owners: Remade[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** @returns undefined if another one holds the key */
  async claim(scope: string, key: string, holder: string, holds: Holds): Promise<Claimed | undefined> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const inserted = await this.pool.query<{ at: string }>({
        name: 'claim',
        text: `insert into app.claims (scope, key, holder) values ($1, $2, $3) on conflict do nothing
               returning claimed_at::text as at`,
        values: [scope, key, holder],
      });
      if (inserted.rows[0]) return { ...inserted.rows[0], isNew: true };
      const present = await this.read(scope, key);
      // Released between the two statements: try again.
      if (!present) continue;
      if (present.holder === holder) {
        // The claim may be an old one, of a removed thing that is being restored: nobody may take it over meanwhile.
        const renewed = await this.renew(scope, key, holder);
        if (renewed) return { ...renewed, isNew: false };
        continue;
      }
      if (!present.old || (await holds(present.holder))) return undefined;
      const taken = await this.pool.query<{ at: string }>(
        `update app.claims set holder = $3, claimed_at = clock_timestamp()
         where scope = $1 and key = $2 and holder = $4 and claimed_at = $5::timestamptz
         returning claimed_at::text as at`,
        [scope, key, holder, present.holder, present.claimed_at],
      );
      if (taken.rows[0]) return { ...taken.rows[0], isNew: true };
    }
    return undefined;
  }

  /**
   * Claims what nobody else holds, in one statement. Of two holders of one key, the first gets it.
   * @returns whoever holds its key now; `claim` looks closer at the others
   */
  async claimFree(scope: string, wanted: readonly Omit<Held, 'scope'>[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ holder: string }>(
      `insert into app.claims (scope, key, holder)
       select distinct on (key) $1, key, holder
       from unnest($2::text[], $3::text[]) with ordinality as wanted (key, holder, place) order by key, place
       on conflict (scope, key) do update set claimed_at = clock_timestamp() where claims.holder = excluded.holder
       returning holder`,
      [scope, wanted.map(({ key }) => key), wanted.map(({ holder }) => holder)],
    );
    return new Set(rows.map(({ holder }) => holder));
  }

  /** Assigns each key to its holder, replacing any present one. Of two holders of one key, the first gets it. */
  async assign(held: readonly Held[], client: Pick<ClientBase, 'query'>): Promise<void> {
    const byKey = new Map<string, Held>();
    for (const one of held) {
      const name = JSON.stringify([one.scope, one.key]);
      if (!byKey.has(name)) byKey.set(name, one);
    }
    const rows = [...byKey.values()];
    for (let at = 0; at < rows.length; at += HELD_AT_ONCE) {
      const some = rows.slice(at, at + HELD_AT_ONCE);
      await client.query(
        `insert into app.claims (scope, key, holder) select * from unnest($1::text[], $2::text[], $3::text[])
         on conflict (scope, key) do update set holder = excluded.holder, claimed_at = clock_timestamp()`,
        [some.map(({ scope }) => scope), some.map(({ key }) => key), some.map(({ holder }) => holder)],
      );
    }
  }

  private async renew(scope: string, key: string, holder: string): Promise<{ at: string } | undefined> {
    const { rows } = await this.pool.query<{ at: string }>(
      `update app.claims set claimed_at = clock_timestamp() where scope = $1 and key = $2 and holder = $3
       returning claimed_at::text as at`,
      [scope, key, holder],
    );
    return rows[0];
  }

  /**
   * The holder of the key: the present one, or `candidate` if there is none. For things that any process may create.
   */
  async obtain(scope: string, key: string, candidate: string, db: Queries = this.pool): Promise<string> {
    await db.query('insert into app.claims (scope, key, holder) values ($1, $2, $3) on conflict do nothing', [
      scope,
      key,
      candidate,
    ]);
    return (await this.read(scope, key, db))?.holder ?? this.obtain(scope, key, candidate, db);
  }

  /**
   * Releases the key if `holder` has it.
   *
   * @param claimed only if it was claimed at this instant, or before that one. Other calls about the holder claim again
   * what they need
   */
  async release(
    scope: string,
    key: string,
    holder: string,
    { at, before }: { at?: string; before?: string } = {},
  ): Promise<void> {
    await this.pool.query({
      name: 'claim-released',
      text: `delete from app.claims where scope = $1 and key = $2 and holder = $3
             and ($4::timestamptz is null or claimed_at = $4) and ($5::timestamptz is null or claimed_at < $5)`,
      values: [scope, key, holder, at ?? null, before ?? null],
    });
  }

  /** Releases every key of the scope that `holder` has. */
  async releaseAll(scope: string, holder: string, db: Queries = this.pool): Promise<void> {
    await db.query('delete from app.claims where scope = $1 and holder = $2', [scope, holder]);
  }

  async holderOf(scope: string, key: string, db: Queries = this.pool): Promise<string | undefined> {
    return (await this.read(scope, key, db))?.holder;
  }

  async heldBy(scope: string, key: string): Promise<{ holder: string; since: Date } | undefined> {
    return this.read(scope, key);
  }

  private async read(scope: string, key: string, db: Queries = this.pool): Promise<Row | undefined> {
    const { rows } = await db.query<Row>(
      `select holder, claimed_at::text, claimed_at as since, claimed_at < clock_timestamp() - make_interval(secs => $3) as old
       from app.claims where scope = $1 and key = $2`,
      [scope, key, this.graceMs / 1000],
    );
    return rows[0];
  }
}
