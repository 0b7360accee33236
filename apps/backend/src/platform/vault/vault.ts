/**
 * The store of secrets. Each secret is encrypted with its own data key (AES-256-GCM, bound to its workspace and
 * reference), and the master key encrypts the data key. So a rotation only re-encrypts small keys, and a row copied
 * elsewhere does not open.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { unwrap, wrap } from '@quarterdeck/log/store';
import type { Pool } from 'pg';
import { DomainError } from '../errors';
import { StartProblem, WRONG_ENVIRONMENT } from '../start-problem';
import { transaction } from '../database';
import type { MasterKey, MasterKeySource } from './vault-key';
import type { SecretName, Vault } from '../secrets';

/** Distinguishes two secrets without revealing anything, as long as the secret itself cannot be guessed. */
export const fingerprintOf = (secret: string): string =>
  `SHA256:${createHash('sha256').update(secret).digest('base64url').slice(0, 12)}`;

/**
 * Records secrets that were just stored, and shreds them if `work` is refused. Only a refusal guarantees that nothing was
 * written.
 */
export const orShred = async <T>(
  vault: Pick<Vault, 'shred'>,
  workspace: string,
  refs: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) for (const ref of refs) await vault.shred({ workspace, ref });
    throw error;
  }
};

type References = readonly ({ readonly ref: string } | undefined)[];

const onlyIn = (these: References, others: References): string[] =>
  these.flatMap((one) => (one && !others.some((other) => other?.ref === one.ref) ? [one.ref] : []));

/**
 * Records secrets in place of others: shreds the new ones if `work` is refused, and afterwards the ones that it replaced.
 *
 * @param before what is recorded now
 * @param after what `work` records. Secrets that were kept are in both
 */
export const replacingSecrets = async <T>(
  vault: Pick<Vault, 'shred'>,
  workspace: string,
  { before, after }: { before: References; after: References },
  work: () => Promise<T>,
): Promise<T> => {
  const done = await orShred(vault, workspace, onlyIn(after, before), work);
  for (const ref of onlyIn(before, after)) await vault.shred({ workspace, ref });
  return done;
};

/** For values that everybody may read, and that only have to stay out of the history. */
export const PLAIN_RELEASE_VARIABLE = 'plain-release-variable';
/** Kinds that are not masked in output of runs. */
const notSecret = ['gh-username', PLAIN_RELEASE_VARIABLE];

const CHECK = Buffer.from('quarterdeck');

const aboutSecret = ({ workspace, ref }: SecretName): string => `secret\n${workspace}\n${ref}`;
const aboutKey = ({ workspace, ref }: SecretName): string => `key\n${workspace}\n${ref}`;

export class WrongMasterKey extends StartProblem {
  constructor({ setting }: MasterKeySource, expected: string, got: string) {
    super(setting, {
      wrong: `gives master key ${got}, and the secrets of this database were sealed under master key ${expected}`,
      remedy: 'put the right one back into DATA_DIR/master.key, or set MASTER_KEY to it',
      exitCode: WRONG_ENVIRONMENT,
    });
  }
}

/** A new key would open nothing, so none is created in its place. */
export class MissingMasterKey extends StartProblem {
  constructor({ setting }: MasterKeySource, expected: string) {
    super(setting, {
      wrong: `has no file master.key, and the secrets of this database were sealed under master key ${expected}`,
      remedy: 'put master.key back from a backup of that folder, or set MASTER_KEY to the key that it held',
      exitCode: WRONG_ENVIRONMENT,
    });
  }
}

interface Row {
  key_id: string;
  wrapped_key: Buffer;
  sealed: Buffer;
}

interface RegisteredKey {
  id: string;
  check_value: Buffer;
}

const registeredKey = async (pool: Pool): Promise<RegisteredKey | undefined> => {
  const { rows } = await pool.query<RegisteredKey>('select id, check_value from app.vault_keys');
  return rows[0];
};

/** Any number that all processes of a database share. */
export const FIRST_KEY_LOCK = 5_171_140_002;

