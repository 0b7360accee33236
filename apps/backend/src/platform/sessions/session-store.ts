/**
 * Sessions. The cookie contains 256 random bits and the database their SHA-256, so a stolen dump opens nothing.
 *
 * A session ends after 12 hours without a call, and after 7 days in any case. People watch a console through a shift
 * without a click, so the usual 30 minutes of shops would sign operators out in the middle of an incident.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@quarterdeck/events';
import { type LastingConnection, listening } from '@quarterdeck/log/store';
import type { WorkspaceView } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import type { ClientBase, Pool } from 'pg';
import { inView } from '../in-view';
import type { MemberOf } from './recorded-member';
import { lackOf } from './second-factor';
import type { NewSession, Session } from './session';
import type { Opening, OpenSession, Sessions } from './sessions';

export const SESSION_COOKIE = 'qd_session';
export const SESSION_SECONDS = 7 * 24 * 3600;
const IDLE = `interval '12 hours'`;
/** How long a revocation may go unnoticed if its notification is lost too. */
const CACHE_MS = 5000;
const SWEEP_MS = 15_000;
const SEEN_MS = 60_000;
const CHANNEL = 'sessions';
const LONGEST_USER_AGENT = 400;

/**
 * Sessions of a removed person are invalid at once. So are those in a workspace for the users of a product, which only
 * superadmins may enter. This also covers a crash before they could be revoked.
 */
// oxlint-disable-next-line quarterdeck/own-tables -- the sweep has to see removed persons and closed workspaces without reading the log for each session
const valid = `expires_at > now() and seen_at > now() - ${IDLE}
  and not exists (select from read.people p where p.id = person::text and p."removedAt" is not null)
  and (role = 'superadmin' or not exists (
    select from read.workspaces w
    where w.id = app.sessions.workspace::text and ${inView<WorkspaceView>('w.view').json('audience', 'product')} is not null))`;

export const hashed = (secret: string): string => createHash('sha256').update(secret).digest('hex');
export const randomSecret = (): string => randomBytes(32).toString('base64url');

interface Row {
  id: string;
  person: string;
  workspace: string;
  workspace_name: string;
  role: Role;
  seen_at: Date;
  proved_at: Date | null;
}

export class SessionStore implements Sessions {
  private readonly cache = new LRUCache<string, Session>({ max: 10_000, ttl: CACHE_MS });
  /** Sessions that this process has served and that have not ended as far as it knows. The sweep checks them. */
  private readonly known = new Set<string>();
  private readonly listeners = new Set<(id: string) => void>();
  private sweeping: NodeJS.Timeout | undefined;
  /** Counts how often a session was forgotten. */
  private forgotten = 0;

  constructor(
    private readonly pool: Pool,
    connection: Pick<LastingConnection, 'use'>,
    private readonly onFault: (error: unknown) => void,
    /** Default: what the session's row says, for a store that only ends sessions. */
    private readonly memberOf?: MemberOf,
  ) {
    const heard = (payload: string): void => this.heard(payload);
    connection.use(listening(CHANNEL, heard, () => void this.sweep()));
  }

