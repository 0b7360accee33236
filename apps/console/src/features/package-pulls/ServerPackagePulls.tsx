/** The deploys tab of a server: deploys a package, and lists the deploys. */
import { callsOf, packagePulls } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { PullLog } from './PullLog';
import { type KnownPackage, packagesOf } from './packages';
import { Stacked } from '../../ui/Columns';
import { Alert, Box, Flex } from '@mantine/core';
import { IconCloudDownload } from '@tabler/icons-react';
import { packagePullForm, shownAddress } from '@quarterdeck/events/inputs';
import { DisabledInPast } from '../../core/as-of/in-past';
import { type ApiError, toApiError } from '../../core/http';
import { Action } from '../../ui/Action';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { Card } from '../../ui/Card';
import { Note } from '../../ui/Note';
import { confirmAction } from '../../ui/confirm';
import { toast } from '../../ui/toast';

/** Maximum number of packages offered; the log has the rest. */
const SHOWN = 8;

export const ServerPackagePulls = ({ server }: { server: ServerView }) => {
  const { data } = useAnswer(packagePulls.list, { filters: { server: { id: server.id } } });
  const services = useAnswer(callsOf(service).list, {}).data ?? [];
  // Deploys of services have no address to call again.
  const packages = useMemo(
    () => packagesOf(data?.filter(({ packageId }) => packageId === undefined) ?? []).slice(0, SHOWN),
    [data],
  );
  return (
    <Stacked gap={24}>
      <PullCard
        server={server}
        packages={packages}
        services={services.filter((one) => one.server?.id === server.id)}
      />
      <PullLog server={server.id} />
    </Stacked>
  );
};

/** Deploys a package by its address, or an earlier package again. */
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

const PullCard = ({ server, packages, services }: PullCardProps) => {
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
            <DisabledInPast key={known.entry.id}>
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

/** Deploys a package after confirmation; a failure is thrown in the form's own shape. */
interface Package {
  cdUrl: string;
  /** The log entry that has the full address. */
  entry?: { id: string };
  slug?: string | undefined;
  service?: string | undefined;
}

/** Puts the cause below the message that the specification requires, because it belongs to no field. */
const shown = (error: ApiError): ApiError => {
  const cause = error.data?.cdUrl;
  if (error.status !== 502 || cause === undefined) return error;
  return { ...error, data: { '': `${cause[0]?.toUpperCase() ?? ''}${cause.slice(1)}.` } };
};

const usePull = ({ id, alias }: Pick<ServerView, 'id' | 'alias'>) => {
  const [send, { isLoading }] = useChange(packagePulls.pull);
  /**
   * @returns whether it was deployed; `false` if the user cancelled
   * @throws ApiError
   */
  const pull = async ({ cdUrl, entry, slug, service }: Package): Promise<boolean> => {
    const confirmed = await confirmAction({
      title: `Pull and deploy ${slug ?? 'this package'}?`,
      body: (
        <>
          The address <code>{shownAddress(cdUrl)}</code> is asked to deploy the newest version of the package
          onto <strong>{alias}</strong>. It replaces the version that runs there.
        </>
      ),
      confirmLabel: 'Pull and deploy',
    });
    if (!confirmed) return false;
    try {
      const { version } = await send({
        server: { id },
        slug,
        ...(entry ? { deployLog: entry } : { cdUrl }),
        ...(service !== undefined && { serviceDeploy: { id: service } }),
      }).unwrap();
      toast.success(`${slug ?? 'The package'} was deployed in version ${version}.`);
      return true;
    } catch (error) {
      throw shown(toApiError(error));
    }
  };
  return { pull, busy: isLoading };
};
