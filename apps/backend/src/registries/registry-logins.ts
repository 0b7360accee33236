/** The logins of the container registries of a workspace. */
import { Inject, Injectable } from '@nestjs/common';
import { registry, registryNamed, type ValuesOf } from '@quarterdeck/events';
import { listOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';

type Registry = Pick<ValuesOf<typeof registry>, 'host' | 'username'>;

@Injectable()
export class RegistryLogins {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(recordsOf(registry)) private readonly things: PlainRecords,
  ) {}

  /** @param host of an image. Undefined if the registry is not listed */
  async of(host: string, workspace: string): Promise<{ user: string; token: string } | undefined> {
    const listed = (await listOf(registry, this.db, workspace)) as unknown as (Registry & { id: string })[];
    const found = listed.find((one) => registryNamed(one.host) === registryNamed(host));
    if (!found) return undefined;
    const { username, token } = await this.things.opened(found.id, workspace);
    return { user: String(username), token: String(token) };
  }
}