  start(): void {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  stop(): void {
    clearInterval(this.sweeping);
  }

  async load(secret: string | undefined): Promise<Session | undefined> {
    if (!secret || secret.length > 100) return undefined;
    const id = hashed(secret);
    const cached = this.cache.get(id);
    if (cached) return cached;
    const { forgotten } = this;
    const { rows } = await this.pool.query<Row>(
      `select id, person, workspace, workspace_name, role, seen_at, proved_at from app.sessions where id = $1 and ${valid}`,
      [id],
    );
    const row = rows[0];
    if (!row) return undefined;
    const member = this.memberOf
      ? await this.memberOf(row.person, row.workspace)
      : { role: row.role, hasFactor: row.proved_at !== null, demanded: false };
    if (!member) return undefined;
    const provedAt = row.proved_at ?? undefined;
    const lacks = lackOf(member, provedAt);
    const session: Session = {
      id,
      person: row.person,
      workspace: row.workspace,
      workspaceName: row.workspace_name,
      role: member.role,
      hasFactor: member.hasFactor,
      ...(provedAt && { provedAt }),
      ...(lacks && { lacks }),
    };
    // If something changed during the read, the result may be outdated.
    if (forgotten !== this.forgotten) return this.load(secret);
    this.cache.set(id, session);
    this.known.add(id);
    if (Date.now() - row.seen_at.getTime() > SEEN_MS) this.touch(id);
    return session;
  }

  /** Whether this process has accepted the session and has not seen it end. Needs no query. */
  knows(id: string): boolean {
    return this.known.has(id);
  }

  async open(
    session: NewSession,
    { via, userAgent, prefix = '' }: Opening,
    client?: ClientBase,
  ): Promise<string> {
    const cookie = randomSecret();
    await (client ?? this.pool).query(
      `insert into app.sessions (id, person, workspace, workspace_name, role, via, expires_at, user_agent)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8)`,
      [
        hashed(prefix + cookie),
        session.person,
        session.workspace,
        session.workspaceName,
        session.role,
        via,
        SESSION_SECONDS,
        userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      ],
    );
    return cookie;
  }

  async list(person: string): Promise<OpenSession[]> {
    type ListedRow = Omit<OpenSession, 'userAgent' | 'provedAt'> & {
      userAgent: string | null;
      provedAt: Date | null;
    };
    const { rows } = await this.pool.query<ListedRow>(
      `select id, ref, via, user_agent as "userAgent", proved_at as "provedAt", created_at as "startedAt", seen_at as "lastUsedAt",
         seen_at + ${IDLE} as "endsWhenIdleAt", expires_at as "endsAt"
       from app.sessions where person = $1 and ${valid} order by seen_at desc, ref`,
      [person],
    );
    return rows.map(({ userAgent, provedAt, ...row }) => ({
      ...row,
      ...(userAgent !== null && { userAgent }),
      ...(provedAt !== null && { provedAt }),
    }));
  }

  async revoke(id: string): Promise<void> {
    await this.pool.query('delete from app.sessions where id = $1', [id]);
    this.ended(id);
    await this.pool.query('select pg_notify($1, $2)', [CHANNEL, `ended ${id}`]);
  }

  revokeAllOf(person: string): Promise<void> {
    return this.revokeWhere('person = $1', person);
  }

  async prove(id: string): Promise<void> {
    await this.pool.query('update app.sessions set proved_at = clock_timestamp() where id = $1', [id]);
    this.forget(id);
    await this.pool.query('select pg_notify($1, $2)', [CHANNEL, `changed ${id}`]);
  }

  revokeUnprovedOf(person: string): Promise<void> {
    return this.revokeWhere('person = $1 and proved_at is null', person);
  }

  revokeUnprovedIn(workspace: string): Promise<void> {
    return this.revokeWhere('workspace = $1 and proved_at is null', workspace);
  }

  revokeAllIn(workspace: string): Promise<void> {
    return this.revokeWhere(`workspace = $1 and role <> 'superadmin'`, workspace);
  }

  private async revokeWhere(condition: string, value: string): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(
      `delete from app.sessions where ${condition} returning id`,
      [value],
    );
    for (const { id } of rows) this.ended(id);
    await this.pool.query(`select pg_notify($1, 'ended ' || id) from unnest($2::text[]) id`, [
      CHANNEL,
      rows.map(({ id }) => id),
    ]);
  }

  forget(id: string): void {
    this.forgotten += 1;
    this.cache.delete(id);
  }

  dismiss(person: string): void {
    for (const [id, session] of Array.from(this.cache.entries()))
      if (session.person === person) this.ended(id);
  }

  async countByPerson(workspace: string): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ person: string; count: number }>(
      `select person, count(*)::integer as count from app.sessions where workspace = $1 and ${valid} group by person`,
      [workspace],
    );
    return new Map(rows.map(({ person, count }) => [person, count]));
  }

  async changeRole(person: string, role: Role, client: ClientBase): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      'update app.sessions set role = $2 where person = $1 and role <> $2 returning id',
      [person, role],
    );
    const ids = rows.map(({ id }) => id);
    await client.query(`select pg_notify($1, 'changed ' || id) from unnest($2::text[]) id`, [CHANNEL, ids]);
    return ids;
  }

  onRevoked(listener: (id: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private touch(id: string): void {
    this.pool.query('update app.sessions set seen_at = now() where id = $1', [id]).catch(this.onFault);
  }

  private heard(payload: string): void {
    const [what, id = ''] = payload.split(' ');
    this.forget(id);
    if (what === 'ended') this.ended(id);
  }

  private ended(id: string): void {
    this.forget(id);
    if (!this.known.delete(id)) return;
    for (const listener of this.listeners) listener(id);
  }

  /** Finds sessions whose end was missed: those that expired, and those revoked during a lost connection. */
  private async sweep(): Promise<void> {
    // Sessions that start during the sweep are not judged.
    const asked = [...this.known];
    if (asked.length === 0) return;
    try {
      const { rows } = await this.pool.query<{ id: string }>(
        `select id from app.sessions where id = any($1) and ${valid}`,
        [asked],
      );
      const alive = new Set(rows.map((row) => row.id));
      for (const id of asked) if (!alive.has(id)) this.ended(id);
      await this.pool.query('delete from app.sessions where expires_at < now()');
    } catch (error) {
      this.onFault(error);
    }
  }
}
