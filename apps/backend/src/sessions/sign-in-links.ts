/** One-time links: 256 random bits, stored as their SHA-256. They work once, for ten minutes. */
import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import { Factors, IssueSignInLink, People, personDecider } from '../people';
import { hasSignInProvider } from '../platform/config';
import { Decisions } from '../platform/decisions';
import { notFound } from '../platform/errors';
import { hashed, ownMeta, randomSecret } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { transaction } from '../platform/database';
import { Workspaces, type Workspace } from '../workspaces';
import { Admission, denied, type SignedIn, type Visit } from './admission';

const LINK_MS = 10 * 60 * 1000;
const OPEN = 'used_at is null and expires_at > now()';

export interface LinkRequest {
  workspace: string;
  /** `installer`: an administrator, or a superadmin while nobody is one. */
  role: Role | 'installer';
  email?: string;
  /** Id of a member whose name and e-mail were lost with the database. Replaces the role. */
  person?: string;
  /** The member has lost their second factor: all factors and recovery codes are removed first. */
  resetSecondFactor?: true;
  /** `cli`: a link from the command line works even if everybody else signs in with a provider. */
  actor: string;
}

@Injectable()
export class SignInLinks {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly decisions: Decisions,
    private readonly workspaces: Workspaces,
    private readonly people: People,
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
    private readonly factors: Factors,
  ) {}

  /** Creates workspace and person if they are new. @returns the code */
  async issue(request: LinkRequest): Promise<string> {
    const { workspace: name, actor } = request;
    const workspace = request.person
      ? await this.known(name)
      : await this.workspaces.findOrCreate(name, actor);
    const person = await this.personOf(request, workspace.id);
    if (request.resetSecondFactor)
      await this.factors.reset(person, { byCli: true }, ownMeta(actor, workspace.id));
    const code = randomSecret();
    const expiresAt = new Date(Date.now() + LINK_MS).toISOString();
    await this.decisions.execute(
      personDecider,
      new IssueSignInLink(person, { expiresAt }, ownMeta(actor, workspace.id)),
    );
    await this.pool.query(
      'insert into app.sign_in_links (code, person, workspace, expires_at, issued_by) values ($1, $2, $3, $4, $5)',
      [hashed(code), person, workspace.id, expiresAt, actor],
    );
    return code;
  }

  private async known(name: string): Promise<Workspace> {
    const workspace = await this.workspaces.find(name);
    if (!workspace) throw notFound(`workspace ${name}`);
    return workspace;
  }

  private async personOf({ person, role, email, actor }: LinkRequest, workspace: string): Promise<string> {
    if (person) {
      await this.people.regain(person, workspace, email);
      return person;
    }
    if (role === 'installer') return this.people.obtainInstaller({ workspace, actor });
    return this.people.obtain({ workspace, role, actor, ...(email ? { email } : {}) });
  }

  /** Whether the link would be let in now. Locks nothing, because guesses are cheap to make. */
  async isOpen(code: string): Promise<boolean> {
    const text = `select from app.sign_in_links where code = $1 and ${OPEN}`;
    return (await this.pool.query(text, [hashed(code)])).rowCount === 1;
  }

  /**
   * Uses up the link, records the sign-in and starts the session, or does none of it. A second attempt during the first
   * is refused at once.
   */
  redeem(code: string, visit: Visit): Promise<SignedIn> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<{ person: string; workspace: string; issued_by: string | null }>(
        `select person, workspace, issued_by from app.sign_in_links
         where code = $1 and ${OPEN} for update skip locked`,
        [hashed(code)],
      );
      const link = rows[0];
      if (!link) throw denied();
      if (hasSignInProvider(this.config) && link.issued_by !== 'cli') throw denied('links-off');
      const { person, workspace } = link;
      const signedIn = await this.admission.admit({ person, workspace, via: 'link' }, visit, client);
      await client.query('update app.sign_in_links set used_at = now() where code = $1', [hashed(code)]);
      return signedIn;
    });
  }
}
