/** The provider accounts of known people. Personal data: stored here and in no event. */
import { Inject, Injectable } from '@nestjs/common';
import type { AccountView, SignInProvider } from '@quarterdeck/events';
import type { ClientBase } from 'pg';
import { DB, type Pool } from '../platform/tokens';
import type { ProvenIdentity } from './provider';

@Injectable()
export class Identities {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  async personOf(
    { provider, subject }: ProvenIdentity,
    workspace: string,
    db: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<string | undefined> {
    const { rows } = await db.query<{ person: string }>(
      'select person from app.identities where workspace = $1 and provider = $2 and subject = $3',
      [workspace, provider, subject],
    );
    return rows[0]?.person;
  }

  /** Assigns the account to that person, even if it belonged to somebody who has left. */
  async add(
    { provider, subject, login }: ProvenIdentity,
    workspace: string,
    person: string,
    db: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<void> {
    await db.query(
      `insert into app.identities (workspace, provider, subject, person, login) values ($1, $2, $3, $4, $5)
       on conflict (workspace, provider, subject) do update
       set person = excluded.person, login = excluded.login, created_at = now()`,
      [workspace, provider, subject, person, login ?? null],
    );
    await this.knowBy(login, person, db);
  }

  /** The login may have changed since the last time. */
  async noteLogin({ provider, subject, login }: ProvenIdentity, workspace: string): Promise<void> {
    const { rows } = await this.pool.query<{ person: string }>(
      `update app.identities set login = $4
       where workspace = $1 and provider = $2 and subject = $3 and login is distinct from $4 returning person`,
      [workspace, provider, subject, login ?? null],
    );
    for (const { person } of rows) await this.knowBy(login, person, this.pool);
  }

  /** Former logins too: an open invitation may still name the person by one. */
  private async knowBy(
    login: string | undefined,
    person: string,
    db: Pick<ClientBase, 'query'>,
  ): Promise<void> {
    if (login === undefined) return;
    await db.query(
      'insert into app.known_logins (person, login) values ($1, lower($2)) on conflict do nothing',
      [person, login],
    );
  }

  /** Accounts of one person, in the order in which they were connected. */
  async of(person: string, db: Pick<ClientBase, 'query'> = this.pool): Promise<AccountView[]> {
    const { rows } = await db.query<{ provider: SignInProvider; at: Date }>(
      `select provider, min(created_at) as at from app.identities where person = $1
       group by provider order by at, provider`,
      [person],
    );
    return rows.map(({ provider, at }) => ({ provider, connectedAt: at.toISOString() }));
  }

  async remove(provider: SignInProvider, person: string, client: ClientBase): Promise<void> {
    await client.query('delete from app.identities where person = $1 and provider = $2', [person, provider]);
  }
}
