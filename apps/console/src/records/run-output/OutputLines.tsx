/** The virtualized list of output lines: rendering 100,000 lines costs no more than 50. */
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
import { lineHash, type LineRange } from './line-link';
import { SHOWN_CHARACTERS } from './LineText';
import { OutputRow } from './OutputRow';
import type { OutputView, StepMark } from './output-view';
import classes from './run-output.module.css';
import { useFollow } from './use-follow';
import { Action } from '../../ui/Action';
import look from '../../ui/look.module.css';
import { usePrinting } from '../../ui/printing';

const LINE_HEIGHT = 20;
/** Must match `.mark` in the style sheet. */
const MARK_HEIGHT = 32;

export interface OutputLinesProps {
  log: OutputView;
  label: string;
  /** Whether more output may come. */
  live: boolean;
  wrap: boolean;
  /** The lines named in the URL. */
  selected?: LineRange;
  /** Page that line links lead to; the current page by default. */
  linkTo?: string;
  pattern?: RegExp;
  /** The current search hit. */
  hit?: { line: number; from: number };
  height: string;
  /** Heading above the first line of a step. */
  markLabel?: (mark: StepMark) => string;
  /** Incremented by each seek of a replay. */
  jumps?: number;
  /** Changes with each visit of a URL, so that following the same line link again scrolls again. */
  visit?: string;
  /**
   * The largest possible number of lines; reserves the width of their numbers, so that nothing shifts as lines arrive.
   */
  most?: number;
}

/** Headings by line. A step that printed no line shares the line of the next step. */
const marksByLine = (
  marks: readonly StepMark[],
  label: ((mark: StepMark) => string) | undefined,
): ReadonlyMap<number, readonly string[]> => {
  const byLine = new Map<number, string[]>();
  if (label) for (const mark of marks) byLine.set(mark.line, [...(byLine.get(mark.line) ?? []), label(mark)]);
  return byLine;
};

type Virtualizer = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

interface LineShownProps extends Pick<OutputLinesProps, 'selected' | 'hit' | 'visit'> {
  virtualizer: Virtualizer;
  stopFollowing: () => void;
  count: number;
  jumps: number;
}

/** Scrolls to the hit of a search, and to the line that the URL names. */
const useLineShown = ({
  virtualizer,
  stopFollowing,
  count,
  hit,
  selected,
  visit,
  jumps,
}: LineShownProps): void => {
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

  // Scrolls once per visit, as soon as the line exists, and not again when the output grows or is rewound.
  const visited = useRef<string>(undefined);
  // After a remount the list starts at the top, so it has to scroll again.
  useEffect(() => () => void (visited.current = undefined), []);
  const wanted = selected && selected.from <= count ? selected.from - 1 : undefined;
  useEffect(() => {
    if (visited.current === visit || (wanted === undefined && jumps === 0)) return;
    visited.current = visit;
    if (wanted !== undefined) showLine(wanted);
  }, [wanted, visit, jumps, showLine]);
};

/** Copies the lines' own text. The browser can only select rendered lines; a copy after select-all must include all of them. */
const useCopying = (log: OutputView) => {
  const allSelected = useRef(false);
  return {
    onCopy: (event: ClipboardEvent) => {
      const text = allSelected.current ? log.text() : copiedText(log, window.getSelection());
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', text);
    },
    onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      allSelected.current =
        (ctrlKey || metaKey) && ['a', 'c'].includes(key) && (allSelected.current || key === 'a');
    },
    onMouseDown: () => (allSelected.current = false),
  };
};

/** The address of the page that the lines' links belong to, and what follows them. */
const useLineLinks = (linkTo: string | undefined) => {
  // Includes the instant of a replay, if the URL has one.
  const { pathname, search } = useLocation();
  const page = linkTo ?? pathname + search;
  const navigate = useNavigate();
  /** Navigates on a plain click; modified clicks open a new tab as usual. One listener serves all links. */
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-number]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    void navigate(page + link.hash, { replace: linkTo === undefined, preventScrollReset: true });
  };
  return { page, onClick };
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
  const copying = useCopying(log);
  const { count } = log;
  const marks = log.marks.length;
  const begin = useMemo(
    () => marksByLine(log.marks, markLabel),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list grows in place, so its length is the dependency
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
    // `measure()` forgets the heights of wrapped lines, and rendered rows are not measured again automatically.
    if (wrap)
      for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row as HTMLDivElement);
  }, [wrap, begin, virtualizer]);

  useLineShown({ virtualizer, stopFollowing: follow.stop, count, hit, selected, visit, jumps });

  const onKeyDown = (event: KeyboardEvent) => {
    copying.onKeyDown(event);
    if (event.key === 'End') follow.toEnd();
    const number = Number((event.target as HTMLElement).dataset.number);
    if (number > 0) walk(event, number);
  };
  /** The arrow keys move between line numbers, of which only one is a tab stop. */
  const walk = (event: KeyboardEvent, line: number) => {
    const to = event.key === 'ArrowDown' ? line + 1 : event.key === 'ArrowUp' ? line - 1 : undefined;
    if (to === undefined || to < 1 || to > count) return;
    event.preventDefault();
    virtualizer.scrollToIndex(to - 1);
    viewport.current?.querySelector<HTMLElement>(`[data-number="${to}"]`)?.focus();
  };

  const { page, onClick } = useLineLinks(linkTo);
  const printing = usePrinting();
  const version = log.getVersion();
  const { settled } = log;
  const items = virtualizer.getVirtualItems();
  const stop = selected?.from ?? (items[0]?.index ?? 0) + 1;
  if (printing) return <pre className={look.text}>{log.text()}</pre>;
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
        onCopy={copying.onCopy}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseDown={copying.onMouseDown}
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
        <Action icon={IconArrowDown} radius="xl" className={look.pill} bottom={16} does={follow.toEnd}>
          {follow.unseen.toLocaleString('en')} new {follow.unseen === 1 ? 'line' : 'lines'}
        </Action>
      )}
    </div>
  );
};

/** The text of a copied selection: the lines' own text, without numbers and headings. */
interface Edge {
  index: number;
  /** Characters of the line before this edge; `undefined` if the edge is not within its text. */
  offset?: number;
}

const edge = (node: Node, offset: number): Edge | undefined => {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-index]');
  if (!row) return undefined;
  const text = row.querySelector('[data-text]');
  if (!text?.contains(node)) return { index: Number(row.dataset.index) };
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { index: Number(row.dataset.index), offset: before.toString().length };
};

/** `undefined` leaves the copy to the browser: the selection is within one line, or extends beyond the output. */
const copiedText = (view: OutputView, selection: Selection | null): string | undefined => {
  if (!selection || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const start = edge(range.startContainer, range.startOffset);
  const end = edge(range.endContainer, range.endOffset);
  if (!start || !end || start.index === end.index) return undefined;
  const lines: string[] = [];
  for (let index = start.index; index <= end.index; index += 1) lines.push(view.line(index)?.text ?? '');
  lines[0] = lines[0]?.slice(start.offset ?? 0) ?? '';
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.offset ?? 0) ?? '';
  return lines.join('\n');
};
