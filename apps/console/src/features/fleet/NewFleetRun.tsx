/** What, where, how many at one time; then it asks, and goes to where it can be watched. */
import { Button, NumberInput } from '@mantine/core';
import { scripts, servers as serverCalls } from '@quarterdeck/contract';
import { DEFAULT_AT_ONCE, MOST_AT_ONCE, MOST_SERVERS } from '@quarterdeck/events/inputs';
import { IconPlayerPlay, IconPlus, IconServer } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { confirmAction } from '../../ui/confirm';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import classes from './fleet.module.css';
import { useFleetStart } from './use-fleet-start';
import { labelOf, namesInWords, onWords, questionOf, startOf, workIn } from './work';
import { WorkChoice } from './WorkChoice';

const columns: readonly Column<ServerView>[] = [
  { id: 'alias', header: 'Server', value: (server) => server.alias, filter: 'text', priority: 1 },
  { id: 'username', header: 'Username', value: (server) => server.username, filter: 'category', mono: true },
  {
    id: 'host',
    header: 'Host',
    value: (server) => (server.port === 22 ? server.host : `${server.host}:${server.port}`),
    filter: 'text',
    mono: true,
    priority: 2,
  },
  {
    id: 'lastRun',
    header: 'Last run',
    value: (server) => server.lastRun?.label,
    filter: 'category',
    cell: ({ lastRun }) =>
      lastRun && (
        <span className={classes.lastRun}>
          <StateBadge state={lastRun.state} /> {lastRun.label} <RelativeTime at={lastRun.at} />
        </span>
      ),
  },
];

/** Which servers the page that led here had chosen. */
const chosenIn = (state: unknown): readonly string[] => {
  const servers = typeof state === 'object' && state !== null && 'servers' in state ? state.servers : [];
  return Array.isArray(servers) ? servers.filter((id) => typeof id === 'string') : [];
};

const whyNot = (work: unknown, count: number): string | undefined => {
  if (!work) return 'Choose a command or a script.';
  if (count === 0) return 'Choose at least one server.';
  return count > MOST_SERVERS ? `At most ${MOST_SERVERS} servers at one time.` : undefined;
};

export const NewFleetRun = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const servers = useAnswer(serverCalls.list);
  const saved = useAnswer(scripts.list);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(chosenIn(state)));
  const [atOnce, setAtOnce] = useState(DEFAULT_AT_ONCE);
  const { start, busy, failure, dismiss } = useFleetStart();
  const work = workIn(params, saved.data);
  // One that was removed meanwhile is chosen no more.
  const going = useMemo(
    () => (servers.data ?? []).filter(({ id }) => chosen.has(id)),
    [servers.data, chosen],
  );
  const names = going.map(({ alias }) => alias);
  const missing = whyNot(work, going.length);

  const run = async (): Promise<void> => {
    if (!work || missing) return;
    const question = questionOf(work);
    const sure =
      !question ||
      (await confirmAction({
        title: `${labelOf(work)} on ${onWords(names)}?`,
        body: (
          <>
            <p className={classes.question}>{question.body}</p>
            <p className={classes.question}>It runs on {namesInWords(names)}.</p>
          </>
        ),
        confirmLabel: `Run on ${onWords(names)}`,
        danger: question.danger,
      }));
    if (!sure) return;
    await start({ ...startOf(work), servers: going.map(({ id }) => id), concurrency: atOnce });
  };

  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <section aria-labelledby="fleet-what" className={classes.section}>
        <h2 id="fleet-what">What</h2>
        <WorkChoice work={work} scripts={saved.data} />
      </section>
      <section aria-labelledby="fleet-where" className={classes.section}>
        <h2 id="fleet-where">Where</h2>
        <DataTable
          label="Servers"
          rows={servers.data}
          columns={columns}
          rowKey={(server) => server.id}
          selection={{ chosen, onChange: setChosen, nameOf: (server) => server.alias }}
          error={servers.error === undefined ? undefined : toApiError(servers.error)}
          onRetry={() => void servers.refetch()}
          defaultSort="alias"
          searchable
          empty={
            <EmptyState
              title="No servers yet"
              icon={IconServer}
              action={
                <Button
                  component={Link}
                  to={paths.serverAdd()}
                  leftSection={<IconPlus size={16} aria-hidden />}
                >
                  Add server
                </Button>
              }
            >
              Add some, and run commands on all of them at once.
            </EmptyState>
          }
        />
      </section>
      <div className={classes.start}>
        <NumberInput
          label="At one time"
          className={classes.atOnce}
          min={1}
          max={MOST_AT_ONCE}
          clampBehavior="strict"
          allowDecimal={false}
          value={atOnce}
          onChange={(value) => setAtOnce(Number(value) || 1)}
        />
        <DisabledInPast>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={missing !== undefined}
            loading={busy}
            onClick={() => void run()}
          >
            {work && going.length > 0 ? `Run ${labelOf(work)} on ${onWords(names)}` : 'Run'}
          </Button>
        </DisabledInPast>
        <span className={classes.hint} role="status">
          {missing}
        </span>
      </div>
    </>
  );
};
