/** Drills the newest archive of the target. */
import type { Resources } from '../../platform/boot';
import { ArchiveRefused } from '../archive/head';
import { drill, DrillMissed, type Proof } from '../drill/drill';
import { isOfLog, newestChain } from '../folder';
import type { Attempt, Target } from '../targets/target';
import { lookAt } from './look-at';

/** The archives were read, and one of them is damaged, or they restore something else than was backed up. */
export class ChainDamaged extends Error {
  override name = 'ChainDamaged';
}

const inChain = (error: unknown): never => {
  if (!(error instanceof ArchiveRefused || error instanceof DrillMissed)) throw error;
  throw new ChainDamaged(error.message, { cause: error });
};

interface DrillingOne {
  resources: Resources;
  target: Target;
  /** Ids of the archives that the console took. */
  recorded: ReadonlySet<string>;
  /** Those recorded archives of which at least one must be in the target. */
  expected: readonly string[];
  tell: (part: string) => void;
  attempt: Attempt;
}

/** @throws ChainDamaged, ArchiveRefused, CannotDrill */
export const drillOne = async (drilling: DrillingOne): Promise<Proof> => {
  const { resources, target, recorded, expected, tell, attempt } = drilling;
  const { config, tables, vault, store, url, server } = resources;
  const told = (part: string): void => {
    // In all other steps only the database works, and it does not report progress within a step.
    if (part === 'archives') attempt.alive();
    else attempt.busy();
    tell(part);
  };
  told('archives');
  const { archives } = await lookAt(target, expected, attempt);
  // The command line may have added later archives that only other recipients can open.
  const signed = archives.filter(({ head }) => isOfLog(head, store.keys));
  const own = signed.filter(({ head }) => recorded.has(head.id));
  const chain = newestChain(own.length > 0 ? own : signed);
  if (chain.length === 0)
    throw new ArchiveRefused(`${target.name}: no archive is whole there with all that it continues`);
  const masterKey = await vault.current();
  const live = { url, folder: server?.data };
  const work = { config, tables, live, masterKey, tell: told, signal: attempt.signal };
  return await target.asFiles(chain, (files) => drill({ ...work, archives: files }).catch(inChain), attempt);
};
