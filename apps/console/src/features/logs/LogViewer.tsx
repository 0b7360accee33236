/** Some logs of a server in one time line: followed, searched, filtered by level, downloaded, and kept. */
import { Chip, Group, NativeSelect, Switch } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { logs } from '@quarterdeck/contract';
import { logLevels, type LogLevel } from '@quarterdeck/events/inputs';
import { IconDeviceFloppy, IconDownload, IconFilter } from '@tabler/icons-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { OutputBar, OutputLines, searchPattern, Tool, useSearch } from '../../records/run-output';
import { count } from '../../ui/count';
import { InstantInput } from '../../ui/InstantInput';
import { withParams } from '../../ui/params';
import { Refusal } from '../../ui/Refusal';
import { saveText } from '../../ui/save-text';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { LogStates } from './LogStates';
import { isOpen, isTurned, pastOf, rangeIn, ranges, type LogRange } from './log-range';
import { MAX_SHOWN } from './log-store';
import classes from './logs.module.css';
import { useLogs, type ChosenLog, type LogProgress, type LogSearch } from './use-logs';

const levelNames: Record<LogLevel, string> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Info',
  debug: 'Debug',
  none: 'No level',
};

interface LogViewerProps {
  server: string;
  /** Name of the download. */
  filename: string;
  chosen: readonly ChosenLog[];
}

