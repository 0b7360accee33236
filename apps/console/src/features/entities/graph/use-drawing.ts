/** Lays out a graph in a worker. Returns the previous drawing until the new one is ready. */
import { useEffect, useState } from 'react';
import type { Drawing, Drawn } from './layout';

export const useDrawing = (drawn: Drawn | undefined): { drawing?: Drawing; failed: boolean } => {
  const [drawing, setDrawing] = useState<Drawing>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!drawn) return undefined;
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Drawing>) => {
      setFailed(false);
      setDrawing(data);
      worker.terminate();
    });
    worker.addEventListener('error', () => setFailed(true));
    worker.postMessage(drawn);
    return () => worker.terminate();
  }, [drawn]);
  return { ...(drawing && { drawing }), failed };
};
