/** Groups servers by their output and compares each group with the most common one. */
import { Box, Button, Flex } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { count } from '../../ui/count';
import { ErrorState } from '../../ui/ErrorState';
import { LineDiff } from '../../ui/line-diff';
import { AfterAWhile, Loading } from '../../ui/Loading';
import { useRunOutput } from '../../records/run-output';
import { missingOutput, OutputRemoved } from '../../records/runs';
import { resultsInWords, resultsOf, type ResultGroup } from './result-groups';
import type { HostRow } from './host-state';
import look from '../../ui/look.module.css';
import { Dim, Note, TextBlock } from '../../ui/Note';
import { Title } from '../../ui/heading';

/** Number of differing groups open at first. Each open group fetches its output. */
const OPEN_AT_FIRST = 3;
const NAMED = 10;
/** Longer outputs are not shown here, only linked. */
const MAX_BYTES = 512 * 1024;

export const Results = ({ rows }: { rows: readonly HostRow[] }) => {
  const results = useMemo(() => resultsOf(rows), [rows]);
  const [most, ...others] = results.groups;
  const common = most && most.reason === undefined && most.bytes <= MAX_BYTES ? most : undefined;
  return (
    <section aria-label="Results">
      <Box component="p" m="0 0 12px" fz={15} fw={500} role="status">
        {resultsInWords(results) || 'No results yet.'}
      </Box>
      {most && <Group group={most} title={others.length > 0 ? 'Most common result' : 'Result'} startOpen />}
      {others.map((group, at) => (
        <Group
          key={group.key}
          group={group}
          title={group.reason === undefined ? 'Different result' : 'No output'}
          startOpen={at < OPEN_AT_FIRST}
          {...(common && { common })}
        />
      ))}
    </section>
  );
};

interface GroupProps {
  group: ResultGroup;
  title: string;
  startOpen: boolean;
  /** The most common group, if this one is compared with it. */
  common?: ResultGroup;
}

const Group = ({ group, title, startOpen, common }: GroupProps) => {
  const { hosts, run, exitCode, bytes, reason } = group;
  const [open, setOpen] = useState(startOpen);
  return (
    <Box
      component="article"
      className={look.framed}
      mb={16}
      p="14px 16px"
      aria-label={`${title}: ${hosts[0]?.server.name ?? ''}`}
    >
      <Flex component="header" gap="4px 16px" align="baseline" wrap="wrap" mb={10}>
        <Title>
          {title} <Dim fw={400}>{count(hosts.length, 'server')}</Dim>
        </Title>
        {exitCode !== undefined && <Dim>exit code {exitCode}</Dim>}
        <Names hosts={hosts} />
      </Flex>
      {run === undefined ? (
        <Box component="p" m={0} c="var(--qd-bad)">
          {reason}
        </Box>
      ) : bytes > MAX_BYTES ? (
        <Note>
          This output is too long to be shown here. <Link to={paths.run(run.id)}>Open the run</Link>
        </Note>
      ) : open ? (
        <>
          <OutputRemoved run={run} />
          {common?.run ? (
            <Compared run={run} common={common.run} name={hosts[0]?.server.name ?? 'this one'} />
          ) : (
            <Plain run={run} />
          )}
        </>
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          {common ? 'Show the difference' : 'Show'}
        </Button>
      )}
    </Box>
  );
};

const Names = ({ hosts }: { hosts: readonly HostRow[] }) => {
  const [all, setAll] = useState(false);
  const shown = all ? hosts : hosts.slice(0, NAMED);
  return (
    <Flex component="ul" className={look.list} gap="2px 12px" wrap="wrap" aria-label="Servers">
      {shown.map(({ server, run }) => (
        <li key={server.id}>{run ? <Link to={paths.run(run.id)}>{server.name}</Link> : server.name}</li>
      ))}
      {shown.length < hosts.length && (
        <li>
          <Button variant="subtle" color="gray" onClick={() => setAll(true)}>
            and {hosts.length - shown.length} more
          </Button>
        </li>
      )}
    </Flex>
  );
};

interface Output {
  /** `undefined` while loading. */
  text: string | undefined;
  /** Why the output cannot be read although something was printed. */
  missing: string | undefined;
  failure: ReactNode;
}

const useOutput = (run: RunView): Output => {
  const { loading, log, error, retry } = useRunOutput(run.id, false);
  const text = loading ? undefined : log.text();
  return {
    text,
    missing: text === '' ? missingOutput(run) : undefined,
    failure: error && <ErrorState error={error} what="Output" onRetry={retry} inline />,
  };
};

const Plain = ({ run }: { run: RunView }) => {
  const { text, missing, failure } = useOutput(run);
  if (failure) return failure;
  if (text === undefined) return <Waiting />;
  return text === '' ? (
    <Note>{missing ?? 'No output.'}</Note>
  ) : (
    <TextBlock mah="24rem" aria-label="Output">
      {text}
    </TextBlock>
  );
};

const Compared = ({ run, common, name }: { run: RunView; common: RunView; name: string }) => {
  const [own, most] = [useOutput(run), useOutput(common)];
  if (own.failure ?? most.failure) return own.failure ?? most.failure;
  if (own.text === undefined || most.text === undefined) return <Waiting />;
  // Removed output cannot be compared.
  if (own.missing ?? most.missing) return <Plain run={run} />;
  return (
    <LineDiff
      sides={{ before: 'Most common output', after: name }}
      before={most.text}
      after={own.text}
      label={`From the most common output to that of ${name}`}
      same="Same output; only the exit code differs."
    />
  );
};

const Waiting = () => (
  <AfterAWhile>
    <Loading lines={4} label="Loading output" />
  </AfterAWhile>
);