/** The first key that opens an empty vault becomes the vault's key. Any other is refused from then on. */
const masterOf = async (pool: Pool, source: MasterKeySource): Promise<MasterKey> => {
  const before = await registeredKey(pool);
  const found = source.read() ?? (before ? source.following(before.id) : source.make());
  if (!found) throw new MissingMasterKey(source, before?.id ?? 'none');
  const { id, key } = found;
  await transaction(pool, async (client) => {
    // A separate statement, because the next one has to see what others wrote before they released the lock.
    await client.query('select pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
    await client.query(
      `insert into app.vault_keys (id, check_value)
       select $1, $2 where not exists (select from app.vault_keys)`,
      [id, wrap(key, CHECK, id)],
    );
  });
  const registered = await registeredKey(pool);
  if (registered?.id !== id) {
    const following = registered && source.following(registered.id);
    if (!following) throw new WrongMasterKey(source, registered?.id ?? 'none', id);
    return following;
  }
  unwrap(key, registered.check_value, id);
  return found;
};

export class PostgresVault implements Vault {
  private constructor(
    private readonly pool: Pool,
    private readonly source: MasterKeySource,
    private master: MasterKey,
  ) {}

  /** @throws WrongMasterKey, MissingMasterKey */
  static async open(pool: Pool, source: MasterKeySource): Promise<PostgresVault> {
    return new PostgresVault(pool, source, await masterOf(pool, source));
  }

  /** For the event log, whose own keys are encrypted under a key derived from it. */
  get masterKey(): Buffer {
    return this.master.key;
  }

  derived(purpose: string): string {
    const key = createHmac('sha256', this.master.key).update('derived secrets').digest();
    return createHmac('sha256', key).update(purpose).digest('base64url');
  }

  async put(name: SecretName, secret: string, about: { kind: string; fingerprint?: string }): Promise<void> {
    const dataKey = randomBytes(32);
    const sealed = wrap(dataKey, Buffer.from(secret), aboutSecret(name));
    if (await this.insert(name, about, dataKey, sealed)) return;
    // The master key was rotated while this process was running.
    await this.refresh();
    if (!(await this.insert(name, about, dataKey, sealed))) throw this.rotatedAway();
  }

  async get(name: SecretName, which?: 'alsoShredded'): Promise<string | undefined> {
    const { rows } = await this.pool.query<Row>({
      name: 'secret',
      text: `select key_id, wrapped_key, sealed from app.vault
             where workspace = $1 and ref = $2 and (shredded_at is null or $3)`,
      values: [name.workspace, name.ref, which === 'alsoShredded'],
    });
    const row = rows[0];
    if (!row) return undefined;
    if (row.key_id !== this.master.id) await this.refresh();
    if (row.key_id !== this.master.id) throw this.rotatedAway();
    const dataKey = unwrap(this.master.key, row.wrapped_key, aboutKey(name));
    return unwrap(dataKey, row.sealed, aboutSecret(name)).toString();
  }

  async printable(workspace: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ ref: string }>({
      name: 'printable-secrets',
      text: 'select ref from app.vault where workspace = $1 and kind <> all ($2)',
      values: [workspace, notSecret],
    });
    return rows.map(({ ref }) => ref);
  }

  async shred(name: SecretName): Promise<void> {
    await this.pool.query(
      `with known as (select exists (select from app.leases where starts_with(name, 'run-')) as to_runs),
         gone as (delete from app.vault using known where workspace = $1 and ref = $2 and not to_runs)
       update app.vault set shredded_at = clock_timestamp() from known
       where workspace = $1 and ref = $2 and to_runs and shredded_at is null`,
      [name.workspace, name.ref],
    );
  }

  async forget(): Promise<void> {
    await this.pool.query(
      `delete from app.vault where shredded_at is not null and not exists (
         select from app.leases where starts_with(name, 'run-') and since <= shredded_at)`,
    );
  }

  /**
   * Encrypts every data key again, in one transaction: afterwards only `next` opens the vault. @returns how many keys
   */
  async rotate(next: MasterKey): Promise<number> {
    const count = await transaction(this.pool, async (client) => {
      await client.query('lock table app.vault_keys, app.vault in exclusive mode');
      const { rows } = await client.query<Row & SecretName>(
        'select workspace, ref, wrapped_key from app.vault',
      );
      for (const row of rows) {
        const wrapped = wrap(
          next.key,
          unwrap(this.master.key, row.wrapped_key, aboutKey(row)),
          aboutKey(row),
        );
        await client.query(
          'update app.vault set key_id = $3, wrapped_key = $4 where workspace = $1 and ref = $2',
          [row.workspace, row.ref, next.id, wrapped],
        );
      }
      await client.query('delete from app.vault_keys');
      await client.query('insert into app.vault_keys (id, check_value) values ($1, $2)', [
        next.id,
        wrap(next.key, CHECK, next.id),
      ]);
      return rows.length;
    });
    this.master = next;
    return count;
  }

  /** The present master key, also when it was rotated while this process was running. */
  async current(): Promise<MasterKey> {
    const registered = await registeredKey(this.pool);
    if (registered?.id !== this.master.id) await this.refresh();
    return this.master;
  }

  private async refresh(): Promise<void> {
    try {
      this.master = await masterOf(this.pool, this.source);
    } catch (error) {
      throw error instanceof StartProblem ? this.rotatedAway() : error;
    }
  }

  private async insert(
    name: SecretName,
    about: { kind: string; fingerprint?: string },
    dataKey: Buffer,
    sealed: Buffer,
  ): Promise<boolean> {
    const wrapped = wrap(this.master.key, dataKey, aboutKey(name));
    const { rowCount } = await this.pool.query(
      `insert into app.vault (workspace, ref, kind, fingerprint, key_id, wrapped_key, sealed)
       select $1, $2, $3, $4, $5, $6, $7 where exists (select from app.vault_keys where id = $5)
       on conflict (workspace, ref) do update
       set kind = excluded.kind, fingerprint = excluded.fingerprint, key_id = excluded.key_id,
           wrapped_key = excluded.wrapped_key, sealed = excluded.sealed, shredded_at = null`,
      [name.workspace, name.ref, about.kind, about.fingerprint ?? null, this.master.id, wrapped, sealed],
    );
    return rowCount === 1;
  }

  private rotatedAway(): DomainError {
    return new DomainError('unavailable', 'the master key was changed: restart with the new one', undefined, {
      retryAfter: 60,
    });
  }
}
