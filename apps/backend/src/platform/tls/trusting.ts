/** Whom a connection trusts. */
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** Building one parses some 150 root certificates, so those who trust the same share one. */
const contexts = new LRUCache<string, SecureContext>({ max: 8 });

/** @param ca PEM of authorities that are trusted besides the usual ones */
export const trusting = (ca = ''): SecureContext => {
  const context =
    contexts.get(ca) ?? createSecureContext(ca === '' ? undefined : { ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
};
