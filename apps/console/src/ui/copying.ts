/** Copying, and what became of it, said for a moment. */
import { useRef, useState } from 'react';

export const NOT_COPIED =
  'The browser does not allow copying here: mark and copy by hand, or open the console by https.';

/** The specification: the notice of a copy resets after 2 s. */
const SAID_MS = { copied: 2000, refused: 8000 };

/** Whether it worked: without https and off loopback there is no clipboard. */
export const copyToClipboard = async (value: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
};

export const useCopy = () => {
  const [outcome, setOutcome] = useState<keyof typeof SAID_MS>();
  const reset = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async (value: string): Promise<void> => {
    const became = (await copyToClipboard(value)) ? 'copied' : 'refused';
    setOutcome(became);
    // The notice of the copy before must not take this one away.
    clearTimeout(reset.current);
    reset.current = setTimeout(() => setOutcome(undefined), SAID_MS[became]);
  };
  return { outcome, copy };
};
