/**
 * Scrolls with growing output while its end is in view. After scrolling up, the view stays where it is and new lines
 * are counted.
 */
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Maximum distance from the end, in pixels, that still counts as the end. */
const NEAR = 24;

const isAt = (element: HTMLElement, distance: number): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight <= distance;

export interface Follow {
  following: boolean;
  /** Number of lines added since following stopped. */
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

  // After a seek, show the newest line of that instant.
  useLayoutEffect(() => {
    if (jumped.current === jumps) return;
    jumped.current = jumps;
    setFollowing(true);
  }, [jumps]);

  // A layout effect, because animation frames stop in a hidden tab. After every render, because the lines grow in place
  // and may wrap differently.
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
