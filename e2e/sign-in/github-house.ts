/** An installation whose operators sign in with GitHub, and its visitors. */
import { startBackend, type RunningBackend } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startGitHubSignIn, type GitHubSignIn } from '../../testing/github-sign-in';
import { startTestPostgres } from '../../testing/postgres';
import { Visitor } from './visitor';

export const words = 'Access Denied! Wrong access credentials.';

export const deniedFor = (reason: string) => ({ status: 401, body: { msg: words, code: reason } });

export class GitHubHouse {
  private workspaces = 0;

  private constructor(
    readonly backend: RunningBackend,
    readonly github: GitHubSignIn,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<GitHubHouse> {
    const postgres = await startTestPostgres();
    const github = await startGitHubSignIn();
    const port = await freePort('127.0.0.1');
    const env = { ...github.env, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    const backend = await startBackend({ databaseUrl: postgres.url, env });
    return new GitHubHouse(backend, github, async () => {
      await backend.close();
      await github.stop();
      await postgres.stop();
    });
  }

  newVisitor(): Visitor {
    return new Visitor(this.backend.url);
  }

  /** Signs a person up to a new workspace. */
  async signedUp(login: string) {
    const account = this.github.become({ login, name: 'Ada Marsh' });
    const instance = `yard-${(this.workspaces += 1)}`;
    const visitor = this.newVisitor();
    const answer = await visitor.signIn(instance, this.github.agree);
    expect(answer.status).toBe(200);
    return { account, instance, visitor, welcome: answer.body };
  }

  /** @returns the code if it is a link */
  async invite(visitor: Visitor, whom: { login?: string; email?: string }): Promise<string | undefined> {
    const via = whom.login ? 'github' : whom.email ? 'email' : 'link';
    const answer = await visitor.operator.post<{ code?: string }>('invitation/insert', {
      role: 'member',
      via,
      ...whom,
    });
    expect(answer.status).toBe(200);
    return answer.body.code;
  }
}
