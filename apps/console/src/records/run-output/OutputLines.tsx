/** The lines themselves: only those in view are in the page, so 100,000 cost as much as 50. */
import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import { copiedText } from './copied-text';
import { lineHash, type LineRange } from './line-link';
import { SHOWN_CHARACTERS } from './LineText';
import { OutputRow } from './OutputRow';
import type { OutputView, StepMark } from './output-view';
import classes from './run-output.module.css';
import { useFollow } from './use-follow';

const LINE_HEIGHT = 20;
/** As `.mark` in the style sheet. */
const MARK_HEIGHT = 32;

export interface OutputLinesProps {
  log: OutputView;
  label: string;
  /** More may come. */
  live: boolean;
  wrap: boolean;
  /** The lines that the address names. */
  selected?: LineRange;
  /** Page that a link to a line leads to; this one when absent. */
  linkTo?: string;
  pattern?: RegExp;
  /** The hit that is looked at. */
  hit?: { line: number; from: number };
  height: string;
  /** What stands above the first line of a step. */
  markLabel?: (mark: StepMark) => string;
  /** Grows when the output went to another instant. */
  jumps?: number;
  /** Differs with each visit of an address: the same line again is scrolled to again. */
  visit?: string;
  /** How many lines there may be, so that nothing moves sideways as they come. */
  most?: number;
}

/** What stands above a line. A step without a line of its own stands above the next one's. */
const marksByLine = (
  marks: readonly StepMark[],
  label: ((mark: StepMark) => string) | undefined,
): ReadonlyMap<number, readonly string[]> => {
  const byLine = new Map<number, string[]>();
  if (label) for (const mark of marks) byLine.set(mark.line, [...(byLine.get(mark.line) ?? []), label(mark)]);
  return byLine;
};

export const OutputLines = ({
  log,
  label,
  live,
  wrap,
  selected,
  linkTo,
  pattern,
  hit,
  height,
  markLabel,
  jumps = 0,
  visit,
  most = 0,
}: OutputLinesProps) => {
  const viewport = useRef<HTMLDivElement>(null);
  const allSelected = useRef(false);
  const { count } = log;
  const marks = log.marks.length;
  const begin = useMemo(
    () => marksByLine(log.marks, markLabel),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list grows in place: its length stands for it
    [log, marks, markLabel],
  );
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: (index) => LINE_HEIGHT + MARK_HEIGHT * (begin.get(index)?.length ?? 0),
    overscan: 12,
  });
  const size = virtualizer.getTotalSize();
  const follow = useFollow(viewport, { lines: count, initially: (live || jumps > 0) && !selected, jumps });

  useEffect(() => {
    virtualizer.measure();
    // That forgets the heights of wrapped lines, and those in the page are not asked again by themselves.
    if (wrap)
      for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row as HTMLDivElement);
  }, [wrap, begin, virtualizer]);

  const { stop: stopFollowing } = follow;
  const showLine = useCallback(
    (index: number) => {
      stopFollowing();
      virtualizer.scrollToIndex(index, { align: 'center' });
    },
    [stopFollowing, virtualizer],
  );
  const { line: hitLine, from: hitFrom } = hit ?? {};
  useEffect(() => {
    if (hitLine !== undefined) showLine(hitLine);
  }, [hitLine, hitFrom, showLine]);

  // Once for each visit, as soon as the line is there, and not again whenever the output grows or goes back.
  const visited = useRef<string>(undefined);
  // Shown anew, it begins at the top again.
  useEffect(() => () => void (visited.current = undefined), []);
  const wanted = selected && selected.from <= count ? selected.from - 1 : undefined;
  useEffect(() => {
    if (visited.current === visit || (wanted === undefined && jumps === 0)) return;
    visited.current = visit;
    if (wanted !== undefined) showLine(wanted);
  }, [wanted, visit, jumps, showLine]);

  const onCopy = (event: ClipboardEvent) => {
    const text = allSelected.current ? log.text() : copiedText(log, window.getSelection());
    if (text === undefined) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The browser can only select the lines in the page; a copy after select-all means all of them.
    allSelected.current =
      (event.ctrlKey || event.metaKey) &&
      ['a', 'c'].includes(event.key) &&
      (allSelected.current || event.key === 'a');
    if (event.key === 'End') follow.toEnd();
    const number = Number((event.target as HTMLElement).dataset.number);
    if (number > 0) walk(event, number);
  };
  /** Arrow keys walk over the line numbers; only one of them is a stop of the Tab key. */
  const walk = (event: KeyboardEvent, line: number) => {
    const to = event.key === 'ArrowDown' ? line + 1 : event.key === 'ArrowUp' ? line - 1 : undefined;
    if (to === undefined || to < 1 || to > count) return;
    event.preventDefault();
    virtualizer.scrollToIndex(to - 1);
    viewport.current?.querySelector<HTMLElement>(`[data-number="${to}"]`)?.focus();
  };

  // With the instant of a replay, where the address names one.
  const { pathname, search } = useLocation();
  const page = linkTo ?? pathname + search;
  const navigate = useNavigate();
  /** A link like any other, which opens in another tab when asked to; one listener for all of them. */
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-number]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    void navigate(page + link.hash, { replace: linkTo === undefined, preventScrollReset: true });
  };
  const version = log.getVersion();
  const { settled } = log;
  const items = virtualizer.getVirtualItems();
  const stop = selected?.from ?? (items[0]?.index ?? 0) + 1;
  return (
    <div className={classes.frame}>
      <div
        ref={viewport}
        role="log"
        aria-label={label}
        aria-live={live && follow.following ? 'polite' : 'off'}
        aria-busy={live}
        tabIndex={0}
        className={classes.viewport}
        style={{ height }}
        onScroll={follow.onScroll}
        onCopy={onCopy}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseDown={() => (allSelected.current = false)}
        data-wrap={wrap || undefined}
      >
        <div
          className={classes.sheet}
          style={{
            height: size,
            minWidth: wrap ? undefined : `calc(${Math.min(log.longest, SHOWN_CHARACTERS)}ch + 6rem)`,
            ['--digits' as string]: `${Math.max(3, String(Math.max(count, most)).length)}ch`,
          }}
        >
          {items.map(({ index, start }) => {
            const line = log.line(index);
            if (!line) return null;
            const number = index + 1;
            return (
              <OutputRow
                key={index}
                index={index}
                start={start}
                line={line}
                stamp={index < settled ? 0 : version}
                marks={begin.get(index)}
                selected={selected !== undefined && number >= selected.from && number <= selected.to}
                pattern={pattern}
                current={hit?.line === index ? hit.from : undefined}
                href={`${page}${lineHash({ from: number, to: number })}`}
                stop={number === stop}
                measure={wrap ? virtualizer.measureElement : undefined}
              />
            );
          })}
        </div>
      </div>
      {follow.unseen > 0 && (
        <Button
          radius="xl"
          className={classes.pill}
          leftSection={<IconArrowDown size={14} />}
          onClick={follow.toEnd}
        >
          {follow.unseen.toLocaleString('en')} new {follow.unseen === 1 ? 'line' : 'lines'}
        </Button>
      )}
    </div>
  );
};
