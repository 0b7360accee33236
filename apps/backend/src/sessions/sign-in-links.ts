/** One-time links: 256 random bits, of which the database holds the SHA-256. Good once, for an hour. */
import { Inject, Injectable } from '@nestjs/common';
import type { Position, Role } from '@quarterdeck/events';
import { IssueSignInLink, People, personDecider, SignIn } from '../people';
import { Decisions } from '../platform/decider-handlers';
import { DomainError } from '../platform/errors';
import { ownMeta, type Session } from '../platform/session';
import { hashed, randomSecret, type Sessions } from '../platform/session-store';
import { DB, SESSIONS, type Pool } from '../platform/tokens';
import { transaction } from '../platform/transaction';
import { Workspaces } from '../workspaces';

const LINK_MS = 60 * 60 * 1000;

export interface LinkRequest {
  workspace: string;
  role: Role;
  email?: string;
  actor: string;
}

export interface SignedIn {
  /** Value of the session cookie. */
  cookie: string;
  session: Omit<Session, 'id'>;
  position: Position;
}

export const accessDenied = (): DomainError =>
  new DomainError('unauthenticated', 'Access Denied! Wrong access credentials.');

@Injectable()
export class SignInLinks {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(Workspaces) private readonly workspaces: Workspaces,
    @Inject(People) private readonly people: People,
  ) {}

  /** Makes workspace and person when they are new. @returns the code */
  async issue({ workspace: name, role, email, actor }: LinkRequest): Promise<string> {
    const workspace = await this.workspaces.findOrCreate(name, actor);
    const person = await this.people.obtain({
      workspace: workspace.id,
      role,
      actor,
      ...(email ? { email } : {}),
    });
    const code = randomSecret();
    const expiresAt = new Date(Date.now() + LINK_MS).toISOString();
    await this.decisions.execute(
      personDecider,
      new IssueSignInLink(person, { expiresAt }, ownMeta(actor, workspace.id)),
    );
    await this.pool.query(
      'insert into app.sign_in_links (code, person, workspace, expires_at) values ($1, $2, $3, $4)',
      [hashed(code), person, workspace.id, expiresAt],
    );
    return code;
  }

  /**
   * The link is spent, the fact recorded and the session opened, or none of it. Whoever comes second while the first
   * is at it is refused at once.
   */
  redeem(code: string, correlationId: string): Promise<SignedIn> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<{ person: string; workspace: string }>(
        `select person, workspace from app.sign_in_links
         where code = $1 and used_at is null and expires_at > now() for update skip locked`,
        [hashed(code)],
      );
      const link = rows[0];
      if (!link) throw accessDenied();
      const { session, position } = await this.admit(link.person, link.workspace, correlationId);
      await client.query('update app.sign_in_links set used_at = now() where code = $1', [hashed(code)]);
      const cookie = await this.sessions.open(session, 'link', client);
      return { cookie, session, position };
    });
  }

  private async admit(
    person: string,
    workspaceId: string,
    correlationId: string,
  ): Promise<Pick<SignedIn, 'session' | 'position'>> {
    const workspace = await this.workspaces.byId(workspaceId);
    const role = await this.people.roleOf(person, workspaceId);
    if (!workspace || !role) throw accessDenied();
    const meta = ownMeta(person, workspaceId, correlationId);
    const { position } = await this.decisions.execute(
      personDecider,
      new SignIn(person, { via: 'link' }, meta),
    );
    return { session: { person, workspace: workspaceId, workspaceName: workspace.name, role }, position };
  }
}
