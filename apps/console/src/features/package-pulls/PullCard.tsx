/** Deploys a package by its address, or an earlier package again. */
import { Alert, Box, Flex } from '@mantine/core';
import { IconCloudDownload } from '@tabler/icons-react';
import { packagePullForm } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError, type ApiError } from '../../core/http';
import { Action } from '../../ui/Action';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import type { KnownPackage } from './packages';
import { usePull } from './use-pull';
import { Card } from '../../ui/Card';
import { Note } from '../../ui/Note';

const fieldsWith = (services: PullCardProps['services']): readonly Field[] => [
  {
    name: 'cdUrl',
    label: 'Address of the package',
    type: 'text',
    mono: true,
    placeholder: 'https://ci.example.org/deploy/shop',
    help: 'Called with GET; it deploys the newest version and returns its number. A password or token in the address is stored in the vault.',
  },
  {
    name: 'slug',
    label: 'Name',
    type: 'text',
    optional: true,
    help: 'Shown in the log. Default: the last part of the address.',
  },
  ...(services.length === 0
    ? []
    : [
        {
          name: 'service',
          label: 'Service',
          type: 'select' as const,
          optional: true,
          help: 'The log leads to it.',
          options: services.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]),
];

interface PullCardProps {
  server: ServerView;
  packages: readonly KnownPackage[];
  /** Services on this server. */
  services: readonly { id: string; name: string }[];
}

export const PullCard = ({ server, packages, services }: PullCardProps) => {
  const { pull, busy } = usePull(server);
  const [failed, setFailed] = useState<ApiError>();
  const again = async (known: KnownPackage): Promise<void> => {
    setFailed(undefined);
    await pull(known).catch((error: unknown) => setFailed(toApiError(error)));
  };
  return (
    <Card title="Pull and deploy" maw={680}>
      {packages.length > 0 && (
        <Flex gap={8} wrap="wrap" mb={16} role="group" aria-label="Packages deployed before">
          {packages.map((known) => (
            <DisabledInPast key={known.deployLog.id}>
              <Action
                icon={IconCloudDownload}
                variant="default"
                disabled={busy}
                title={known.cdUrl}
                does={() => again(known)}
              >
                {known.slug}{' '}
                {known.version && (
                  <Box component="span" ml={6} c="dimmed" ff="monospace" fz={12}>
                    {known.version}
                  </Box>
                )}
              </Action>
            </DisabledInPast>
          ))}
        </Flex>
      )}
      {failed && (
        <Alert color="red" variant="light" role="alert" mb="md" title={failed.msg}>
          {Object.values(failed.data ?? {}).join(' ')}
        </Alert>
      )}
      <ResourceForm
        label="Pull and deploy"
        schema={packagePullForm}
        fields={fieldsWith(services)}
        submitLabel="Pull and deploy"
        dirtyGuard={false}
        afterRefusal={({ status }) =>
          // An attempt is recorded even if the address answered with an error or not at all.
          status === 502 ? 'The attempt is in the deploy log.' : 'Nothing was deployed.'
        }
        onSubmit={async (what) => {
          setFailed(undefined);
          await pull(what);
        }}
      />
      <Note below role="status">
        {busy && 'Deploying. This may take half a minute.'}
      </Note>
    </Card>
  );
};
