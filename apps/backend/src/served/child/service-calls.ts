/** How the process of an API calls the services that sign its users in: by the house's rules for outgoing calls. */
import type { CustomFetch } from 'openid-client';
import { DomainError } from '../../platform/errors';
import { fetchThrough, Outbound, resolveThrough } from '../../platform/outbound/outbound.program';

export interface CallSettings {
  /** As OUTBOUND_ALLOW. */
  readonly allow: readonly string[];
  /** Undefined: those of the system. */
  readonly nameServers?: readonly string[] | undefined;
  /** `https://accounts.google.com/…` is asked as `<gateway>/accounts.google.com/…`. */
  readonly gateway?: string | undefined;
}

export const serviceCalls = ({ allow, nameServers, gateway }: CallSettings): CustomFetch => {
  const outbound = new Outbound(allow, resolveThrough(nameServers));
  const fetch = fetchThrough(outbound, ...(gateway === undefined ? [] : [gateway]));
  return async (url, options) => {
    const at = gateway === undefined ? url : url.replace(/^https:\//, gateway.replace(/\/+$/, ''));
    const answer = await fetch(at, options);
    if (answer.status < 500) return answer;
    const { host } = new URL(url);
    throw new DomainError('upstream', `${host} answered ${answer.status}`, undefined, { code: 'EANSWER' });
  };
};
