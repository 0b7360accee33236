/** Whether a domain leads to a server, by their addresses. Pure. */
import { type Address, addressOf } from '../platform/outbound';

const plain = (addresses: readonly Address[]): Address[] =>
  addresses.map(({ address, family }) => addressOf(address) ?? { address, family });

/**
 * Those of the domain's addresses that are not the host's: whoever gets one of them lands elsewhere. Only families are
 * compared in which the host's own addresses are known: a host given as an IPv4 address may well answer on IPv6 too.
 */
export const strangers = (domain: readonly Address[], host: readonly Address[]): Address[] => {
  const [asked, own] = [plain(domain), plain(host)];
  return asked.filter(
    ({ address, family }) =>
      own.some((one) => one.family === family) && !own.some((one) => one.address === address),
  );
};

/** The domain leads to the host: at least one address is the host's, and none is a stranger's. */
export const pointsAt = (domain: readonly Address[], host: readonly Address[]): boolean => {
  const own = new Set(plain(host).map(({ address }) => address));
  return plain(domain).some(({ address }) => own.has(address)) && strangers(domain, host).length === 0;
};
