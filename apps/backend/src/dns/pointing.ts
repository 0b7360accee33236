import { pointingOf, type OwnAddresses, type PointingVerdict } from '@quarterdeck/projections';
import { type Address, addressOf } from '../platform/outbound';

const plain = (addresses: readonly Address[]): Address[] =>
  addresses.map(({ address, family }) => addressOf(address) ?? { address, family });

/** Whether a domain points to a server, however the addresses are written. */
export const pointing = (
  domain: readonly Address[],
  host: readonly Address[],
  own?: OwnAddresses,
): PointingVerdict => pointingOf(plain(domain), plain(host), own);
