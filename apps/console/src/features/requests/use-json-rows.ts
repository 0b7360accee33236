/** The rows of a JSON tree that are on the screen. The text is parsed in a worker: 5 MB would hold up the page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { JsonAsked, JsonTold } from './json-rows';

export const useJsonRows = (bytes: Uint8Array) => {
  const [told, setTold] = useState<JsonTold>();
  const [changed, setChanged] = useState<readonly string[]>([]);
  const worker = useRef<Worker>(undefined);
  const asked = useRef({ from: 0, to: 100 });

  useEffect(() => {
    const one = new Worker(new URL('./json.worker.ts', import.meta.url), { type: 'module' });
    worker.current = one;
    one.addEventListener('message', ({ data }: MessageEvent<JsonTold>) => setTold(data));
    const copy = bytes.slice().buffer;
    one.postMessage({ bytes: copy, changed: [], ...asked.current } satisfies JsonAsked, [copy]);
    return () => one.terminate();
  }, [bytes]);

  const ask = useCallback(
    (from: number, to: number) => {
      if (from === asked.current.from && to === asked.current.to) return;
      asked.current = { from, to };
      worker.current?.postMessage({ changed, from, to } satisfies JsonAsked);
    },
    [changed],
  );
  const toggle = useCallback(
    (path: string) => {
      const next = changed.includes(path) ? changed.filter((one) => one !== path) : [...changed, path];
      setChanged(next);
      worker.current?.postMessage({ changed: next, ...asked.current } satisfies JsonAsked);
    },
    [changed],
  );
  return { told, ask, toggle };
};