export const LogViewer = ({ server, filename, chosen }: LogViewerProps) => {
  const [params, setParams] = useSearchParams();
  const range = rangeIn(params);
  const [follow, setFollow] = useState(true);
  const [hidden, setHidden] = useState<ReadonlySet<LogLevel>>(new Set());
  const [matching, setMatching] = useState<LogSearch>();
  const [wrap, setWrap] = useLocalStorage({ key: 'quarterdeck.log-wrap', defaultValue: true });
  const { store, progress } = useLogs({ server, chosen, range, search: matching, follow });
  useSyncExternalStore(store.subscribe, store.getVersion);
  const search = useSearch(store);
  const { search: words } = search;
  const pattern = useMemo(() => searchPattern(words), [words]);
  const isFiltered = matching !== undefined;
  // The filter follows the words as they are typed; the server is asked when the filter is switched on, and by Enter.
  useEffect(() => {
    const expression = pattern instanceof RegExp ? pattern : undefined;
    store.choose({ hidden, pattern: isFiltered ? expression : undefined });
  }, [store, hidden, pattern, isFiltered]);

  const setRange = (changes: Record<string, string | undefined>): void =>
    setParams((before) => withParams(before, changes), { replace: true });
  const live = follow && isOpen(range);
  const canFilter = words.text !== '' && pattern instanceof RegExp;
  const asked: LogSearch = { search: words.text, regexp: words.regex, matchCase: words.matchCase };
  const loading = progress.some((one) => one.loading);

  return (
    <section aria-label="Log">
      <Group gap={8} mb={8} align="flex-end">
        <NativeSelect
          size="xs"
          aria-label="Time"
          data={Object.entries(ranges).map(([value, label]) => ({ value, label }))}
          value={range.name}
          onChange={({ currentTarget: { value } }) =>
            setRange({ range: value === 'live' ? undefined : value, since: undefined, until: undefined })
          }
        />
        <Chip.Group
          multiple
          value={logLevels.filter((level) => !hidden.has(level))}
          onChange={(shown) => setHidden(new Set(logLevels.filter((level) => !shown.includes(level))))}
        >
          <Group gap={4} role="group" aria-label="Levels">
            {logLevels.map((level) => (
              <Chip key={level} value={level} size="xs" variant="light">
                {levelNames[level]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Switch
          ml="auto"
          size="xs"
          label="Follow"
          checked={live}
          disabled={!isOpen(range)}
          onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
        />
      </Group>
      {range.name === 'custom' && <CustomRange range={range} change={setRange} />}
      <LogStates chosen={chosen} progress={progress} follows={live} />
      <OutputBar
        label="Log"
        search={search}
        lines={loading ? 'Reading …' : lineCount(store.count, store.total)}
        wrap={wrap}
        setWrap={setWrap}
        beside={
          <Tool
            label={isFiltered ? 'Show all lines' : 'Only matching lines, also from the server'}
            icon={<IconFilter size={16} />}
            pressed={isFiltered}
            disabled={!isFiltered && !canFilter}
            onClick={() => setMatching(isFiltered ? undefined : asked)}
          />
        }
      >
        <Tool
          label={`Download the lines shown, at most ${MAX_SHOWN.toLocaleString('en')}`}
          icon={<IconDownload size={16} />}
          disabled={store.count === 0}
          onClick={() => saveText(filename, store.file())}
        />
        <Saving
          server={server}
          chosen={chosen}
          range={range}
          hidden={hidden}
          {...(isFiltered && canFilter && { search: asked })}
        />
      </OutputBar>
      {store.count === 0 ? (
        <div className={classes.empty}>{emptyWords(loading, progress, live, store.total)}</div>
      ) : (
        <OutputLines
          log={store}
          label="Lines of the log"
          live={live}
          wrap={wrap}
          {...(pattern instanceof RegExp && { pattern })}
          {...(search.hits[search.current] && { hit: search.hits[search.current] })}
          height="min(36rem, 70vh)"
        />
      )}
    </section>
  );
};

const lineCount = (shown: number, all: number): string =>
  shown === all ? count(shown, 'line') : `${shown.toLocaleString('en')} of ${count(all, 'line')}`;

const emptyWords = (
  loading: boolean,
  progress: readonly LogProgress[],
  live: boolean,
  total: number,
): string => {
  if (loading) return 'Reading the log …';
  if (total > 0) return 'No line matches the levels and the search.';
  // Nobody knows what was logged where nobody could look.
  if (progress.some(({ error }) => error)) return 'No lines could be read.';
  const isRead = (one: LogProgress): boolean => one.state?.is === 'live';
  if (live && !progress.every(isRead)) return 'No lines yet.';
  return live ? 'Nothing was logged yet. New lines will appear here.' : 'Nothing was logged in this time.';
};

interface CustomRangeProps {
  range: LogRange;
  change: (changes: Record<string, string | undefined>) => void;
}

const CustomRange = ({ range, change }: CustomRangeProps) => {
  const { since, until } = range;
  return (
    <Group gap={8} mb={8} align="flex-start">
      <InstantInput
        label="From"
        value={since}
        onChange={(at) => change({ since: at })}
        empty="the newest lines"
      />
      <InstantInput
        label="To"
        value={until}
        onChange={(at) => change({ until: at })}
        empty="now, and what follows"
        error={isTurned(range) ? 'This must be after the beginning' : undefined}
      />
    </Group>
  );
};

interface SavingProps {
  server: string;
  chosen: readonly ChosenLog[];
  range: LogRange;
  hidden: ReadonlySet<LogLevel>;
  search?: LogSearch;
}

/** Keeps what is shown as a run: its output has a hash, and stays as long as that of other runs. */
const Saving = ({ server, chosen, range, hidden, search }: SavingProps) => {
  const [save] = useChange(logs.save);
  const navigate = useNavigate();
  const { act, busy, failure, dismiss } = useAction();
  const onSave = () =>
    void act({
      send: () =>
        save({
          server: { id: server },
          sources: chosen.map(({ source }) => source),
          ...pastOf(range, Date.now()),
          ...search,
          ...(hidden.size > 0 && { levels: logLevels.filter((level) => !hidden.has(level)) }),
        }).unwrap(),
      failed: 'The log was not saved',
      done: ({ runId }) =>
        toast.success('The log is being saved as a run', {
          label: 'Open run',
          onClick: () => void navigate(paths.run(runId)),
        }),
    });
  return (
    <>
      <Tool
        label="Save as a run"
        icon={<IconDeviceFloppy size={16} />}
        disabled={busy || chosen.length === 0}
        onClick={onSave}
      />
      {failure && <Refusal what={failure.what} error={failure.error} onClose={dismiss} />}
    </>
  );
};
