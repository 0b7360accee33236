/**
 * Fingerprints of values. They are made with a key of the service, which is in the vault: a value such as `true` or a
 * short password could be guessed from a plain hash, and the log keeps fingerprints for ever.
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

  /** Of two processes that need the key at the same time, one makes it. */
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
