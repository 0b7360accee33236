/** The members of a workspace. Events contain only ids of people. Name and e-mail are only in `app.person_records`. */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import { roleWords, same, type NamedPerson, type PersonView } from '@quarterdeck/projections';
import type { ClientBase } from 'pg';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { Claims, Decisions } from '../platform/decisions';
import { DomainError, invalidField } from '../platform/errors';
import { inView, type HistoryOf } from '../platform/in-view';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import { CLAIMS, DB, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { ChangeRole, JoinWorkspace, personDecider } from './people.decider';
import { Roles } from './roles';

const person = inView<PersonView>('p.view');

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
    private readonly decisions: Decisions,
    @Inject(CLAIMS) private readonly claims: Claims,
    private readonly roles: Roles,
  ) {
    claims.owners.push({ name: 'person', remake: (client) => this.knowAgain(client) });
  }

  /**
   * The person with that e-mail in the workspace, with that role. Without an e-mail: the workspace's one nameless
   * person for the role.
   */
  async obtain(membership: Membership): Promise<string> {
    const id = await this.member(membership);
    await this.give(membership.role, id, membership);
    return id;
  }

  /**
   * The workspace's nameless administrator. While nobody in the installation is a superadmin, it becomes one, so that
   * somebody can take backups. It stays one.
   */
  async obtainInstaller(own: Pick<Membership, 'workspace' | 'actor'>): Promise<string> {
    const id = await this.member({ ...own, role: 'admin' });
    const isTop =
      (await this.roleOf(id, own.workspace)) === 'superadmin' || !(await this.roles.hasSuperadmin());
    await this.give(isTop ? 'superadmin' : 'admin', id, own);
    return id;
  }

  private async give(role: Role, id: string, { workspace, actor }: Pick<Membership, 'workspace' | 'actor'>) {
    if ((await this.roleOf(id, workspace)) === role) return;
    const meta = ownMeta(actor, workspace);
    await this.roles.change(id, workspace, (lastAdmin) => new ChangeRole(id, { role, lastAdmin }, meta));
  }

  /** Joins in that role unless the person is a member already. */
  private async member(membership: Membership): Promise<string> {
    const { workspace, role, email, actor } = membership;
    const key = email ? keyOf(email) : `role:${role}`;
    const id = await this.claims.obtain(scopeOf(workspace), key, uuidv7());
    await this.keep(id, workspace, email ? { email } : { name: roleWords[role] });
    const meta = ownMeta(actor, workspace);
    const joined = await transaction(this.pool, async (client) => {
      if (!(await this.stays(id, workspace, key, client))) return false;
      await this.decisions.execute(personDecider, new JoinWorkspace(id, { role }, meta));
      return true;
    });
    return joined ? id : this.member(membership);
  }

  /**
   * For people who sign up themselves: they join in that role unless they are members already.
   * @param candidate the id to use if the workspace knows nobody with that e-mail, which must be verified
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
   * @param client locks the person until its transaction ends, so that nobody can remove them or change their role
   * between this check and the start of the session
   */
  async roleOf(id: string, workspace: string, client?: ClientBase): Promise<Role | undefined> {
    await client?.query('select from app.person_records where id = $1 for share', [id]);
    return (await this.decisions.load(personDecider, id, workspace)).state.role;
  }

  /** When somebody else removed the person's second factors, if they have added none since. */
  async factorsResetAt(id: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ at: string | null }>(
      `select ${person.text('secondFactorResetAt')} as at from read.people p where p.id = $1`,
      [id],
    );
    return rows[0]?.at ?? undefined;
  }

  /** The person whom the workspace knows by that e-mail. */
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

  /**
   * Restores the record of a member, by id, after the database was lost. The e-mail identifies them from then on.
   * @throws DomainError
   */
  async regain(id: string, workspace: string, email: string | undefined): Promise<void> {
    if (!isUuid(id) || !(await this.roleOf(id, workspace))) throw await this.noMember(id, workspace);
    if (!email) return;
    await transaction(this.pool, async (client) => {
      const holder = await this.claims.obtain(scopeOf(workspace), keyOf(email), id, client);
      if (holder !== id) throw invalidField('email', `somebody else has the e-mail ${email}: ${holder}`);
      const { rows } = await client.query<{ email: string | null }>(
        'select email from app.person_records where id = $1 for update',
        [id],
      );
      const known = rows[0]?.email ?? email;
      if (known.toLowerCase() !== email.toLowerCase())
        throw invalidField('email', `the e-mail of ${id} is ${known}`);
      await client.query('update app.person_records set email = $2 where id = $1', [id, known]);
    });
  }

  /** E-mails and logins, also former ones, by which an invitation may name the person. */
  async signsOf(id: string): Promise<{ person: string; emails: string[]; logins: string[] }> {
    const { rows } = await this.pool.query<{ email: string | null; logins: string[] }>(
      `select r.email, array(
         select i.login from app.identities i where i.person = r.id and i.login is not null
         union select k.login from app.known_logins k where k.person = r.id) as logins
       from app.person_records r where r.id = $1`,
      [id],
    );
    const { email = null, logins = [] } = rows[0] ?? {};
    return { person: id, emails: email === null ? [] : [email], logins };
  }

  /** @returns whether the name has changed */
  async rename(id: string, name: string, client: ClientBase): Promise<boolean> {
    const { rowCount } = await client.query(
      'update app.person_records set name = $2 where id = $1 and name is distinct from $2',
      [id, name],
    );
    return rowCount === 1;
  }

  /** Deletes everything that identifies the person. */
  async shred(id: string, workspace: string, client: ClientBase): Promise<void> {
    await client.query('update app.person_records set name = null, email = null where id = $1', [id]);
    const named = [
      'app.identities',
      'app.known_logins',
      'app.notice_memory',
      'app.sessions',
      'app.sign_in_links',
    ];
    for (const table of named) await client.query(`delete from ${table} where person = $1`, [id]);
    await this.claims.releaseAll(scopeOf(workspace), id, client);
  }

  /** Includes former members, because the history shows their names. */
  async list(workspace: string): Promise<PersonView[]> {
    const { rows } = await this.pool.query<RecordRow & { view: PersonView }>(
      `select p.view, r.name, r.email from read.people p left join app.person_records r on r.id = p.id::uuid
       where p.workspace = $1 order by ${person.text('joinedAt')}, p.id`,
      [workspace],
    );
    return rows.map(({ view, ...record }) => ({ ...view, ...absentAsUndefined(record) }));
  }

  /** Of those of these people who are members of the workspace now. */
  async addresses(ids: readonly string[], workspace: string): Promise<string[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.pool.query<{ email: string }>(
      `select r.email from read.people p join app.person_records r on r.id = p.id::uuid
       where p.workspace = $1 and p.id = any($2) and p."removedAt" is null and r.email is not null order by p.id`,
      [workspace, ids],
    );
    return rows.map(({ email }) => email);
  }

  /** For everybody. Leaves out people who are only known by their e-mail. */
  async names(workspace: string): Promise<NamedPerson[]> {
    const { rows } = await this.pool.query<Omit<RecordRow, 'email'> & { id: string }>(
      `select p.id, r.name from read.people p left join app.person_records r on r.id = p.id::uuid
       where p.workspace = $1 and (r.name is not null or r.email is null) order by p.id`,
      [workspace],
    );
    return rows.map(({ id, name }) => ({ id, ...(name !== null && { name }) }));
  }

  /**
   * Locks the person, so that they cannot be forgotten during the transaction.
   * @returns whether the e-mail is still theirs: if they were forgotten while we waited for the lock, they have
   * released it
   */
  private async stays(id: string, workspace: string, key: string, client: ClientBase): Promise<boolean> {
    await client.query('select from app.person_records where id = $1 for update', [id]);
    return (await this.claims.holderOf(scopeOf(workspace), key, client)) === id;
  }

  /** Lists the members that the caller may have meant. */
  private async noMember(id: string, workspace: string): Promise<DomainError> {
    const members = (await this.list(workspace)).filter(({ removedAt }) => removedAt === undefined);
    const lines = members.map((one) => `  ${one.id}  ${one.role}  ${one.name ?? one.email ?? ''}`);
    return new DomainError(
      'notFound',
      [`${id} is not a member of the workspace; its members are:`, ...lines].join('\n'),
    );
  }

  /**
   * For an empty database: creates nameless records for everybody. Only one key is known, that of the person whom each
   * start signs in. Nobody else may be mistaken for a nameless person. After a restore from a backup the records are
   * there, and e-mails identify people again.
   */
  private async knowAgain(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{
      id: string;
      workspace: string;
      name: string | null;
      first: Role | null;
      known: boolean;
      email: string | null;
    }>(
      `select p.id, p.workspace, h.role as first, r.id is not null as known, r.email,
         case when p."removedAt" is null
           then $1::jsonb ->> p.role || ' (joined ' || left(${person.text('joinedAt')}, 10) || ')' end as name
       from read.people p left join app.person_records r on r.id = p.id::uuid left join lateral (
         select ${inView<HistoryOf<'PersonJoined'>>('view').text('data', 'role')} as role from read.history
         where ${same('"subjectId"', 'p.id')} and type = 'PersonJoined' and actor = 'system' limit 1) h on true
       where ${person.text('forgottenAt')} is null order by p.position`,
      [JSON.stringify(roleWords)],
    );
    for (const { id, workspace, name, known } of rows)
      if (!known) await this.keep(id, workspace, name ? { name } : {}, client);
    const held = rows.flatMap(({ id: holder, workspace, first, email }) => {
      const keys = [...(first ? [`role:${first}`] : []), ...(email === null ? [] : [keyOf(email)])];
      return keys.map((key) => ({ scope: scopeOf(workspace), key, holder }));
    });
    await this.claims.assign(held, client);
  }

  private async keep(
    id: string,
    workspace: string,
    { name, email }: PersonRecord,
    db: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<void> {
    // No conflict target, so that every unique index counts: with `(id)` alone, two concurrent inserts of the same
    // person could fail because of the e-mail address.
    await db.query(
      `insert into app.person_records (id, workspace, name, email) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [id, workspace, name ?? null, email ?? null],
    );
    const { rowCount } = await db.query(
      'update app.person_records set name = coalesce(name, $2) where id = $1',
      [id, name ?? null],
    );
    if (rowCount === 0) throw new Error(`the e-mail address of person ${id} is that of somebody else`);
  }
}
