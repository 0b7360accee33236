/**
 * The console's own age identity, which follows from the master key. Every scheduled archive can be opened with it, so
 * the console can prove that it restores, and the master key, without which no restore works anyway, is enough for one.
 */
import { hkdfSync } from 'node:crypto';
import { bech32 } from '@scure/base';
import { identityToRecipient } from 'age-encryption';

const PURPOSE = 'quarterdeck backup identity';

export const ownIdentity = (masterKey: Buffer): string => {
  const secret = new Uint8Array(hkdfSync('sha256', masterKey, '', PURPOSE, 32));
  return bech32.encodeFromBytes('AGE-SECRET-KEY-', secret).toUpperCase();
};

export const ownRecipient = (masterKey: Buffer): Promise<string> =>
  identityToRecipient(ownIdentity(masterKey));
