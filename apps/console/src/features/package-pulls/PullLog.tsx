/** The deploys on a server: version, time, person and result. */
import { Box, Button, Flex } from '@mantine/core';
import { packagePulls, type Answer } from '@quarterdeck/contract';
import { columnsById, packagePullColumns } from '@quarterdeck/projections';
import { product as productNoun, service as serviceNoun } from '@quarterdeck/events';
import { IconPackage } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { useNow, useAsOfNow } from '../../core/as-of/clock';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths, plainPath } from '../../core/paths';
import { Actor } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { useListPage } from '../../ui/table/use-list-page';
import { useAction } from '../../ui/use-action';
import look from '../../ui/look.module.css';
import { Title } from '../../ui/heading';

type Logged = Answer<typeof packagePulls.page>['rows'][number];

/**
 * The request has 25 seconds to be answered. Without a result long after that, none will come: the process that sent it
 * died.
 */
const ASKED_MS = 60_000;

const WithoutEnd = ({ date }: Pick<Logged, 'date'>) => {
  const past = useAsOfNow();
  const left = Date.parse(date) + ASKED_MS - useNow();
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = past === undefined && left > 0 ? setTimeout(() => setWaited(true), left) : undefined;
    return () => clearTimeout(timer);
  }, [past, left]);
  if (left > 0 && !(waited && past === undefined)) return <StateBadge state="running" label="deploying" />;
  return (
    <>
      <StateBadge state="lost" label="outcome unknown" />
      <Box component="span" className={look.wrap} c="dimmed">
        the request was sent, but no answer came, so it may have been deployed
      </Box>
    </>
  );
};

const { slug, version, state, date } = columnsById(packagePullColumns);

const columns: readonly Column<Logged>[] = [
  {
    ...slug,
    header: 'Package',
    cell: ({ slug, cdUrl, serviceDeploy, service }) =>
      service && serviceDeploy ? (
        <Link
          to={plainPath(productNoun, service.product, `${serviceNoun.path}/${serviceDeploy.id}/detail`)}
          title={cdUrl}
        >
          {slug}
        </Link>
      ) : (
        <span title={cdUrl}>{slug}</span>
      ),
    priority: 1,
  },
  { ...version, header: 'Version', mono: true, copy: true, priority: 2 },
  {
    ...state,
    header: 'State',
    cell: ({ state, date, reason, durationMs }) => (
      <Flex component="span" display="inline-flex" gap="2px 8px" align="center" wrap="wrap">
        {state === 'requested' ? <WithoutEnd date={date} /> : <StateBadge state={state} />}
        {reason && (
          <Box component="span" className={look.wrap} c="dimmed">
            {reason}
          </Box>
        )}
        {durationMs !== undefined && (
          <Box component="span" className={look.wrap} c="dimmed">
            {durationInWords(durationMs)}
          </Box>
        )}
      </Flex>
    ),
    priority: 3,
  },
  { ...date, header: 'When', cell: (row) => <RelativeTime at={row.date} /> },
  { id: 'by', header: 'By', value: ({ by }) => by, cell: ({ by }) => <Actor id={by} />, sortable: false },
  {
    id: 'history',
    header: 'History',
    value: ({ id }) => id,
    cell: ({ id }) => <Link to={paths.history({ category: 'deploy', id })}>History</Link>,
    sortable: false,
  },
];

export const PullLog = ({ server }: { server: string }) => {
  const within = useMemo(() => ({ server: { id: server } }), [server]);
  const { table } = useListPage(packagePulls.page, { defaultSort: '-date', urlKey: 'deploy', within });
  const [remove] = useChange(packagePulls.delete);
  const { act, failure, dismiss } = useAction();
  const ask = ({ id, slug, version }: Logged) => {
    const what = version === undefined ? slug : `${slug} ${version}`;
    return act({
      ask: {
        title: `Delete the log of ${what}?`,
        body: 'The entry is removed from this list and stays in the history. Nothing changes on the server.',
        confirmLabel: 'Delete log',
        danger: true,
      },
      send: () => remove({ id }).unwrap(),
      done: `The log of ${what} was deleted.`,
      failed: 'The log was not deleted',
    });
  };
  return (
    <div>
      <Title mb={12}>Deploy logs</Title>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Deploy logs"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        searchable
        actions={(deploy) => (
          <DisabledInPast>
            <Button
              variant="subtle"
              color="red"
              aria-label={`Delete the log of ${deploy.slug}`}
              onClick={() => void ask(deploy)}
            >
              Delete
            </Button>
          </DisabledInPast>
        )}
        empty={
          <EmptyState title="No deploys yet" icon={IconPackage}>
            Packages deployed to this server will appear here with version and result.
          </EmptyState>
        }
      />
    </div>
  );
};
