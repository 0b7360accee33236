/** The addresses that a server has itself: how it is asked, and how its answer is read. */
import { addressOf, insideWord, type Family } from '../platform/outbound';
import type { OwnAddresses } from './servers.decider';

/** More than that tells nothing about one domain, and is not kept. */
const MAX = 200;

/** Documentation addresses are no private ones: they belong to nobody. */
const isPublic = (word: string | undefined): boolean => word === undefined || word === 'for documentation';

/** @returns undefined if the server could not say, or has too many */
export const readOwnAddresses = (printed: string): OwnAddresses | undefined => {
  const lines = printed.split(/\r?\n/);
  const found = lines.flatMap((line) => addressOf(/^address=(\S+)$/.exec(line)?.[1] ?? '') ?? []);
  if (!lines.includes('addresses=all') || found.length > MAX) return undefined;
  const known = new Map<string, Family>();
  const inside = new Set<Family>();
  for (const one of found)
    if (isPublic(insideWord(one))) known.set(one.address, one.family);
    else inside.add(one.family);
  return {
    addresses: [...known]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([address, family]) => ({ address, family })),
    private: [...inside].toSorted((a, b) => a - b),
  };
};
