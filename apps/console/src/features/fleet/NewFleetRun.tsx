/** Form for a new run: what, where and with which concurrency. After confirmation it opens the run's page. */
import { Box, Group, NumberInput } from '@mantine/core';
import { scripts as scriptCalls, servers, servers as serverCalls } from '@quarterdeck/contract';
import { DEFAULT_AT_ONCE, MAX_AT_ONCE, MAX_PAGE_SIZE, MAX_SERVERS } from '@quarterdeck/events/inputs';
import { IconPlayerPlay, IconPlus, IconServer } from '@tabler/icons-react';
import { columnsById, serverColumns, type ServerRow } from '@quarterdeck/projections';
import { useCallback, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { ask, useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { confirmAction } from '../../ui/confirm';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { useProbesOf } from '../../records/health';
import { ActionFailure } from '../../records/runs';
import { ServerVerdictBadge } from '../../records/verdicts';
import { StateBadge } from '../../ui/StateBadge';
import { useListPage } from '../../ui/table/use-list-page';
import classes from './fleet.module.css';
import { useFleetStart } from './use-fleet-start';
import { labelOf, namesInWords, onWords, questionOf, startOf, workIn } from './work';
import { WorkChoice } from './WorkChoice';
import look from '../../ui/look.module.css';
import { Section } from '../../ui/Card';
import { Dim } from '../../ui/Note';
import { useAppDispatch } from '../../core/hooks';
import { count } from '../../ui/count';

const { alias, health, username, host, lastRun } = columnsById(serverColumns);

const columns: readonly Column<ServerRow>[] = [
  { ...alias, header: 'Server', priority: 1 },
  { ...health, header: 'Health', cell: (server) => <ServerVerdictBadge server={server} />, priority: 3 },
  { ...username, header: 'Username', mono: true },
  { ...host, header: 'Host', mono: true, priority: 2 },
  {
    ...lastRun,
    header: 'Last run',
    cell: ({ lastRun: run }) =>
      run && (
        <Group component="span" display="inline-flex" gap={8} wrap="nowrap">
          <StateBadge state={run.state} /> {run.label} <RelativeTime at={run.at} />
        </Group>
      ),
  },
];

/** Servers that were selected on the page that led here. */
const chosenIn = (state: unknown): readonly string[] => {
  const servers = typeof state === 'object' && state !== null && 'servers' in state ? state.servers : [];
  return Array.isArray(servers) ? servers.filter((id) => typeof id === 'string') : [];
};

const whyNot = (work: unknown, count: number): string | undefined => {
  if (!work) return 'Choose a command or a script.';
  if (count === 0) return 'Choose at least one server.';
  return count > MAX_SERVERS ? `At most ${MAX_SERVERS} servers at once.` : undefined;
};

/** Asks first where the work makes changes. */
const confirmed = async (
  work: NonNullable<ReturnType<typeof workIn>>,
  going: readonly ServerRow[],
): Promise<boolean> => {
  const names = going.map((server) => server.alias);
  const question = questionOf(work);
  return (
    !question ||
    (await confirmAction({
      title: `${labelOf(work)} on ${onWords(names)}?`,
      body: (
        <>
          <Box component="p" className={look.wrap} m="0 0 8px">
            {question.body}
          </Box>
          <Box component="p" className={look.wrap} m="0 0 8px">
            It runs on {namesInWords(names)}.
          </Box>
        </>
      ),
      confirmLabel: `Run on ${onWords(names)}`,
      danger: question.danger,
    }))
  );
};

export const NewFleetRun = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const { table, allFound } = useListPage(serverCalls.page, { defaultSort: 'alias' });
  useProbesOf(table.query.data);
  const script = params.get('script') ?? '';
  const saved = useAnswer(scriptCalls.detail, { id: script }, { skip: script === '' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(chosenIn(state)));
  const [atOnce, setAtOnce] = useState(DEFAULT_AT_ONCE);
  const { start, busy, failure, refuse, dismiss } = useFleetStart();
  const work = workIn(params, saved.currentData);
  const byId = useServersById();
  const onThese = useServersInWords(chosen);
  const missing = whyNot(work, chosen.size);

  /** Loads the selected servers and deselects those deleted meanwhile. */
  const stillThere = async (): Promise<ServerRow[]> => {
    try {
      const rows = await byId([...chosen]);
      if (rows.length < chosen.size) setChosen(new Set(rows.map(({ id }) => id)));
      if (rows.length === 0) refuse({ status: 404, msg: 'The selected servers were deleted.' });
      return rows;
    } catch (thrown) {
      refuse(toApiError(thrown));
      return [];
    }
  };

  const run = async (): Promise<void> => {
    if (!work || missing) return;
    const going = await stillThere();
    if (going.length === 0) return;
    if (!(await confirmed(work, going))) return;
    await start({ ...startOf(work), servers: going.map(({ id }) => id), concurrency: atOnce });
  };

  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Section title="What" mb={24}>
        <WorkChoice work={work} />
      </Section>
      <Section title="Where" mb={24}>
        <DataTable
          label="Servers"
          {...table}
          columns={columns}
          rowKey={(server) => server.id}
          selection={{
            chosen,
            onChange: setChosen,
            nameOf: (server) => server.alias,
            allFound: async () => (await allFound()).map(({ id }) => id),
          }}
          searchable
          empty={
            <EmptyState
              title="No servers yet"
              icon={IconServer}
              action={
                <Action icon={IconPlus} does={paths.serverAdd()}>
                  Add server
                </Action>
              }
            >
              Add servers to run commands on all of them at once.
            </EmptyState>
          }
        />
      </Section>
      <div className={classes.start}>
        <NumberInput
          label="Concurrency"
          w={96}
          min={1}
          max={MAX_AT_ONCE}
          clampBehavior="strict"
          allowDecimal={false}
          value={atOnce}
          onChange={(value) => setAtOnce(Number(value) || 1)}
        />
        <DisabledInPast>
          <Action icon={IconPlayerPlay} disabled={missing !== undefined} loading={busy} does={() => run()}>
            {work && chosen.size > 0 ? `Run ${labelOf(work)} on ${onThese}` : 'Run'}
          </Action>
        </DisabledInPast>
        <Dim role="status" style={{ alignSelf: 'center' }}>
          {missing}
        </Dim>
      </div>
    </>
  );
};

/* The selected servers, which may be on other pages of the table than the one loaded. */

/** Loads the servers that still exist, sorted by alias. @throws ApiError */
const useServersById = (): ((ids: readonly string[]) => Promise<ServerRow[]>) => {
  const dispatch = useAppDispatch();
  return useCallback(
    async (ids) => {
      const rows: ServerRow[] = [];
      for (let page = 1; ; page += 1) {
        const asked = { ids: [...ids], sort: 'alias', page, size: MAX_PAGE_SIZE };
        const question = dispatch(ask(servers.page, asked));
        const answer = await question.unwrap().finally(() => question.unsubscribe());
        rows.push(...answer.rows);
        if (rows.length >= answer.found) return rows;
      }
    },
    [dispatch],
  );
};

/** `web-1`, `12 servers` */
const useServersInWords = (chosen: ReadonlySet<string>): string => {
  const [id = ''] = chosen;
  const skip = chosen.size !== 1;
  const { currentData: only } = useAnswer(servers.detail, { id }, { skip });
  if (!skip && only) return only.alias;
  return count(chosen.size, 'server');
};
