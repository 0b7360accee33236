/**
 * Names that one thing holds at a time: a workspace's name in the installation, a server's alias in its workspace.
 *
 * The claim is taken before the event is appended, so a crash in between leaves a claim without a holder. Such a one
 * is taken over, once it is old enough that nobody can be between the two steps any more.
 */
import type { ClientBase, Pool } from 'pg';

/** Longer than an append may take before it is given up. */
const GRACE_MS = 30_000;

/** Whether the stream of `holder` really holds the key. */
export type Holds = (holder: string) => Promise<boolean>;

/** The pool, or a connection in whose transaction it is to happen. */
type Queries = Pick<ClientBase, 'query'>;

interface Row {
  holder: string;
  /** As text: a `Date` would lose the microseconds that the take-over compares. */
  claimed_at: string;
  since: Date;
  old: boolean;
}

export class Claims {
  constructor(
    private readonly pool: Pool,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** @returns whether `holder` holds the key now, also when it did before. */
  async claim(scope: string, key: string, holder: string, holds: Holds): Promise<boolean> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const inserted = await this.pool.query(
        'insert into app.claims (scope, key, holder) values ($1, $2, $3) on conflict do nothing',
        [scope, key, holder],
      );
      if (inserted.rowCount === 1) return true;
      const present = await this.read(scope, key);
      // Released between the two statements: try again.
      if (!present) continue;
      if (present.holder === holder) {
        // It may be an old one, of what was removed and comes back: nobody may take it over meanwhile.
        if (await this.renew(scope, key, holder)) return true;
        continue;
      }
      if (!present.old || (await holds(present.holder))) return false;
      const taken = await this.pool.query(
        `update app.claims set holder = $3, claimed_at = clock_timestamp()
         where scope = $1 and key = $2 and holder = $4 and claimed_at = $5::timestamptz`,
        [scope, key, holder, present.holder, present.claimed_at],
      );
      if (taken.rowCount === 1) return true;
    }
    return false;
  }

  private async renew(scope: string, key: string, holder: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update app.claims set claimed_at = clock_timestamp() where scope = $1 and key = $2 and holder = $3',
      [scope, key, holder],
    );
    return rowCount === 1;
  }

  /** The holder of the key: the present one, or `candidate` when there is none. For what any process may make. */
  async obtain(scope: string, key: string, candidate: string, db: Queries = this.pool): Promise<string> {
    await db.query('insert into app.claims (scope, key, holder) values ($1, $2, $3) on conflict do nothing', [
      scope,
      key,
      candidate,
    ]);
    return (await this.read(scope, key, db))?.holder ?? this.obtain(scope, key, candidate, db);
  }

  /** Gives the key back, if `holder` has it. */
  async release(scope: string, key: string, holder: string): Promise<void> {
    await this.pool.query('delete from app.claims where scope = $1 and key = $2 and holder = $3', [
      scope,
      key,
      holder,
    ]);
  }

  /** Gives back every key of the scope that `holder` has. */
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
