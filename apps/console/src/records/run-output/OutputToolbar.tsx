/** Search, wrap, copy and download controls above the output. */
import { ActionIcon, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconLetterCase,
  IconMovie,
  IconPrinter,
  IconRegex,
  IconSearch,
  IconTextWrap,
} from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { NOT_COPIED } from '../../ui/copying';
import { count } from '../../ui/count';
import { Dim } from '../../ui/Note';
import { saveText } from '../../ui/save-text';
import { usePrintKey } from '../../ui/use-print';
import type { LineRange } from './line-link';
import type { OutputView } from './output-view';
import classes from './run-output.module.css';
import { MAX_HITS } from './search';
import type { OutputSearch } from './use-search';

interface ToolProps {
  label: string;
  icon: ReactNode;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

export const Tool = ({ label, icon, pressed, disabled, onClick }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant={pressed ? 'light' : 'subtle'}
      color={pressed ? undefined : 'gray'}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  </Tooltip>
);

interface OutputBarProps {
  /** What it belongs to. */
  label: string;
  search: OutputSearch;
  /** Number of lines, in words. */
  lines: string;
  wrap: boolean;
  setWrap: (wrap: boolean) => void;
  /** Beside the search. */
  beside?: ReactNode;
  /** What is done with the lines. */
  children: ReactNode;
}

/** The bar above lines: search, how many there are, wrapping, and what can be done with them. */
export const OutputBar = ({ label, search, lines, wrap, setWrap, beside, children }: OutputBarProps) => (
  <div className={classes.toolbar} role="toolbar" aria-label={label}>
    <SearchTools search={search} label={`Search in ${label.toLowerCase()}`} />
    {beside}
    <Group gap={4} ml="auto" wrap="nowrap">
      <Dim fz="xs" mr={4}>
        {lines}
      </Dim>
      <Tool
        label="Wrap long lines"
        icon={<IconTextWrap size={16} />}
        pressed={wrap}
        onClick={() => setWrap(!wrap)}
      />
      {children}
    </Group>
  </div>
);

export interface OutputToolbarProps {
  /** Number of lines shown. */
  lines: number;
  /** The output to copy and download. */
  whole: OutputView;
  search: OutputSearch;
  wrap: boolean;
  setWrap: (wrap: boolean) => void;
  selected?: LineRange;
  filename: string;
  castHref?: string;
  onPrint?: (text: string) => void;
}

export const OutputToolbar = ({
  lines,
  whole,
  search,
  wrap,
  setWrap,
  selected,
  filename,
  castHref,
  onPrint,
}: OutputToolbarProps) => {
  const clipboard = useClipboard();
  return (
    <OutputBar
      label="Output"
      search={search}
      lines={count(lines, 'line')}
      wrap={wrap}
      setWrap={setWrap}
      beside={
        clipboard.error && (
          <Text size="xs" role="status">
            {NOT_COPIED}
          </Text>
        )
      }
    >
      <Tool
        label={clipboard.copied ? 'copied' : selected ? 'Copy selected lines' : 'Copy output'}
        icon={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        disabled={whole.count === 0}
        onClick={() => clipboard.copy(whole.text(selected?.from, selected?.to))}
      />
      <Tool
        label="Download output"
        icon={<IconDownload size={16} />}
        disabled={whole.count === 0}
        onClick={() => saveText(filename, whole.text())}
      />
      {onPrint && <PrintTool onPrint={() => onPrint(whole.text())} />}
      {castHref && whole.count > 0 && (
        <Tooltip label="Download recording (asciicast)">
          <ActionIcon
            component="a"
            href={castHref}
            download
            variant="subtle"
            color="gray"
            aria-label="Download recording (asciicast)"
          >
            <IconMovie size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </OutputBar>
  );
};

const PrintTool = ({ onPrint }: { onPrint: () => void }) => {
  usePrintKey(onPrint);
  return <Tool label="Print" icon={<IconPrinter size={16} />} onClick={onPrint} />;
};

const SearchTools = ({ search, label }: Pick<OutputToolbarProps, 'search'> & { label: string }) => {
  const { hits, current, step, setSearch } = search;
  const { text, regex, matchCase } = search.search;
  const found =
    text === '' || search.refused
      ? undefined
      : hits.length === 0
        ? 'no match'
        : `${current + 1} of ${hits.length.toLocaleString('en')}${hits.length === MAX_HITS ? '+' : ''}`;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      setSearch({ text: '' });
    }
  };

  return (
    <>
      <TextInput
        size="xs"
        className={classes.search}
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={14} />}
        value={text}
        error={search.refused}
        onChange={(event) => setSearch({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <Tool
        label="Match case"
        icon={<IconLetterCase size={16} />}
        pressed={matchCase}
        onClick={() => setSearch({ matchCase: !matchCase })}
      />
      <Tool
        label="Regular expression"
        icon={<IconRegex size={16} />}
        pressed={regex}
        onClick={() => setSearch({ regex: !regex })}
      />
      {found && (
        <>
          <Tool
            label="Previous match"
            icon={<IconChevronUp size={16} />}
            disabled={hits.length === 0}
            onClick={() => step(-1)}
          />
          <Tool
            label="Next match"
            icon={<IconChevronDown size={16} />}
            disabled={hits.length === 0}
            onClick={() => step(1)}
          />
          <Text size="xs" c="dimmed" role="status">
            {found}
          </Text>
        </>
      )}
    </>
  );
};
