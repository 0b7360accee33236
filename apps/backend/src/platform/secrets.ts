/** What the vault offers to all rooms and features. */
export interface SecretName {
  workspace: string;
  /** Id of the secret, as events refer to it. */
  ref: string;
}

export interface Vault {
  put(name: SecretName, secret: string, about: { kind: string; fingerprint?: string }): Promise<void>;
  /** `undefined`: never stored, or shredded. `alsoShredded`: only to mask it in output of runs. */
  get(name: SecretName, which?: 'alsoShredded'): Promise<string | undefined>;
  /**
   * References of all secrets of the workspace that a run may print, including those shredded during the run. Values
   * that are stored here but are not secret are left out: masking them would hide ordinary words.
   */
  printable(workspace: string): Promise<string[]>;
  /**
   * Deletes the secret for good; references to it stay in the history. While runs are active, the secret is hidden from
   * everybody but stays encrypted, so that their output can still be masked.
   */
  shred(name: SecretName): Promise<void>;
  /** Removes shredded secrets that no active run could print any more. */
  forget(): Promise<void>;
  /** 256 bits that only this installation can make, and makes again for the same purpose. Nothing is stored. */
  derived(purpose: string): string;
}
