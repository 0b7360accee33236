/** Proof of a name in DNS (ACME, DNS-01): where the record is, and what the name servers of the zone answer. */
import { randomBytes, randomInt } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { isWildcard } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import type { Outbound } from '../platform/outbound';
import * as wire from './message';
import { exchange } from './message-exchange';

/** The name itself, or a random one that the wildcard covers: nobody can ask DNS or a web server for a star. */
export const hostToAsk = (name: string): string =>
  isWildcard(name) ? `quarterdeck-${randomBytes(6).toString('hex')}${name.slice(1)}` : name;

/** A name and its wildcard are proved under the same name. */
export const challengeName = (name: string): string => `_acme-challenge.${name.replace(/^\*\./, '')}`;

/**
 * Why nobody can prove the name in DNS; undefined if the provider can.
 * @param provider of the workspace, if it has one
 */
export const whyUnprovable = (name: string, provider: { zone: string } | undefined): string | undefined => {
  if (!provider) return 'no DNS provider is set up: choose one in the DNS settings of the workspace';
  const plain = name.replace(/^\*\./, '');
  return plain === provider.zone || plain.endsWith(`.${provider.zone}`)
    ? undefined
    : `the DNS provider of the workspace writes ${provider.zone}, and ${plain} is not in that zone`;
};

/** What one name server of the zone answers. */
export type TextAnswer = { server: string } & ({ texts: string[] } | { silent: string });

interface AskedZone {
  zone: string;
  /** Asked for the name servers. Empty: the system's. */
  resolvers: readonly string[];
  outbound: Outbound;
  /** The primary, if its address and port are known: a port other than 53 applies to that address alone. */
  primary?: { server: string; port: number } | undefined;
}

const DNS_PORT = 53;
const TIMEOUT_MS = 3000;
/** More name servers of one zone are not asked. */
const MAX_SERVERS = 8;

const texts = async (
  outbound: Outbound,
  at: { host: string; port: number },
  name: string,
): Promise<string[]> => {
  const { TXT } = wire.typeNumber;
  const id = randomInt(65_536);
  const target = await outbound.reach(at);
  // Over TCP: an answer cannot be forged, and every name server has it (RFC 7766).
  const question = wire.writeMessage(id, 'query', wire.writeQuestion(name, TXT));
  const answer = wire.readMessage(await exchange(target, question, TIMEOUT_MS));
  const isAnswered = answer.id === id && answer.isResponse && (answer.rcode === 0 || answer.rcode === 3);
  if (!isAnswered) throw new DomainError('upstream', `it answered with the code ${answer.rcode}`);
  return answer.sections[0].filter((one) => one.type === TXT).map(({ data }) => wire.readText(data));
};

const addressesOf = async ({ zone, resolvers }: AskedZone): Promise<{ name: string; address: string }[]> => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 3, tries: 2 });
  if (resolvers.length > 0) resolver.setServers([...resolvers]);
  const names = await resolver.resolveNs(zone).catch(() => []);
  const found = await Promise.all(
    names.slice(0, MAX_SERVERS).map(async (name) => {
      const both = await Promise.all([
        resolver.resolve4(name).catch(() => []),
        resolver.resolve6(name).catch(() => []),
      ]);
      return both.flat().map((address) => ({ name, address }));
    }),
  );
  return found.flat();
};

/** The TXT records of a name, from each name server of its zone. */
export const textAt = async (name: string, asked: AskedZone): Promise<TextAnswer[]> => {
  const { outbound, primary } = asked;
  const servers = await addressesOf(asked);
  const places = servers.map(({ name: server, address: host }) => ({
    server,
    host,
    port: primary && [host, server].includes(primary.server) ? primary.port : DNS_PORT,
  }));
  // Nobody has to list the server that takes the changes.
  if (places.length === 0 && primary)
    places.push({ server: primary.server, host: primary.server, port: primary.port });
  return Promise.all(
    places.map(async ({ server, ...at }): Promise<TextAnswer> => {
      try {
        return { server, texts: await texts(outbound, at, name) };
      } catch (error) {
        const isMalformed = (error as Error).name === 'RangeError';
        if (!isMalformed && !(error instanceof DomainError)) throw error;
        return { server, silent: error instanceof DomainError ? error.msg : 'its answer is malformed' };
      }
    }),
  );
};
