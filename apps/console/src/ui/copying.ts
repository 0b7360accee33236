/** Copies to the clipboard and reports the outcome for a moment. */
import { useRef, useState } from 'react';

export const NOT_COPIED =
  'The browser does not allow copying here: mark and copy by hand, or open the console by https.';

/** How long the outcome is shown. The specification demands 2 s for a copy. */
const SAID_MS = { copied: 2000, refused: 8000 };

/** Returns whether it worked. The clipboard exists only with https or on loopback. */
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
    // The timer of an earlier copy must not remove this notice.
    clearTimeout(reset.current);
    reset.current = setTimeout(() => setOutcome(undefined), SAID_MS[became]);
  };
  return { outcome, copy };
};
