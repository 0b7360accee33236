/** By which accounts at providers people are known. Personal data: it stands here and in no event. */
import { Inject, Injectable } from '@nestjs/common';
import { DB, type Pool } from '../platform/tokens';
import type { ProvenIdentity } from './provider';

@Injectable()
export class Identities {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  async personOf({ provider, subject }: ProvenIdentity, workspace: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ person: string }>(
      'select person from app.identities where workspace = $1 and provider = $2 and subject = $3',
      [workspace, provider, subject],
    );
    return rows[0]?.person;
  }

  /** From now on the account is that person's, also when it was somebody else's who has left. */
  async add({ provider, subject }: ProvenIdentity, workspace: string, person: string): Promise<void> {
    await this.pool.query(
      `insert into app.identities (workspace, provider, subject, person) values ($1, $2, $3, $4)
       on conflict (workspace, provider, subject) do update set person = excluded.person`,
      [workspace, provider, subject, person],
    );
  }

  async hasAny(person: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from app.identities where person = $1 limit 1', [
      person,
    ]);
    return rowCount === 1;
  }
}
