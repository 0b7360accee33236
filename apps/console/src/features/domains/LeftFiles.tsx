/** What the domain left on earlier servers, or under earlier names: removed from here once the server answers again. */
import { Button } from '@mantine/core';
import { domains } from '@quarterdeck/contract';
import { IconTrash } from '@tabler/icons-react';
import type { DomainView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { confirmAction } from '../../ui/confirm';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';
import type { DomainRuns } from './use-domain-runs';
import { Card } from '../../ui/Card';
import { Dim, Mono, Note } from '../../ui/Note';
import { List } from '../../ui/List';

type Left = NonNullable<DomainView['left']>[number];

const whatIs = ({ config, certificate }: Left): string =>
  [config && 'configuration', certificate && 'certificate'].filter(Boolean).join(' and ');

export const LeftFiles = ({ domain: { id, left = [] }, runs }: { domain: DomainView; runs: DomainRuns }) => {
  const [removeLeft] = useChange(domains.removeLeft);
  if (left.length === 0) return null;

  const remove = async (files: Left): Promise<void> => {
    const { serverName, server } = files;
    const sure = await confirmAction({
      title: `Remove what is left on ${server.alias}?`,
      body: `The ${whatIs(files)} of ${serverName} will be removed from ${server.alias}. Nothing changes for this domain.`,
      confirmLabel: 'Remove files',
      danger: true,
    });
    if (!sure) return;
    await runs.start(`The files on ${server.alias} were not removed`, async (runId) => {
      const asked = { id, serverName, server: { id: server.id }, runId };
      const { runId: run } = await removeLeft(asked).unwrap();
      if (run !== undefined) return { runId: run };
      toast.info(`${server.alias} was deleted, so its files are no longer listed.`);
      return {};
    });
  };

  return (
    <Card title="Left behind">
      <Note below>
        These files stayed when the domain left. certbot may keep renewing a certificate there. Remove them
        once the server answers again.
      </Note>
      <List gap={6}>
        {left.map((files) => (
          <li key={`${files.server.id} ${files.serverName}`}>
            <Mono>{files.serverName}</Mono> on {files.server.alias}: {whatIs(files)}{' '}
            <Dim>
              <RelativeTime at={files.at} />
            </Dim>{' '}
            <DisabledInPast>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconTrash size={14} aria-hidden />}
                disabled={runs.busy}
                title={runs.busy ? 'A run of this domain is under way' : undefined}
                onClick={() => void remove(files)}
              >
                Remove from {files.server.alias}
              </Button>
            </DisabledInPast>
          </li>
        ))}
      </List>
    </Card>
  );
};
