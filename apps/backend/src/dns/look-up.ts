/** DNS look-ups through given resolvers, with a time-out for each question. */
import { Resolver } from 'node:dns/promises';
import { type Address, isLocalhost, loopback, readHost } from '../platform/outbound';
import { hostNameOf } from './host-name';

export type LookUp =
  | {
      is: 'found';
      /** IPv4 first; within a family, in the resolver's order. */
      addresses: Address[];
      /** The chain of aliases, one entry per hop. */
      cname?: string[];
      /** A family for which no resolver gave an answer, and what each of them did. There may be addresses. */
      unheard?: { family: Address['family']; reason: string };
      /** The resolver that answered, as configured; `literal` if none was needed. */
      resolver: string;
      tookMs: number;
    }
  | {
      is: 'none';
      /** The name does not exist (NXDOMAIN), or exists without an address. */
      because: 'no-such-name' | 'no-address';
      cname?: string[];
      resolver: string;
      tookMs: number;
    }
  | {
      is: 'failed';
      /**
       * Code of the last resolver: ETIMEOUT, ECONNREFUSED, ESERVFAIL, EREFUSED, or EREFUSEDHERE if we may not call it.
       */
      code: string;
      /** What each resolver did, as a sentence. */
      reason: string;
      tookMs: number;
    };

export interface LookUpOptions {
  /** `address` or `address:port` each, asked in order until one answers. Empty: the system's resolvers. */
  resolvers?: readonly string[];
  /** For all questions to one resolver. */
  timeoutMs?: number;
  /** Why a resolver may not be called, such as `outbound.refusal` of its address; `undefined`: it may. */
  refusal?: (address: string) => string | undefined;
}

interface Question {
  resolver: Resolver;
  late: () => boolean;
}

type Answer<T> = { records: T[] } | { without: 'no-such-name' | 'no-address' } | { code: string };

const settle = async <T>(records: Promise<T[]>): Promise<Answer<T>> => {
  try {
    return { records: await records };
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'EUNKNOWN';
    if (code === 'ENOTFOUND') return { without: 'no-such-name' };
    return code === 'ENODATA' ? { without: 'no-address' } : { code };
  }
};

const maxHops = 16;

/**
 * Follows the aliases one by one, since a resolver returns one alias per question. A loop or a failure ends the chain
 * there.
 */
const chainFrom = async (name: string, { resolver, late }: Question): Promise<string[]> => {
  const chain: string[] = [];
  while (chain.length < maxHops && !late()) {
    const answer = await settle(resolver.resolveCname(chain.at(-1) ?? name));
    const next = 'records' in answer ? answer.records[0]?.toLowerCase() : undefined;
    if (next === undefined || next === name || chain.includes(next)) break;
    chain.push(next);
  }
  return chain;
};

const failures: Record<string, string> = {
  ETIMEOUT: 'did not answer in time',
  ECANCELLED: 'did not answer in time',
  ECONNREFUSED: 'does not listen',
  ESERVFAIL: 'could not find out (SERVFAIL)',
  EREFUSED: 'refuses to answer questions about this name (REFUSED)',
  ENOTIMP: 'does not know this kind of question (NOTIMP)',
  EBADRESP: 'gave an answer that cannot be understood',
};

/** Resolvers that never answer for one family. They are not considered broken. */
const nothingToTell = new Set(['ENOTIMP', 'EREFUSED']);

const whyUnheard = (answer: Answer<string>): string | undefined =>
  'code' in answer && !nothingToTell.has(answer.code) ? answer.code : undefined;

type FoundAddresses = { is: 'found'; addresses: Address[]; cname?: string[] };

type Said =
  | (FoundAddresses & { unheard?: { family: Address['family']; code: string } })
  | { is: 'none'; because: 'no-such-name' | 'no-address'; cname?: string[] }
  | { is: 'failed'; code: string };

