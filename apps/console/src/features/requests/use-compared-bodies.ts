/** Two bodies compared field by field, in a worker: 5 MB would hold up the page. Undefined while it works. */
import { useEffect, useState } from 'react';
import type { BodiesAsked, BodiesTold } from './json-fields';

export const useComparedBodies = (before: Uint8Array, after: Uint8Array): BodiesTold | undefined => {
  const [told, setTold] = useState<BodiesTold>();
  useEffect(() => {
    setTold(undefined);
    const worker = new Worker(new URL('./compare.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<BodiesTold>) => setTold(data));
    const [one, other] = [before.slice().buffer, after.slice().buffer];
    worker.postMessage({ before: one, after: other } satisfies BodiesAsked, [one, other]);
    return () => worker.terminate();
  }, [before, after]);
  return told;
};
