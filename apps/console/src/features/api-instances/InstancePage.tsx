/** One instance: its endpoints, how it describes itself, its servers, and the services that sign its users in. */
import { Group } from '@mantine/core';
import { apiInstances, callsOf } from '@quarterdeck/contract';
import { apiInstance, oauthParam } from '@quarterdeck/events';
import { IconDownload, IconKey, IconPlugConnectedX, IconRotate } from '@tabler/icons-react';
import { Link, Navigate, Route, useParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { below } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import { RecordArea, RecordPage, type Cells, type View } from '../../records/kit';
import { Action } from '../../ui/Action';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { Section } from '../../ui/Card';
import { CopyText } from '../../ui/CopyText';
import { EmptyState } from '../../ui/EmptyState';
import { Dim, Mono, Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { ActionFailure } from '../../records/runs';
import { ChangesTab } from './ChangesTab';
import { EndpointsTab } from './EndpointsTab';
import { DELETE_INSTANCE, endpointPath, type InstanceView } from './instance-view';
import { OwnPort } from './OwnPort';
import { ServersTab } from './ServersTab';
import { addressOf, SERVING } from './serving';
import { TrafficTab } from './TrafficTab';
import { useInstanceRemoval } from './use-instance-removal';
import { UsersTab } from './UsersTab';

const cells: Cells = {
  env: ({ env }) => <EnvBadge id={env as number} />,
  port: ({ port }) => (port === 0 ? <Dim>none</Dim> : String(port)),
  servers: (view) => {
    const { servers } = view as unknown as InstanceView;
    return servers.length === 0 ? <Dim>No extra servers</Dim> : servers.map(({ url }) => url).join(', ');
  },
};
const oauthCells: Cells = {
  options: ({ options }) => {
    const all = Object.entries(options as Record<string, string>);
    return all.length === 0 ? <Dim>none</Dim> : <Mono>{all.map((pair) => pair.join(': ')).join(', ')}</Mono>;
  },
};

const Token = ({ id }: { id: string }) => {
  const [replace] = useChange(apiInstances.replaceToken);
  const { act, busy, failure, dismiss } = useAction();
  return (
    <Section title="Token" mt={24} maw={640}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Note mb={12}>{SERVING} A new token makes the old one useless.</Note>
      <DisabledInPast>
        <Action
          icon={IconRotate}
          variant="default"
          loading={busy}
          does={() =>
            act({
              ask: {
                title: 'Replace the token?',
                body: 'Programs that send the present token can no longer call this API.',
                confirmLabel: 'Replace token',
                danger: true,
              },
              send: () => replace({ instance: { uuid: id } }).unwrap(),
              done: 'The token was replaced.',
              failed: 'The token could not be replaced',
            })
          }
        >
          Replace token
        </Action>
      </DisabledInPast>
    </Section>
  );
};

const fileAddress = (path: string, id: string): string => `/api/${path.replace(':uuid', id)}`;

const Documents = ({ id }: { id: string }) => (
  <Section title="For those who call it" mt={24} maw={640}>
    <Note mb={12}>
      Endpoints that have a problem are left out. The address in both files is that of this console.
    </Note>
    <PresentOnly what="The files">
      <Group gap={8}>
        <Action
          icon={IconDownload}
          variant="default"
          does={() => window.location.assign(fileAddress(apiInstances.openapi.path, id))}
        >
          OpenAPI document
        </Action>
        <Action
          icon={IconDownload}
          variant="default"
          does={() => window.location.assign(fileAddress(apiInstances.client.path, id))}
        >
          TypeScript client
        </Action>
      </Group>
    </PresentOnly>
  </Section>
);

const Standalone = ({ id }: { id: string }) => (
  <Section title="Without this console" mt={24} maw={640}>
    <Note mb={12}>
      A folder that serves this API as it is now: <Mono>node server.js</Mono>, or the container image that its
      Dockerfile builds. It has no secret: token and database come from the environment.
    </Note>
    <PresentOnly what="The folder">
      <Action
        icon={IconDownload}
        variant="default"
        does={() => window.location.assign(fileAddress(apiInstances.standalone.path, id))}
      >
        Folder with the server
      </Action>
    </PresentOnly>
  </Section>
);

export const NotFound = ({ says, base }: { says: string; base: string }) => (
  <EmptyState
    page
    icon={IconPlugConnectedX}
    title={says}
    action={<Link to={base}>Back to the instances</Link>}
  />
);

const SignIn = ({ id, base }: { id: string; base: string }) => (
  <RecordArea
    noun={oauthParam}
    base={`${base}/${id}/detail/${below.oauthParam}`}
    parents={{ apiInstance: id }}
    icon={IconKey}
    empty="Services with which users of the API sign in will appear here: google, zoho, microsoft, github, apple, swissid."
    consequences="Users can no longer sign in with it. You can undo this, with a new secret."
    question="Are you sure you would like to delete this item?"
    cells={oauthCells}
  />
);

/** The history knows endpoints by their place in the instance. */
const ToEndpoint = ({ base, instance }: { base: string; instance: string }) => {
  const { endpoint = '' } = useParams();
  return <Navigate to={endpointPath(base, instance, endpoint)} replace />;
};

const Endpoints = ({ view, base }: { view: InstanceView; base: string }) => (
  <AreaRoutes>
    <Route index element={<EndpointsTab view={view} base={base} />} />
    <Route path=":endpoint/detail" element={<ToEndpoint base={base} instance={view.id} />} />
  </AreaRoutes>
);

export const InstancePage = ({ base, product }: { base: string; product: string }) => {
  const { id = '' } = useParams();
  const { data, error } = useAnswer(callsOf(apiInstance).detail, { id });
  const sendRemoval = useInstanceRemoval(product);
  const isElsewhere = data !== undefined && data.product !== product;
  if (isElsewhere || (error?.status === 404 && !data)) return <NotFound says="uuid not found" base={base} />;
  const tabs = ({ view }: { view: View }) => {
    const instance = view as unknown as InstanceView;
    return [
      {
        id: below.endpoint,
        label: 'Endpoints',
        area: true as const,
        content: () => <Endpoints view={instance} base={base} />,
      },
      { id: 'servers', label: 'Servers', content: () => <ServersTab view={instance} /> },
      {
        id: below.oauthParam,
        label: 'Sign-in services',
        area: true as const,
        content: () => <SignIn id={view.id} base={base} />,
      },
      { id: 'users', label: 'Users', content: () => <UsersTab view={instance} /> },
      { id: 'changes', label: 'Changes', content: () => <ChangesTab view={instance} /> },
      { id: 'traffic', label: 'Traffic', content: () => <TrafficTab view={instance} base={base} /> },
    ];
  };
  return (
    <RecordPage
      noun={apiInstance}
      base={base}
      parents={{ product }}
      question={DELETE_INSTANCE}
      consequences="Its endpoints go with it. You can undo that, but the users are deleted from the product's database for good."
      sendRemoval={sendRemoval}
      cells={cells}
      badge={(view) => <EnvBadge id={view['env'] as number} />}
      facts={(view) => [
        { label: 'Title', value: String(view['title']) },
        { label: 'Address', value: <CopyText value={addressOf(view.id)} /> },
        { label: 'Port of its own', value: <OwnPort view={view as unknown as InstanceView} /> },
      ]}
      summary={(view) => (
        <>
          <Documents id={view.id} />
          <Standalone id={view.id} />
          <Token id={view.id} />
        </>
      )}
      tabs={tabs}
    />
  );
};
