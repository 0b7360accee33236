/** The packages that a service's repository has published, and a button that releases the next version. */
import { Box, Group, Table } from '@mantine/core';
import { repositories } from '@quarterdeck/contract';
import { IconTag } from '@tabler/icons-react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { Loading } from '../../ui/Loading';
import { Note } from '../../ui/Note';
import { ErrorState } from '../../ui/ErrorState';
import { NoToken, UNKNOWN_PACKAGE } from '../../records/NoToken';

interface PublishedTabProps {
  organization: string;
  repo: string;
  packageType: string;
  packageSubfolder: string;
}

export const PublishedTab = ({ organization, repo, packageType, packageSubfolder }: PublishedTabProps) => {
  const isNpm = packageType === 'npm';
  const [release, { data: released, isLoading }] = useChange(repositories.release);
  const { act, failure, dismiss } = useAction();
  const releaseNow = () =>
    act({ send: () => release({ organization, repo, isNpm }).unwrap(), failed: 'Nothing was released' });
  return (
    <section aria-label="Published">
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group mb="md">
        <DisabledInPast>
          <Action icon={IconTag} loading={isLoading} does={releaseNow}>
            New release
          </Action>
        </DisabledInPast>
        <span role="status">
          {released && (
            <>
              Released{' '}
              <a href={released.url} target="_blank" rel="noreferrer">
                {released.tag}
              </a>
            </>
          )}
        </span>
      </Group>
      {!isNpm && <Containers repoUrl={`${organization}/${repo}`} dockerName={packageSubfolder} />}
    </section>
  );
};

/** An unknown package is shown as none, as specified: most repositories have no package yet. */
const Containers = ({ repoUrl, dockerName }: { repoUrl: string; dockerName: string }) => {
  const { data, error, isLoading, refetch } = useAnswer(repositories.containers, {
    repoUrl,
    ...(dockerName !== '' && { dockerName }),
  });
  const packages = data?.packages ?? [];
  if (isLoading) return <Loading lines={2} label="Loading versions" />;
  if (error?.code === 'noToken') return <NoToken />;
  if (error && error.status !== UNKNOWN_PACKAGE)
    return <ErrorState error={error} what="Packages" onRetry={() => void refetch()} />;
  if (packages.length === 0)
    return (
      <Note m="8px 0 0">
        No versions were found, are you sure a package was published for that repository
      </Note>
    );
  return (
    <Box style={{ overflowX: 'auto' }}>
      <Table aria-label="Packages">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Image</Table.Th>
            <Table.Th>Published</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {packages.map(({ id, version, image, createdAt }) => (
            <Table.Tr key={id}>
              <Table.Td>{version}</Table.Td>
              <Table.Td>
                <CopyText value={image} />
              </Table.Td>
              <Table.Td>
                <RelativeTime at={createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
};
