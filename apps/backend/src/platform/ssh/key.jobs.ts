import ssh2 from 'ssh2';
import type { Job } from '../threads';
import { SshFailure, type SshFailureCode } from './failure';
import { isPkcs8, openPkcs8 } from './pkcs8';

interface Locked {
  block: string;
  passphrase: string;
}

/** `why`: what ssh2 said about the key. */
type Opened = { key: string } | { why: string } | { failure: { code: SshFailureCode; msg: string } };

/**
 * Opens a locked private key. The key itself determines how much work that takes: bcrypt, which OpenSSH uses, takes at
 * least a third of a second in JavaScript.
 */
export const openKey: Job<Locked, Opened> = {
  name: 'openKey',
  work: ({ block, passphrase }) => {
    try {
      if (isPkcs8(block)) return { key: openPkcs8(block, passphrase) };
      const parsed = ssh2.utils.parseKey(block, passphrase);
      const key = Array.isArray(parsed) ? parsed[0] : parsed;
      if (key === undefined || key instanceof Error) return { why: key?.message ?? 'it holds no key' };
      const pem = key.getPrivatePEM();
      return { key: isPkcs8(pem) ? openPkcs8(pem) : pem };
    } catch (error) {
      if (error instanceof SshFailure) return { failure: { code: error.code, msg: error.msg } };
      return { why: error instanceof Error ? error.message : String(error) };
    }
  },
};