const ask = async (name: string, server: string | undefined, timeoutMs: number): Promise<Said> => {
  // A new resolver for each look-up: c-ares caches answers in its channel, and only current data counts here.
  const resolver = new Resolver({ timeout: Math.max(100, Math.ceil(timeoutMs / 3)), tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, timeoutMs);
  try {
    const [v4, v6, chain] = await Promise.all([
      settle(resolver.resolve4(name)),
      settle(resolver.resolve6(name)),
      chainFrom(name, { resolver, late: () => isLate }),
    ]);
    const cname = chain.length > 0 ? { cname: chain } : {};
    const addresses: Address[] = [
      ...('records' in v4 ? v4.records.map((address) => ({ address, family: 4 as const })) : []),
      ...('records' in v6 ? v6.records.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (addresses.length > 0) {
      const [family, code] = 'records' in v4 ? [6 as const, whyUnheard(v6)] : [4 as const, whyUnheard(v4)];
      return { is: 'found', addresses, ...cname, ...(code !== undefined && { unheard: { family, code } }) };
    }
    // A family without addresses decides nothing while the other family is unknown.
    for (const answer of [v4, v6])
      if ('code' in answer)
        return { is: 'failed', code: answer.code === 'ECANCELLED' ? 'ETIMEOUT' : answer.code };
    const gone = 'without' in v4 && v4.without === 'no-such-name' && chain.length === 0;
    return { is: 'none', because: gone ? 'no-such-name' : 'no-address', ...cname };
  } finally {
    clearTimeout(timer);
  }
};

export const bare = (server: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(server)?.[1] ??
  (server.split(':').length === 2 ? (server.split(':')[0] ?? '') : server);

/**
 * Looks up A, AAAA and the alias chain of a host. The first resolver with an answer decides, even if the answer is
 * "nothing". If a resolver fails, even for one of the two families, the next one is asked; a partial answer counts if
 * no resolver gives more. `localhost` and addresses need no question.
 *
 * @param hostname in any form that `readHost` accepts
 * @throws DomainError `invalid` if it is neither a name nor an address
 */
export const lookUp = async (hostname: string, options: LookUpOptions = {}): Promise<LookUp> => {
  const literal = { is: 'found', resolver: 'literal', tookMs: 0 } as const;
  const host = readHost(hostname.trim());
  if (host?.is === 'address')
    return { ...literal, addresses: [{ address: host.address, family: host.family }] };
  const name = hostNameOf(hostname);
  if (isLocalhost(name)) return { ...literal, addresses: [...loopback] };

  const started = performance.now();
  const tookMs = (): number => Math.round(performance.now() - started);
  const configured = options.resolvers ?? [];
  const servers = configured.length > 0 ? configured : [undefined];
  const said: string[] = [];
  let code = 'EUNKNOWN';
  let half: (FoundAddresses & { family: Address['family']; resolver: string }) | undefined;
  for (const server of servers) {
    const resolver = server ?? 'system';
    const refused = server === undefined ? undefined : options.refusal?.(bare(server));
    if (refused !== undefined) {
      code = 'EREFUSEDHERE';
      said.push(`${resolver} must not be called: ${refused}`);
      continue;
    }
    const answer = await ask(name, server, options.timeoutMs ?? 3000);
    if (answer.is === 'none') {
      if (!half) return { ...answer, resolver, tookMs: tookMs() };
      continue;
    }
    if (answer.is === 'found') {
      const { unheard, ...found } = answer;
      if (!unheard) return { ...found, resolver, tookMs: tookMs() };
      half ??= { ...found, family: unheard.family, resolver };
      code = unheard.code;
    } else code = answer.code;
    said.push(`${server ?? 'the system’s resolver'} ${failures[code] ?? `failed (${code})`}`);
  }
  if (half) {
    const { family, ...found } = half;
    return { ...found, unheard: { family, reason: said.join('; ') }, tookMs: tookMs() };
  }
  return { is: 'failed', code, reason: said.join('; '), tookMs: tookMs() };
};
