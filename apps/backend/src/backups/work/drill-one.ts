/** A drill of the newest archive that is in the target. */
import type { Resources } from '../../platform/boot';
import { ArchiveRefused } from '../archive/head';
import { drill, type Proof } from '../drill/drill';
import { newestChain } from '../folder';
import type { Target } from '../targets/target';
import { lookAt } from './look-at';

interface DrillingOne {
  resources: Resources;
  target: Target;
  /** Ids of the archives that the console took. */
  recorded: ReadonlySet<string>;
  /** Those of them that have to be in the target, or some of them. */
  expected: readonly string[];
  tell: (part: string) => void;
  alive: () => void;
  signal: AbortSignal;
}

const BEAT_MS = 5_000;
/** How long the database may take for one step, such as building the read models. */
const STEP_MS = 2 * 60 * 60_000;

/** @throws ArchiveRefused, DrillMissed, CannotDrill */
export const drillOne = async (drilling: DrillingOne): Promise<Proof> => {
  const { resources, target, recorded, expected, tell, alive, signal } = drilling;
  const { config, tables, vault, store, url, server } = resources;
  const attempt = { signal, alive };
  const step = { part: 'archives', at: performance.now() };
  const told = (part: string): void => {
    Object.assign(step, { part, at: performance.now() });
    alive();
    tell(part);
  };
  // Only the target can hang for good. What the database does takes its time, and says nothing meanwhile.
  const beat = setInterval(() => {
    if (step.part !== 'archives' && performance.now() - step.at < STEP_MS) alive();
  }, BEAT_MS);
  try {
    told('archives');
    const { archives } = await lookAt(target, expected, attempt);
    // A command may have put later ones there, for others alone to open.
    const own = archives.filter(({ head }) => recorded.has(head.id));
    const chain = newestChain(own.length > 0 ? own : archives, store.keys?.id);
    if (chain.length === 0)
      throw new ArchiveRefused(`${target.name}: no archive is whole there with all that it continues`);
    const masterKey = await vault.current();
    const live = { url, folder: server?.data };
    const work = { config, tables, live, masterKey, tell: told, signal };
    return await target.asFiles(chain, (files) => drill({ ...work, archives: files }), attempt);
  } finally {
    clearInterval(beat);
  }
};
