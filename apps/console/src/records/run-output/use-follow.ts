/** Follows growing output while its end is in view; whoever scrolls up is left alone and told how much came since. */
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Within this many pixels of the end counts as at the end. */
const NEAR = 24;

const isAt = (element: HTMLElement, distance: number): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight <= distance;

export interface Follow {
  following: boolean;
  /** Lines that came since following stopped. */
  unseen: number;
  onScroll: () => void;
  toEnd: () => void;
  stop: () => void;
}

export const useFollow = (
  viewport: RefObject<HTMLElement | null>,
  { lines, initially, jumps }: { lines: number; initially: boolean; jumps: number },
): Follow => {
  const [following, setFollowing] = useState(initially);
  const now = useRef(lines);
  const leftAt = useRef(lines);
  const top = useRef(0);
  const jumped = useRef(jumps);

  const stop = useCallback(() => {
    setFollowing((before) => {
      if (before) leftAt.current = now.current;
      return false;
    });
  }, []);

  const onScroll = () => {
    const element = viewport.current;
    if (!element) return;
    const wentUp = element.scrollTop < top.current - 1;
    top.current = element.scrollTop;
    if (isAt(element, NEAR)) setFollowing(true);
    else if (wentUp) stop();
  };

  // Somebody went to another instant: its newest line is what they came for.
  useLayoutEffect(() => {
    if (jumped.current === jumps) return;
    jumped.current = jumps;
    setFollowing(true);
  }, [jumps]);

  // Before paint, and without animation frames: those stand still in a hidden tab. After every render, since the lines
  // grow in place and one of them may also wrap anew.
  useLayoutEffect(() => {
    now.current = lines;
    const element = viewport.current;
    if (following && element && !isAt(element, 0)) element.scrollTop = element.scrollHeight;
  });

  return {
    following,
    unseen: following ? 0 : Math.max(0, lines - leftAt.current),
    onScroll,
    toEnd: () => setFollowing(true),
    stop,
  };
};
