/** Looks at what a domain presents over the network. Any fault of the domain is a result, not an error of the run. */
import type { EventData } from '@quarterdeck/events';
import { covers, daysFor, LACKS_NAME, namesInWords, type SslFound } from '@quarterdeck/projections';
import { hostToAsk } from '../dns';
import { DomainError } from '../platform/errors';
import { type Outbound, OutboundRefused } from '../platform/outbound';
import { checkTls, type TlsCheck } from '../platform/tls';
import type { Logger } from '../platform/tokens';
import { expiryLabel } from './renewal';

export type Served = EventData<'CertificateServed'>;

export interface SslLook {
  found: SslFound;
  /** For the domain's stream; absent if nobody looked. */
  served?: Served;
}

export interface LookDeps {
  outbound: Outbound;
  logger: Logger;
}

const HTTPS = 443;
const CHECK_MS = 10_000;

/** Pure. @param names other names of the site, which the certificate has to cover as well */
export const foundOf = (check: TlsCheck, expiringDays: number, names: readonly string[] = []): SslFound => {
  if (!check.reachable) return { label: 'unchecked', valid: false, ...check.problem };
  const lacked = check.valid ? names.filter((name) => !covers(check.certificate.names, name)) : [];
  const { daysRemaining, notAfter, notBefore, serial, issuer } = check.certificate;
  return {
    label: expiryLabel(daysRemaining, {
      expiringDays: daysFor(expiringDays, check.certificate),
      expiredDays: 0,
    }),
    valid: check.valid,
    daysRemaining,
    validTo: notAfter,
    validFrom: notBefore,
    serial,
    issuer,
    ...check.problem,
    ...(lacked.length > 0 && {
      valid: false,
      code: LACKS_NAME,
      reason: `It is not for ${namesInWords(lacked)}: issue it again for all names of the site.`,
    }),
  };
};

/** Pure. For the domain's stream. */
export const servedOf = (check: TlsCheck): Served => {
  if (!check.reachable) return { valid: false, ...check.problem };
  const { serial, issuer, names, notBefore, notAfter } = check.certificate;
  return {
    valid: check.valid,
    served: { serial, issuer, names, notBefore, notAfter, protocol: check.protocol },
    ...check.problem,
  };
};

const unseen = (code: string, reason: string): SslFound => ({
  label: 'unchecked',
  valid: false,
  code,
  reason,
});

/** Pure. A check that could not even begin. */
const unreached = (error: DomainError): SslLook => {
  const { msg, detail, code } = error;
  const found = unseen(detail.code ?? code, msg);
  // If this console may not call the name, that says nothing about what the domain presents.
  return error instanceof OutboundRefused
    ? { found }
    : { found, served: { valid: false, code: 'dns', reason: msg } };
};

/** @throws only the signal's reason */
export const lookAt = async (
  { outbound, logger }: LookDeps,
  name: string,
  expiringDays: number,
  signal: AbortSignal,
  names: readonly string[] = [],
): Promise<SslLook> => {
  const host = hostToAsk(name);
  try {
    const { address } = await outbound.reach({ host, port: HTTPS });
    const check = await checkTls({ host, port: HTTPS, address, timeoutMs: CHECK_MS, signal });
    return { found: foundOf(check, expiringDays, names), served: servedOf(check) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DomainError) return unreached(error);
    logger.error({ err: error, host }, 'a TLS check failed unexpectedly');
    return { found: unseen('internal', 'something went wrong; see the server log') };
  }
};
