/** The authorities that a connection trusts. */
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** Creating one parses about 150 root certificates, so equal ones are shared. */
const contexts = new LRUCache<string, SecureContext>({ max: 8 });

/** @param ca PEM of authorities to trust in addition to the usual ones */
export const trusting = (ca = ''): SecureContext => {
  const context =
    contexts.get(ca) ?? createSecureContext(ca === '' ? undefined : { ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
};
