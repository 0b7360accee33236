/** The output of a run, live or past: a list of lines, not a terminal, so that it can be selected, searched and linked. */
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
  /** What is copied and downloaded, where `log` is only an instant of it. */
  whole?: OutputView;
  /** Names the output to those who do not see it: "Output of Memory usage on web-1". */
  label: string;
  /** More may come. */
  live: boolean;
  /** What a download is called. */
  filename: string;
  /** The page that links to a line lead to; this one when absent, which then also obeys the line in its address. */
  linkTo?: string;
  /** What stands here while there is no line. */
  empty?: ReactNode;
  height?: string;
  /** What stands above the first line of a step; steps are not marked without. */
  markLabel?: (mark: StepMark) => string;
  /** Of a replay: grows when it goes to another instant. */
  jumps?: number;
  /** The line to begin at, while the address names none; counted from 1. */
  startAt?: number | undefined;
  /** Where the output is to be had as a recording. */
  castHref?: string;
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
}: RunOutputProps) => {
  useSyncExternalStore(log.subscribe, log.getVersion);
  const search = useSearch(log);
  const [wrap, setWrap] = useLocalStorage({ key: 'quarterdeck.output-wrap', defaultValue: true });
  const { hash, state } = useLocation();
  // A line is gone to when the address names another one, and when somebody asks for the same one again.
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
      />
      {log.count === 0 ? (
        <div className={classes.empty}>{empty ?? (live ? 'Waiting for output …' : 'No output.')}</div>
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
