/** Lays out a graph in a worker. Returns the previous drawing until the new one is ready. */
import { useCallback, useEffect, useState } from 'react';
import type { Drawing, Drawn } from './layout';

export interface DrawingState {
  drawing?: Drawing;
  failed: boolean;
  retry: () => void;
}

export const useDrawing = (drawn: Drawn): DrawingState => {
  const [drawing, setDrawing] = useState<Drawing>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => {
    setFailed(false);
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Drawing>) => {
      setFailed(false);
      setDrawing(data);
      worker.terminate();
    });
    worker.addEventListener('error', () => setFailed(true));
    worker.postMessage(drawn);
    return () => worker.terminate();
  }, [drawn, attempt]);
  return { ...(drawing && { drawing }), failed, retry };
};
