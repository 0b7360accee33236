/**
 * Where the back end may call out. A host is resolved once, its addresses are judged, and the call goes to exactly
 * those addresses. A different later answer of the name server (rebinding) has no effect.
 */
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { DomainError } from '../errors';
import { type Address, addressesIn, addressOf, insideWord } from './outbound-addresses';
import { isLocalhost, loopback, readHost } from './outbound-host';

export interface Target extends Address {
  /** As the caller gave it, without brackets: the name for SNI and the Host header. */
  host: string;
  port: number;
  /** All addresses that may be called, `address` first, IPv4 before IPv6. */
  addresses: Address[];
  /**
   * For `net`, `tls`, `http`, `https` and undici (`connect.lookup`): returns the addresses above for every question.
   */
  lookup: LookupFunction;
}

/** The call was not made: the target is invalid, or internal and not allowed. */
export class OutboundRefused extends DomainError {
  override name = 'OutboundRefused';
  constructor(msg: string) {
    super('unprocessable', msg, undefined, { code: 'outbound-refused' });
  }
}

export type ResolveName = (name: string) => Promise<string[]>;

const isCode = (error: unknown): error is { code: string } =>
  typeof (error as { code?: unknown } | null)?.code === 'string';
const codeOf = (error: unknown): string => {
  if (!isCode(error)) return 'EUNKNOWN';
  // Cancelled by our own deadline. For the reader, that means no answer in time.
  return error.code === 'ECANCELLED' ? 'ETIMEOUT' : error.code;
};

/**
 * Resolves like the system, including its hosts file, or only through `servers` (`address` or `address:port`) if there
 * are any.
 */
export const resolveThrough = (servers: readonly string[] | undefined, timeoutMs = 5000): ResolveName => {
  if (!servers || servers.length === 0)
    return async (name) => (await lookup(name, { all: true })).map(({ address }) => address);
  return async (name) => {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 });
    resolver.setServers([...servers]);
    const late = setTimeout(() => resolver.cancel(), timeoutMs);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(late);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
};

const pinned =
  (addresses: Address[]): LookupFunction =>
  (_host, options, done) => {
    const wanted = options.family === 4 || options.family === 'IPv4' ? 4 : undefined;
    const family = options.family === 6 || options.family === 'IPv6' ? 6 : wanted;
    const fitting = addresses.filter((one) => family === undefined || one.family === family);
    const [first] = fitting;
    // Like every lookup, it calls back later and never synchronously.
    process.nextTick(() => {
      if (!first) done(Object.assign(new Error(`no address of family ${family}`), { code: 'ENOTFOUND' }), '');
      else if (options.all) done(null, fitting);
      else done(null, first.address, first.family);
    });
  };

export class Outbound {
  private readonly names: Set<string>;
  private readonly isAllowed: (address: Address) => boolean;

  /**
   * @param allow entries of OUTBOUND_ALLOW: host names (exact, wherever they point), addresses, networks
   * @param resolve turns names into addresses; see `resolveThrough`
   */
  constructor(
    private readonly allow: readonly string[] = [],
    private readonly resolve: ResolveName = resolveThrough(undefined),
  ) {
    const hosts = allow.map((entry) => readHost(entry));
    this.names = new Set(hosts.flatMap((host) => (host?.is === 'name' ? [host.name] : [])));
    this.isAllowed = addressesIn(allow);
  }

  /**
   * A copy that allows more hosts. Addresses from the environment, such as DIGITALOCEAN_API_URL, need no second entry.
   */
  alsoTo(...hosts: string[]): Outbound {
    return new Outbound([...this.allow, ...hosts], this.resolve);
  }

  /** Why an address must not be called, as a sentence; `undefined`: it may be called. */
  refusal(address: string): string | undefined {
    const known = addressOf(address);
    if (!known) return `${address} is not an address`;
    const word = insideWord(known);
    if (word === undefined || this.isAllowed(known)) return undefined;
    return `the address ${known.address} is ${word}; the administrator of this installation can allow it with OUTBOUND_ALLOW`;
  }

  /** Why a host must not be called, as far as is known without a name server; `undefined`: it may be called. */
  refusalOfHost(host: string): string | undefined {
    const read = readHost(host);
    if (!read) return `"${host.slice(0, 100)}" is neither a host name nor an address`;
    if (read.is === 'address') return this.refusal(read.address);
    if (!isLocalhost(read.name) || this.names.has(read.name)) return undefined;
    const refusals = loopback.map(({ address }) => this.refusal(address));
    return refusals.includes(undefined) ? undefined : refusals[0];
  }

  /**
   * Resolves a host and pins the addresses that may be called.
   *
   * @param host a name or an address, in any notation
   * @throws OutboundRefused if it is not a host, or if none of its addresses may be called
   * @throws DomainError `upstream` with the resolver's code if the name cannot be resolved
   */
  async reach({ host, port }: { host: string; port: number }): Promise<Target> {
    const read = readHost(host);
    if (!read) throw new OutboundRefused(`"${host.slice(0, 100)}" is neither a host name nor an address`);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new OutboundRefused(`${port} is not a port between 1 and 65535`);
    const name = read.is === 'name' ? read.name : read.address;
    const all =
      read.is === 'address' ? [{ address: read.address, family: read.family }] : await this.ask(name);
    const byName = this.names.has(name);
    const addresses = all.filter(({ address }) => byName || this.refusal(address) === undefined);
    const [first] = addresses.sort((one, other) => one.family - other.family);
    if (!first) {
      const why = this.refusal(all[0]?.address ?? '');
      throw new OutboundRefused(read.is === 'name' ? `${name} must not be called: ${why}` : `${why}`);
    }
    return { host: name, port, ...first, addresses, lookup: pinned(addresses) };
  }

  private async ask(name: string): Promise<Address[]> {
    if (isLocalhost(name)) return [...loopback];
    let code = 'ENODATA';
    try {
      const answer = await this.resolve(name);
      const addresses = answer.map(addressOf).filter((one) => one !== undefined);
      if (addresses.length > 0) return addresses;
    } catch (error) {
      code = codeOf(error);
    }
    throw new DomainError('upstream', `the name ${name} has no address (${code})`, undefined, { code });
  }
}
