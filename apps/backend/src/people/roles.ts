/**
 * Who is an administrator. The rule that one must stay involves the streams of many people. So everybody who might
 * remove one, in the console or on the command line, locks the workspace while they check, decide and record.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import type { PoolClient } from 'pg';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { mayActAs, type Sessions } from '../platform/sessions';
import { DB, SESSIONS, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { personDecider, type AssignRole, type ChangeRole } from './people.decider';

@Injectable()
export class Roles {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Pick<Sessions, 'changeRole' | 'forget'>,
  ) {}

  change(
    id: string,
    workspace: string,
    commandFor: (lastAdmin: boolean) => AssignRole | ChangeRole,
  ): Promise<Decision> {
    return this.followed(id, workspace, (lastAdmin) =>
      this.decisions.execute(personDecider, commandFor(lastAdmin)),
    );
  }

  /** Updates sessions after somebody was interrupted between recording a role and applying it. */
  settle(id: string, workspace: string): Promise<void> {
    return this.followed(id, workspace, () => Promise.resolve());
  }

  /** @param work receives whether nobody else in the workspace is an administrator; the lock keeps that true */
  holding<T>(
    id: string,
    workspace: string,
    work: (lastAdmin: boolean, client: PoolClient) => Promise<T>,
  ): Promise<T> {
    return transaction(this.pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`members:${workspace}`]);
      // A concurrent sign-in either completes before this lock, so its session is found, or waits for it.
      await client.query('select from app.person_records where id = $1 for update', [id]);
      return work(!(await this.anotherAdmin(id, workspace, client)), client);
    });
  }

  /**
   * Updates the sessions while the workspace is locked. If there are two changes at once, sessions and log agree on the
   * last one.
   */
  private async followed<T>(
    id: string,
    workspace: string,
    work: (lastAdmin: boolean) => Promise<T>,
  ): Promise<T> {
    const { result, changed } = await this.holding(id, workspace, async (lastAdmin, client) => {
      const made = await work(lastAdmin);
      const role = await this.roleOf(id, workspace);
      return { result: made, changed: role ? await this.sessions.changeRole(id, role, client) : [] };
    });
    for (const session of changed) this.sessions.forget(session);
    return result;
  }

  /** Reads the log. The read model may be behind, so it only suggests whom to check first. */
  private async anotherAdmin(id: string, workspace: string, client: PoolClient): Promise<boolean> {
    const { rows } = await client.query<{ id: string }>(
      `select r.id from app.person_records r left join read.people p on p.id = r.id::text
       where r.workspace = $1 and r.id <> $2
       order by p.role in ('admin', 'superadmin') and p."removedAt" is null desc nulls last`,
      [workspace, id],
    );
    for (const other of rows) {
      const role = await this.roleOf(other.id, workspace);
      if (role && mayActAs(role, 'admin')) return true;
    }
    return false;
  }

  /** Reads the log, like above. Whom the read model knows as a superadmin is checked first. */
  async hasSuperadmin(): Promise<boolean> {
    const { rows } = await this.pool.query<{ id: string; workspace: string }>(
      `select r.id, r.workspace from app.person_records r left join read.people p on p.id = r.id::text
       order by p.role = 'superadmin' and p."removedAt" is null desc nulls last`,
    );
    for (const { id, workspace } of rows)
      if ((await this.roleOf(id, workspace)) === 'superadmin') return true;
    return false;
  }

  private async roleOf(id: string, workspace: string): Promise<Role | undefined> {
    return (await this.decisions.load(personDecider, id, workspace)).state.role;
  }
}
