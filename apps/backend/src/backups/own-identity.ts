/**
 * The console's own age identity, derived from the master key. It opens every scheduled archive, so the console can
 * drill restores. A restore needs no key except the master key, which it requires in any case.
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
