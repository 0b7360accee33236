import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Sample {
  type: string;
  /** Schema version in which `data` was written. */
  v: number;
  data: unknown;
}

/**
 * Every recorded version of every event. `ServerRegistered.json` holds the samples of one type, and
 * `product.json` those of all events of a plain noun, each with its type.
 */
export const readSamples = (folder = import.meta.dirname): Sample[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Sample, 'type'>[]).map((sample) => ({
        type: file.slice(0, -'.json'.length),
        ...sample,
      })),
    );
