/**
 * Fingerprints of values, made with a key of the service in the vault. From a plain hash, a value such as `true` or a
 * short password could be guessed, and the log keeps fingerprints for ever.
 */
import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { transaction } from '../platform/database';
import { randomSecret } from '../platform/sessions';
import { DB, VAULT } from '../platform/tokens';
import type { Pool, Vault } from '../platform/tokens';

export type Fingerprint = (value: string) => string;

@Injectable()
export class Fingerprints {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  async of(service: string, workspace: string): Promise<Fingerprint> {
    const name = { workspace, ref: uuidv5('fingerprints of variables', service) };
    const key = (await this.vault.get(name)) ?? (await this.made(name));
    return (value) => createHmac('sha256', key).update(value).digest('base64url').slice(0, 12);
  }

  /** If two processes need the key at the same time, only one creates it. */
  private async made(name: { workspace: string; ref: string }): Promise<string> {
    return transaction(this.db, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`prints:${name.ref}`]);
      const known = await this.vault.get(name);
      if (known !== undefined) return known;
      const key = randomSecret();
      await this.vault.put(name, key, { kind: 'variable-fingerprints' });
      return key;
    });
  }
}
