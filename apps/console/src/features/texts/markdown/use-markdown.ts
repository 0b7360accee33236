/**
 * Turns Markdown into HTML in a worker. Some texts take `micromark` half a minute, so the page must not wait for it: a
 * rendering that takes too long is given up, and so is one whose text has changed.
 */
import { useEffect, useState } from 'react';

const GIVE_UP_MS = 3000;
/** Typing is not followed letter by letter. */
const PAUSE_MS = 200;

type Rendered = { html: string } | { failed: 'slow' | 'broken' };

/** The previous rendering until the new one is ready. */
export const useMarkdown = (text: string): Rendered | undefined => {
  const [rendered, setRendered] = useState<Rendered>();
  useEffect(() => {
    let worker: Worker | undefined;
    let giveUp: ReturnType<typeof setTimeout> | undefined;
    const end = (outcome: Rendered): void => {
      clearTimeout(giveUp);
      worker?.terminate();
      setRendered(outcome);
    };
    const start = setTimeout(() => {
      worker = new Worker(new URL('./markdown.worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<string>) => end({ html: data }));
      worker.addEventListener('error', () => end({ failed: 'broken' }));
      worker.postMessage(text);
      giveUp = setTimeout(() => end({ failed: 'slow' }), GIVE_UP_MS);
    }, PAUSE_MS);
    return () => {
      clearTimeout(start);
      clearTimeout(giveUp);
      worker?.terminate();
    };
  }, [text]);
  return rendered;
};
