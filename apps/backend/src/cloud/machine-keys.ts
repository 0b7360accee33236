/** Keys made for a new machine: one to sign in, and its first host key. Both only in the vault. */
import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { DomainError } from '../platform/errors';
import { makeKeyPair, publicKeyFacts, type KeyPair } from '../platform/ssh';
import { VAULT, type Vault } from '../platform/tokens';

const KIND = 'ssh-private-key';

interface StoredKeyPair {
  privateKey: string;
  publicKey: string;
}

export interface MachineKey extends KeyPair {
  ref: string;
}

export type Purpose = 'login' | 'first host';

/** A run has one of each. */
export const keyRef = (purpose: Purpose, run: string): string => uuidv5(`${purpose} key`, run);

@Injectable()
export class MachineKeys {
  constructor(@Inject(VAULT) private readonly vault: Vault) {}

  /** Makes it unless the run has it. */
  async make(purpose: Purpose, run: string, workspace: string): Promise<MachineKey> {
    const ref = keyRef(purpose, run);
    const before = await this.find(ref, workspace);
    if (before) return before;
    const { privateKey, publicKey, fingerprint } = await makeKeyPair();
    const kept: StoredKeyPair = { privateKey, publicKey };
    await this.vault.put({ workspace, ref }, JSON.stringify(kept), { kind: KIND, fingerprint });
    return this.load(ref, workspace);
  }

  /** @throws DomainError if it no longer exists */
  async load(ref: string, workspace: string): Promise<MachineKey> {
    const found = await this.find(ref, workspace);
    if (found) return found;
    throw new DomainError('unprocessable', 'the key that was made for this droplet no longer exists');
  }

  async shred(ref: string, workspace: string): Promise<void> {
    await this.vault.shred({ workspace, ref });
  }

  private async find(ref: string, workspace: string): Promise<MachineKey | undefined> {
    const secret = await this.vault.get({ workspace, ref });
    if (secret === undefined) return undefined;
    const { privateKey, publicKey } = JSON.parse(secret) as StoredKeyPair;
    const facts = publicKeyFacts(publicKey);
    if (!facts) return undefined;
    const { algorithm, fingerprint, md5 } = facts;
    return { ref, privateKey, publicKey, algorithm, fingerprint, md5 };
  }
}
