/**
 * The values that a release was deployed with. The vault keeps them as long as a release refers to them, so a rollback
 * has them even if the variables have changed since.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import type { DeployView } from '@quarterdeck/projections';
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

type DeployedVariables = EventData<'ReleaseRequested'>['variables'];

const release = inView<DeployView>('r.view');
/** A value of a secret variable that a release keeps, unless it was destroyed. */
export interface KeptValue {
  /** Of the release. */
  id: string;
  env: number;
  key: string;
  ref: string;
  destroyed: boolean;
}

/** The row's own position is that of the newest event. */
const requested = `(${release.text('position')})::bigint`;
const NEWEST = `
  select ${release.json('variables')} as variables from read.releases r
  where r.workspace = $1 and r."serviceId" = $2 order by ${requested} desc limit 20`;
const REFERRED = `
  select from read.releases r, jsonb_array_elements(${release.json('variables')}) v
  where r.workspace = $1 and r."serviceId" = $2 and r.id <> $3 and v ->> 'ref' = $4 and not v ? 'destroyed' limit 1`;
/** What releases keep of secret variables, also what they keep no more. */
const KEPT = `
  select r.id, ${release.text('env', 'id')}::int as env, v ->> 'key' as key, v ->> 'ref' as ref, v ? 'destroyed' as destroyed
  from read.releases r, jsonb_array_elements(${release.json('variables')}) v
  where r.workspace = $1 and r."serviceId" = $2 and (v -> 'secret')::boolean
  order by ${requested} desc`;
const DESTROYED = `
  select distinct r.workspace, r."serviceId" as service, v ->> 'ref' as ref
  from read.releases r, jsonb_array_elements(${release.json('variables')}) v
  where v ? 'destroyed'`;

@Injectable()
export class DeployVariables {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  /** `made`: references that are new in the vault. */
  async keep(
    variables: readonly SavedVariable[],
    { release, service, workspace }: { release: string; service: string; workspace: string },
  ): Promise<{ kept: DeployedVariables; made: string[] }> {
    const { rows } = await this.db.query<{ variables: DeployedVariables }>(NEWEST, [workspace, service]);
    const known = new Map(
      rows.flatMap((row) => row.variables).map((one) => [`${one.key} ${one.fingerprint}`, one.ref]),
    );
    const made: string[] = [];
    const kept: DeployedVariables = [];
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
  async values({ variables }: { variables: DeployedVariables }, workspace: string): Promise<Variable[]> {
    return Promise.all(
      variables.map(async ({ key, ref }) => {
        const value = await this.vault.get({ workspace, ref });
        if (value === undefined)
          throw new DomainError('conflict', `the value of ${key} was destroyed: deploy anew`);
        return { key, value };
      }),
    );
  }

  /** Newest release first. */
  async kept(service: string, workspace: string): Promise<KeptValue[]> {
    return (await this.db.query<KeptValue>(KEPT, [workspace, service])).rows;
  }

  /**
   * The values of a variable in the releases of an environment, and the same values in the others. Includes those that
   * are destroyed already, whose process may have died before the vault forgot them.
   */
  async ofVariable(
    { service, env, key }: { service: string; env: number; key: string },
    workspace: string,
  ): Promise<KeptValue[]> {
    const all = (await this.kept(service, workspace)).filter((one) => one.key === key);
    const refs = new Set(all.filter((one) => one.env === env).map(({ ref }) => ref));
    return all.filter(({ ref }) => refs.has(ref));
  }

  /** Which variables a rollback to the release lacks. */
  async missing({ variables }: Pick<DeployView, 'variables'>, workspace: string): Promise<string[]> {
    const missing: string[] = [];
    for (const { key, ref, destroyed } of variables)
      if (destroyed || (await this.vault.get({ workspace, ref })) === undefined) missing.push(key);
    return missing;
  }

  /** Destroys what a process that died left in the vault, of all workspaces. */
  async sweep(): Promise<void> {
    const { rows } = await this.db.query<{ workspace: string; service: string; ref: string }>(DESTROYED);
    for (const { workspace, service, ref } of rows) await this.shredUnreferred([ref], service, workspace);
  }

  /** Destroys the values that no release of the service keeps any more. */
  async shredUnreferred(
    refs: readonly string[],
    service: string,
    workspace: string,
    besides = '',
  ): Promise<void> {
    for (const ref of refs) {
      const { rowCount } = await this.db.query(REFERRED, [workspace, service, besides, ref]);
      if (rowCount === 0) await this.vault.shred({ workspace, ref });
    }
  }

  async shred(refs: readonly string[], workspace: string): Promise<void> {
    for (const ref of refs) await this.vault.shred({ workspace, ref });
  }

  /** Destroys the values that no other release of the service refers to. */
  async release({ id, service, variables }: DeployView, workspace: string): Promise<void> {
    const refs = variables.map(({ ref }) => ref);
    await this.shredUnreferred(refs, service.id, workspace, id);
  }
}
