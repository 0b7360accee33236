/**
 * Private keys of servers: checked once, and then kept only in the vault. Events contain a reference and a fingerprint.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { invalidField } from '../platform/errors';
import { secretsOf } from '../platform/run-output';
import { type CommandMeta, idFor } from '../platform/sessions';
import { readPrivateKey, SshFailure } from '../platform/ssh';
import { VAULT, type Vault } from '../platform/tokens';
import type { KeyReference } from './servers.decider';

export interface PrivateKey {
  privateKey: string;
  passphrase?: string | undefined;
}

interface KnownSecrets {
  /** All references of the workspace, joined; identifies the set. */
  name: string;
  byRef: Map<string, string[]>;
  secrets: readonly string[];
}

interface Look {
  now: Promise<readonly string[]>;
  next?: Promise<readonly string[]>;
}

/** The vault contains more than keys. A token, a shared secret or a variable is one word, like a passphrase. */
const partsOf = (secret: string): string[] => {
  const word = { privateKey: '', passphrase: secret };
  try {
    const { privateKey, passphrase } = JSON.parse(secret) as Partial<PrivateKey>;
    return secretsOf(privateKey === undefined ? word : { privateKey, passphrase });
  } catch {
    return secretsOf(word);
  }
};

@Injectable()
export class ServerKeys {
  private readonly known = new LRUCache<string, KnownSecrets>({ max: 100 });
  private readonly looks = new Map<string, Look>();

  constructor(@Inject(VAULT) private readonly vault: Vault) {}

  /** @throws DomainError that names the wrong field: the key or its passphrase */
  async store({ privateKey, passphrase }: PrivateKey, meta: CommandMeta): Promise<KeyReference> {
    const { fingerprint, algorithm, encrypted } = await this.read(privateKey, passphrase);
    const ref = idFor('key', meta);
    // A passphrase that is not needed is not stored.
    const secret = JSON.stringify({ privateKey, ...(encrypted ? { passphrase } : {}) });
    await this.vault.put({ workspace: meta.workspace, ref }, secret, {
      kind: 'ssh-private-key',
      fingerprint,
    });
    return { ref, fingerprint, algorithm };
  }

  async load(workspace: string, ref: string): Promise<PrivateKey | undefined> {
    const secret = await this.vault.get({ workspace, ref });
    return secret === undefined ? undefined : (JSON.parse(secret) as PrivateKey);
  }

  /**
   * All secrets of the workspace that must be masked in output, including those replaced during a run. Returns the same
   * array while the references are the same, because a reference always belongs to the same secret. Runs ask before
   * they write output, so callers share a look. It begins after they asked: an earlier one may lack a new secret.
   */
  secrets(workspace: string): Promise<readonly string[]> {
    const current = this.looks.get(workspace);
    if (!current) return this.look(workspace);
    current.next ??= current.now.then(
      () => this.look(workspace),
      () => this.look(workspace),
    );
    return current.next;
  }

  private look(workspace: string): Promise<readonly string[]> {
    const now = this.lookUp(workspace).finally(() => this.looks.delete(workspace));
    this.looks.set(workspace, { now });
    return now;
  }

  private async lookUp(workspace: string): Promise<readonly string[]> {
    const refs = (await this.vault.printable(workspace)).toSorted();
    const name = refs.join(' ');
    const known = this.known.get(workspace);
    if (known?.name === name) return known.secrets;
    const behind = await Promise.all(refs.map((ref) => this.behind(workspace, ref, known)));
    const byRef = new Map(behind);
    const secrets = [...byRef.values()].flat();
    this.known.set(workspace, { name, byRef, secrets });
    return secrets;
  }

  private async behind(
    workspace: string,
    ref: string,
    known: KnownSecrets | undefined,
  ): Promise<[ref: string, secrets: string[]]> {
    const before = known?.byRef.get(ref);
    if (before) return [ref, before];
    const secret = await this.vault.get({ workspace, ref }, 'alsoShredded');
    return [ref, secret === undefined ? [] : partsOf(secret)];
  }

  async shred(workspace: string, ref: string): Promise<void> {
    await this.vault.shred({ workspace, ref });
  }

  private async read(privateKey: string, passphrase: string | undefined) {
    try {
      return await readPrivateKey(privateKey, passphrase === '' ? undefined : passphrase);
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      const ofPassphrase = error.code === 'passphraseMissing' || error.code === 'passphraseWrong';
      throw invalidField(ofPassphrase ? 'passphrase' : 'privateKey', error.msg);
    }
  }
}
