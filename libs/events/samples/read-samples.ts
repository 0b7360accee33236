import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Sample {
  type: string;
  /** Schema version in which `data` was written. */
  v: number;
  data: unknown;
}

/** Every recorded version of every event, one file per type: `ServerRegistered.json` holds a list of samples. */
export const readSamples = (folder = import.meta.dirname): Sample[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { v: number; data: unknown }[]).map((sample) => ({
        type: file.slice(0, -'.json'.length),
        ...sample,
      })),
    );
