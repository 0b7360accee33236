/**
 * Look-ups of this installation: through the resolvers of a workspace, else those of DNS_SERVERS, else the system's.
 */
import { lookup } from 'node:dns/promises';
import { addressOf, type Outbound } from '../platform/outbound';
import { type LookUp, lookUp } from './look-up';

export class LookUps {
  /**
   * @param configured DNS_SERVERS; the owner of the installation chose them, so they may be internal
   * @param outbound judges the resolvers that a workspace names
   */
  constructor(
    private readonly configured: readonly string[],
    private readonly outbound: Outbound,
  ) {}

  /** @throws DomainError `invalid` if the host is neither a name nor an address. Everything else is an outcome. */
  of(hostname: string, resolvers: readonly string[] = []): Promise<LookUp> {
    if (resolvers.length === 0) return lookUp(hostname, { resolvers: this.configured });
    return lookUp(hostname, { resolvers, refusal: (address) => this.outbound.refusal(address) });
  }

  /**
   * The addresses of a server's `host`, an address or a name. A name unknown to all resolvers is looked up as SSH
   * would, including the system's hosts file: a server may have a name that is known only locally.
   */
  async hostAddresses(host: string, resolvers: readonly string[] = []): Promise<LookUp> {
    const answer = await this.of(host, resolvers);
    if (answer.is === 'found') return answer;
    const started = performance.now();
    const found = await lookup(host.trim(), { all: true }).catch(() => []);
    const addresses = found.map(({ address }) => addressOf(address)).filter((one) => one !== undefined);
    if (addresses.length === 0) return answer;
    const tookMs = answer.tookMs + Math.round(performance.now() - started);
    return { is: 'found', addresses, resolver: 'system', tookMs };
  }
}
