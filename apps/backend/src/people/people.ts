/** Who belongs to a workspace. Events know people by id; name and e-mail stand in `app.person_records` alone. */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import type { PersonView } from '@quarterdeck/projections';
import type { ClientBase } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { Claims } from '../platform/claims';
import { Decisions } from '../platform/decider-handlers';
import { ownMeta, type CommandMeta } from '../platform/session';
import { CLAIMS, DB, type Pool } from '../platform/tokens';
import { transaction } from '../platform/transaction';
import { ChangeRole, JoinWorkspace, personDecider } from './people.decider';
import { Roles } from './roles';

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

interface RecordRow {
  name: string | null;
  email: string | null;
}

const absentAsUndefined = ({ name, email }: RecordRow): PersonRecord => ({
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email }),
});

const scopeOf = (workspace: string): string => `person:${workspace}`;
const keyOf = (email: string): string => `email:${email.toLowerCase()}`;

@Injectable()
export class People {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(CLAIMS) private readonly claims: Claims,
    @Inject(Roles) private readonly roles: Roles,
  ) {}

  /**
   * The person with that e-mail in the workspace, in that role. Without an e-mail: the one nameless person that the
   * workspace has for the role.
   */
  async obtain(membership: Membership): Promise<string> {
    const { workspace, role, email, actor } = membership;
    const key = email ? keyOf(email) : `role:${role}`;
    const id = await this.claims.obtain(scopeOf(workspace), key, uuidv7());
    await this.keep(id, workspace, email ? { email } : { name: titles[role] });
    const meta = ownMeta(actor, workspace);
    const joined = await transaction(this.pool, async (client) => {
      if (!(await this.stays(id, workspace, key, client))) return false;
      await this.decisions.execute(personDecider, new JoinWorkspace(id, { role }, meta));
      return true;
    });
    if (!joined) return this.obtain(membership);
    if ((await this.roleOf(id, workspace)) !== role)
      await this.roles.change(id, workspace, (lastAdmin) => new ChangeRole(id, { role, lastAdmin }, meta));
    return id;
  }

  /**
   * Somebody who comes by himself: he joins in that role unless he is a member already.
   * @param candidate his id when the workspace knows nobody with that e-mail, which has to be a proven one
   */
  async join(
    candidate: string,
    role: Role,
    record: PersonRecord,
    metaOf: (person: string) => CommandMeta,
    client: ClientBase,
  ): Promise<string> {
    const { workspace } = metaOf(candidate);
    const key = record.email && keyOf(record.email);
    const id = key ? await this.claims.obtain(scopeOf(workspace), key, candidate, client) : candidate;
    if (key && !(await this.stays(id, workspace, key, client)))
      return this.join(candidate, role, record, metaOf, client);
    await this.keep(id, workspace, record, client);
    await this.decisions.execute(personDecider, new JoinWorkspace(id, { role }, metaOf(id)));
    return id;
  }

  /**
   * @param client holds the person until its transaction ends: nobody is removed or given another role between this
   * look and the session that is opened on the strength of it
   */
  async roleOf(id: string, workspace: string, client?: ClientBase): Promise<Role | undefined> {
    await client?.query('select from app.person_records where id = $1 for share', [id]);
    return (await this.decisions.load(personDecider, id, workspace)).state.role;
  }

  /** Whoever the workspace knows by that e-mail. */
  withEmail(email: string, workspace: string): Promise<string | undefined> {
    return this.claims.holderOf(scopeOf(workspace), keyOf(email));
  }

  async record(id: string): Promise<PersonRecord> {
    const { rows } = await this.pool.query<RecordRow>(
      'select name, email from app.person_records where id = $1',
      [id],
    );
    return rows[0] ? absentAsUndefined(rows[0]) : {};
  }

  /** By which an invitation may name the person. */
  async signsOf(id: string): Promise<{ emails: string[]; logins: string[] }> {
    const { rows } = await this.pool.query<{ email: string | null; logins: string[] }>(
      `select r.email, array(
         select i.login from app.identities i where i.person = r.id and i.login is not null) as logins
       from app.person_records r where r.id = $1`,
      [id],
    );
    const { email = null, logins = [] } = rows[0] ?? {};
    return { emails: email === null ? [] : [email], logins };
  }

  /** @returns whether he was called otherwise before */
  async rename(id: string, name: string, client: ClientBase): Promise<boolean> {
    const { rowCount } = await client.query(
      'update app.person_records set name = $2 where id = $1 and name is distinct from $2',
      [id, name],
    );
    return rowCount === 1;
  }

  /** Takes away all that tells who the person was. */
  async shred(id: string, workspace: string, client: ClientBase): Promise<void> {
    await client.query('update app.person_records set name = null, email = null where id = $1', [id]);
    for (const table of ['app.identities', 'app.sessions', 'app.sign_in_links'])
      await client.query(`delete from ${table} where person = $1`, [id]);
    await this.claims.releaseAll(scopeOf(workspace), id, client);
  }

  /** Former members too, by whose names the history is signed. */
  async list(workspace: string): Promise<PersonView[]> {
    const { rows } = await this.pool.query<RecordRow & { view: PersonView }>(
      `select p.view, r.name, r.email from read.people p left join app.person_records r on r.id = p.id::uuid
       where p.workspace = $1 order by p.view ->> 'joinedAt', p.id`,
      [workspace],
    );
    return rows.map(({ view, ...record }) => ({ ...view, ...absentAsUndefined(record) }));
  }

  /**
   * Nobody forgets him while the transaction lasts.
   * @returns whether the key is still his: whoever was forgotten while we waited for him has given it back
   */
  private async stays(id: string, workspace: string, key: string, client: ClientBase): Promise<boolean> {
    await client.query('select from app.person_records where id = $1 for update', [id]);
    return (await this.claims.holderOf(scopeOf(workspace), key, client)) === id;
  }

  private async keep(
    id: string,
    workspace: string,
    { name, email }: PersonRecord,
    db: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<void> {
    await db.query(
      `insert into app.person_records as known (id, workspace, name, email) values ($1, $2, $3, $4)
       on conflict (id) do update set name = coalesce(known.name, excluded.name)`,
      [id, workspace, name ?? null, email ?? null],
    );
  }
}
