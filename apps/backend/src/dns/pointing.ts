/** Whether a domain points to a server, judged by their addresses. Pure. */
import { type Address, addressOf } from '../platform/outbound';

const plain = (addresses: readonly Address[]): Address[] =>
  addresses.map(({ address, family }) => addressOf(address) ?? { address, family });

/**
 * The domain's addresses that are not the host's: clients that use them end up elsewhere. Only families with known host
 * addresses are compared: a host given as an IPv4 address may well have IPv6 too.
 */
export const strangers = (domain: readonly Address[], host: readonly Address[]): Address[] => {
  const [asked, own] = [plain(domain), plain(host)];
  return asked.filter(
    ({ address, family }) =>
      own.some((one) => one.family === family) && !own.some((one) => one.address === address),
  );
};

/** Whether the domain points to the host: at least one address is the host's, and none is foreign. */
export const pointsAt = (domain: readonly Address[], host: readonly Address[]): boolean => {
  const own = new Set(plain(host).map(({ address }) => address));
  return plain(domain).some(({ address }) => own.has(address)) && strangers(domain, host).length === 0;
};
