/** Who belongs to a workspace. Events know people by id; name and e-mail stand in `app.person_records` alone. */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import type { PersonView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { Claims } from '../platform/claims';
import { Decisions } from '../platform/decider-handlers';
import { ownMeta } from '../platform/session';
import type { Sessions } from '../platform/session-store';
import { CLAIMS, DB, SESSIONS, type Pool } from '../platform/tokens';
import { ChangeRole, JoinWorkspace, personDecider } from './people.decider';

export interface PersonRecord {
  name?: string;
  email?: string;
}

export interface Membership {
  workspace: string;
  role: Role;
  email?: string;
  actor: string;
}

const titles: Record<Role, string> = {
  member: 'Member',
  admin: 'Administrator',
  superadmin: 'Superadministrator',
};

const absentAsUndefined = ({ name, email }: { name: string | null; email: string | null }): PersonRecord => ({
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email }),
});

@Injectable()
export class People {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(CLAIMS) private readonly claims: Claims,
    @Inject(SESSIONS) private readonly sessions: Pick<Sessions, 'changeRole'>,
  ) {}

  /**
   * The person with that e-mail in the workspace, in that role. Without an e-mail: the one nameless person that the
   * workspace has for the role.
   */
  async obtain({ workspace, role, email, actor }: Membership): Promise<string> {
    const key = email ? `email:${email.toLowerCase()}` : `role:${role}`;
    const id = await this.claims.obtain(`person:${workspace}`, key, uuidv7());
    await this.pool.query(
      'insert into app.person_records (id, workspace, name, email) values ($1, $2, $3, $4) on conflict do nothing',
      [id, workspace, email ? null : titles[role], email ?? null],
    );
    const meta = ownMeta(actor, workspace);
    await this.decisions.execute(personDecider, new JoinWorkspace(id, { role }, meta));
    const { written } = await this.decisions.execute(personDecider, new ChangeRole(id, { role }, meta));
    if (written > 0) await this.sessions.changeRole(id, role);
    return id;
  }

  async roleOf(id: string, workspace: string): Promise<Role | undefined> {
    return (await this.decisions.load(personDecider, id, workspace)).state.role;
  }

  async record(id: string): Promise<PersonRecord> {
    const { rows } = await this.pool.query<{ name: string | null; email: string | null }>(
      'select name, email from app.person_records where id = $1',
      [id],
    );
    return rows[0] ? absentAsUndefined(rows[0]) : {};
  }

  async list(workspace: string): Promise<PersonView[]> {
    const { rows } = await this.pool.query<{ view: PersonView; name: string | null; email: string | null }>(
      `select p.view, r.name, r.email from read.people p left join app.person_records r on r.id = p.id::uuid
       where p.workspace = $1 order by p.view ->> 'joinedAt', p.id`,
      [workspace],
    );
    return rows.map(({ view, ...record }) => ({ ...view, ...absentAsUndefined(record) }));
  }
}
