/**
 * The values that a release was deployed with. The vault keeps them as long as a release refers to them, so a rollback
 * has them even if the variables have changed since.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import type { ReleaseView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import { DB, VAULT, type Pool, type Vault } from '../platform/tokens';
import { PLAIN_RELEASE_VARIABLE } from '../platform/vault';
import type { Variable } from './environment';

export interface SavedVariable extends Variable {
  secret: boolean;
  fingerprint: string;
}

type Kept = EventData<'ReleaseRequested'>['variables'];

const NEWEST = `
  select ${inView<ReleaseView>('view').json('variables')} as variables from read.releases
  where workspace = $1 and "serviceId" = $2 order by position desc limit 20`;
const REFERRED = `
  select from read.releases r, jsonb_array_elements(${inView<ReleaseView>('r.view').json('variables')}) v
  where r.workspace = $1 and r."serviceId" = $2 and r.id <> $3 and v ->> 'ref' = $4 limit 1`;

@Injectable()
export class ReleaseVariables {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  /** `made`: references that are new in the vault. */
  async keep(
    variables: readonly SavedVariable[],
    { release, service, workspace }: { release: string; service: string; workspace: string },
  ): Promise<{ kept: Kept; made: string[] }> {
    const { rows } = await this.db.query<{ variables: Kept }>(NEWEST, [workspace, service]);
    const known = new Map(
      rows.flatMap((row) => row.variables).map((one) => [`${one.key} ${one.fingerprint}`, one.ref]),
    );
    const made: string[] = [];
    const kept: Kept = [];
    for (const { key, value, secret, fingerprint } of variables) {
      const before = known.get(`${key} ${fingerprint}`);
      const same = before !== undefined && (await this.vault.get({ workspace, ref: before })) === value;
      const ref = same ? before : uuidv5(`variable ${key}`, release);
      // Also written if the value exists: whether it is a secret may have changed since.
      const kind = secret ? 'release-variable' : PLAIN_RELEASE_VARIABLE;
      await this.vault.put({ workspace, ref }, value, { kind, fingerprint });
      if (!same) made.push(ref);
      kept.push({ key, secret, fingerprint, ref });
    }
    return { kept, made };
  }

  /** @throws DomainError `conflict` if a value was destroyed */
  async values({ variables }: { variables: Kept }, workspace: string): Promise<Variable[]> {
    return Promise.all(
      variables.map(async ({ key, ref }) => {
        const value = await this.vault.get({ workspace, ref });
        if (value === undefined)
          throw new DomainError('conflict', `the value of ${key} was destroyed: deploy anew`);
        return { key, value };
      }),
    );
  }

  async shred(refs: readonly string[], workspace: string): Promise<void> {
    for (const ref of refs) await this.vault.shred({ workspace, ref });
  }

  /** Destroys the values that no other release of the service refers to. */
  async release({ id, service, variables }: ReleaseView, workspace: string): Promise<void> {
    for (const { ref } of variables) {
      const { rowCount } = await this.db.query(REFERRED, [workspace, service.id, id, ref]);
      if (rowCount === 0) await this.vault.shred({ workspace, ref });
    }
  }
}
