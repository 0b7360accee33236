/** Where passkeys work: browsers bind each to a host name, and ask for one only at https or at localhost. Pure. */
import { isIP } from 'node:net';

export type PasskeySite =
  /** `host`: the relying party id of the standard. */
  { origin: string; host: string } | { reason: string };

/** @param host header of the request, which counts if there is no PUBLIC_URL */
export const passkeySite = (publicUrl: string | undefined, host: string | undefined): PasskeySite => {
  const address = publicUrl ?? `http://${host ?? ''}`;
  if (!URL.canParse(address))
    return { reason: 'Passkeys need the host name of this console: set PUBLIC_URL.' };
  const { origin, hostname, protocol, port } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isLocal || (protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0))
    return { origin, host: hostname };
  const isLoopback = hostname.startsWith('127.') || hostname === '[::1]';
  if (publicUrl === undefined && isLoopback)
    return {
      reason: `Passkeys need a host name: open the console at http://localhost${port && `:${port}`}.`,
    };
  return {
    reason: `Passkeys need https and a host name. This console is at ${origin}: set PUBLIC_URL to an https address with a host name.`,
  };
};
