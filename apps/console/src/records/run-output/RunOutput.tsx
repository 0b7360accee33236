/**
 * The output of a run, live or past: a list of lines rather than a terminal, so that it can be selected, searched and
 * linked.
 */
import { useLocalStorage } from '@mantine/hooks';
import { useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { parseLineHash } from './line-link';
import type { OutputView, StepMark } from './output-view';
import { OutputLines } from './OutputLines';
import { OutputToolbar } from './OutputToolbar';
import classes from './run-output.module.css';
import { searchPattern } from './search';
import { useSearch } from './use-search';

export interface RunOutputProps {
  log: OutputView;
  /** The output to copy and download, if `log` is only a part of it, as in a replay. */
  whole?: OutputView;
  /** Accessible name of the output: "Output of Memory usage on web-1". */
  label: string;
  /** Whether more output may come. */
  live: boolean;
  /** File name for downloads. */
  filename: string;
  /** Page that line links lead to. By default the current page, which then also highlights the line in its URL. */
  linkTo?: string;
  /** Shown while there are no lines. */
  empty?: ReactNode;
  height?: string;
  /** Heading above the first line of a step; without it, steps are not marked. */
  markLabel?: (mark: StepMark) => string;
  /** Incremented by each seek of a replay. */
  jumps?: number;
  /** Line to start at if the URL names none, counted from 1. */
  startAt?: number | undefined;
  /** URL of the asciicast recording. */
  castHref?: string;
  /** Prints the run with its output. */
  onPrint?: (text: string) => void;
}

const visitOf = (state: unknown): number | undefined =>
  (state as { visit?: number } | null | undefined)?.visit;

export const RunOutput = ({
  log,
  label,
  live,
  filename,
  linkTo,
  empty,
  height = '28rem',
  whole = log,
  markLabel,
  jumps,
  startAt,
  castHref,
  onPrint,
}: RunOutputProps) => {
  useSyncExternalStore(log.subscribe, log.getVersion);
  const search = useSearch(log);
  const [wrap, setWrap] = useLocalStorage({ key: 'quarterdeck.output-wrap', defaultValue: true });
  const { hash, state } = useLocation();
  // Scrolls to the line when the URL names another one, and when the same link is followed again.
  const visit = `${hash} ${visitOf(state) ?? ''}`;
  const selected = useMemo(() => {
    if (linkTo !== undefined) return undefined;
    return parseLineHash(hash) ?? (startAt === undefined ? undefined : { from: startAt, to: startAt });
  }, [hash, linkTo, startAt]);
  const pattern = useMemo(() => searchPattern(search.search), [search.search]);

  return (
    <div className={classes.frame}>
      <OutputToolbar
        lines={log.count}
        whole={whole}
        search={search}
        wrap={wrap}
        setWrap={setWrap}
        selected={selected}
        filename={filename}
        castHref={castHref}
        onPrint={onPrint}
      />
      {log.count === 0 ? (
        // Reserves the height for the lines that will arrive.
        <div className={classes.empty} style={live ? { minHeight: height } : undefined}>
          {empty ?? (live ? 'Waiting for output …' : 'No output.')}
        </div>
      ) : (
        <OutputLines
          log={log}
          label={label}
          live={live}
          wrap={wrap}
          selected={selected}
          linkTo={linkTo}
          pattern={pattern instanceof RegExp ? pattern : undefined}
          hit={search.hits[search.current]}
          height={height}
          markLabel={markLabel}
          jumps={jumps}
          visit={visit}
          most={whole.count}
        />
      )}
    </div>
  );
};
