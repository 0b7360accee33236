/** The packages of a service, each with its newest deploy and a button to deploy it. */
import { Button, Group } from '@mantine/core';
import { deploys, type Answer } from '@quarterdeck/contract';
import { IconPackage, IconPlus, IconRocket } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { ActionFailure, newRunId } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { ReleaseState } from '../../records/verdicts';
import { DeployQuestion, NOTHING_DONE } from './DeployQuestion';

type Version = Answer<typeof deploys.versions>[number];

/** dev: nothing reaches prod because nobody looked. */
const FIRST_ENV = 1;

/** Environment of the newest deploy that served; failed deploys count only if none has served. */
const usualEnv = (versions: readonly Version[] = []): number => {
  const newest = versions
    .flatMap(({ deployLog }) => deployLog ?? [])
    .toSorted((one, other) => other.date.localeCompare(one.date));
  return (newest.find(({ served }) => served) ?? newest[0])?.env.id ?? FIRST_ENV;
};

/** Deploying a version, and deleting the record of its deploy. */
const useDeploys = (service: VersionListProps['service'], versions: readonly Version[] | undefined) => {
  const [deploy] = useChange(deploys.deploy);
  const [remove] = useChange(deploys.removeRelease);
  const { act, failure, dismiss } = useAction();
  const start = useCallback(
    ({ id, version, deployLog }: Version) => {
      const wish = { env: usualEnv(versions), why: '' };
      const runId = newRunId();
      return act({
        ask: {
          title: `Deploy ${version} of ${service.name}?`,
          body: (
            <DeployQuestion
              service={service.id}
              initial={wish}
              onChange={(change) => Object.assign(wish, change)}
            />
          ),
          confirmLabel: deployLog ? 'Deploy again' : 'Deploy',
        },
        send: () => deploy({ id: service.id, packageId: id, runId, ...wish }).unwrap(),
        failed: NOTHING_DONE,
        to: paths.run(runId),
      });
    },
    [act, deploy, service, versions],
  );
  const removeLog = useCallback(
    (id: string, version: string) =>
      act({
        ask: {
          title: `Delete the record of the deploy of ${version}?`,
          body: 'Nothing changes on the server. The values of its variables are destroyed, so nobody can roll back to it.',
          confirmLabel: 'Delete',
          danger: true,
        },
        send: () => remove({ id }).unwrap(),
        failed: NOTHING_DONE,
      }),
    [act, remove],
  );
  return { start, removeLog, failure, dismiss };
};

interface VersionListProps {
  /** Path of the package list. */
  base: string;
  /** Page of what the repository has published. */
  published: string;
  service: { id: string; name: string };
}

export const VersionList = ({ base, published, service }: VersionListProps) => {
  const query = useAnswer(deploys.versions, { id: service.id });
  const { can } = useSession();
  const { data } = query;
  const { start, removeLog, failure, dismiss } = useDeploys(service, data);
  const columns = useMemo(
    (): Column<Version>[] => [
      {
        id: 'version',
        header: 'Version',
        value: (row) => row.version,
        cell: (row) => <Link to={`${base}/${row.id}/detail`}>{row.version}</Link>,
        priority: 1,
      },
      { id: 'image', header: 'Image or npm package', value: (row) => row.image },
      {
        id: 'deploy',
        header: 'Deploy log',
        value: (row) => row.deployLog?.date ?? '',
        cell: ({ deployLog }) =>
          deployLog && (
            <Group gap="xs">
              <ReleaseState release={deployLog} />
              <Link to={paths.run(deployLog.id)}>
                <RelativeTime at={deployLog.date} />
              </Link>
            </Group>
          ),
        priority: 2,
      },
      {
        id: 'actions',
        header: 'Actions',
        value: () => '',
        cell: (row) => (
          <DisabledInPast>
            <Group gap="xs" wrap="nowrap">
              <Action
                icon={IconRocket}
                variant={row.deployLog ? 'default' : 'filled'}
                does={() => start(row)}
              >
                {row.deployLog ? 'Deploy again' : 'Deploy'}
              </Action>
              {row.deployLog && !row.deployLog.last && (
                <Button
                  variant="subtle"
                  color="red"
                  onClick={() => void removeLog(row.deployLog?.id ?? '', row.version)}
                >
                  Delete
                </Button>
              )}
            </Group>
          </DisabledInPast>
        ),
        width: '1%',
        priority: 1,
      },
    ],
    [base, start, removeLog],
  );
  return (
    <>
      <PageHeader
        title="Versions"
        count={data?.length}
        actions={
          <DisabledInPast>
            <Button component={Link} to={`${base}/add`} leftSection={<IconPlus size={15} aria-hidden />}>
              Add new
            </Button>
          </DisabledInPast>
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Versions"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No versions yet" icon={IconPackage}>
            Versions of {service.name} that were added will appear here.
            {can('admin') && (
              <>
                {' '}
                What its repository has published is listed under <Link to={published}>Published</Link>.
              </>
            )}
          </EmptyState>
        }
      />
    </>
  );
};
