/** Cloud hosting: the connection of the account first, then what is in it. */
import { Alert } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Stacked } from '../../ui/Columns';
import { DataView } from '../../ui/DataView';
import { ActionMenu } from '../../ui/DetailPage';
import { PageHeader } from '../../ui/PageHeader';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { AccountFacts } from './AccountFacts';
import { Connect } from './Connect';
import { Databases } from './Databases';
import { Domains } from './Domains';
import { Droplets } from './Droplets';
import { Overview } from './Overview';
import { Returned } from './Returned';

/** When the lists were last read changes without an event. */
const SEEN_MS = 30_000;

type State = Answer<typeof cloud.exists>;

export const CloudPage = () => {
  const [params] = useSearchParams();
  const query = useAnswer(
    cloud.exists,
    {},
    {
      pollingInterval: SEEN_MS,
      skipPollingIfUnfocused: true,
    },
  );
  if (params.has('state')) return <Returned />;
  return (
    <>
      {query.data === undefined && header}
      <DataView query={query} what="Cloud account">
        {(state) => (state.exists ? <Account state={state} /> : <NoAccount state={state} />)}
      </DataView>
    </>
  );
};

const description = (
  <>
    Databases, droplets and domains of your DigitalOcean account.{' '}
    <Link to={paths.servers()}>Back to the servers</Link>
  </>
);

const header = <PageHeader title="Cloud hosting" description={description} />;

const NoAccount = ({ state }: { state: State }) => (
  <>
    {header}
    <Connect state={state} />
  </>
);

const Account = ({ state }: { state: State }) => {
  const { account, problem } = state;
  const { act, busy, failure, dismiss } = useAction();
  const [refresh] = useChange(cloud.refresh);
  const [disconnect] = useChange(cloud.disconnect);
  const readNow = () =>
    act({
      send: () => refresh({}).unwrap(),
      done: (seen) => (seen.problem === undefined ? toast.success('The lists are up to date.') : undefined),
      failed: 'The lists could not be refreshed',
    });
  const remove = () =>
    act({
      ask: {
        title: 'Disconnect DigitalOcean?',
        body: 'The token is removed here, and revoked at DigitalOcean if it came from there. Nothing in the account changes, and servers stay.',
        confirmLabel: 'Disconnect',
        danger: true,
      },
      send: () => disconnect({}).unwrap(),
      done: ({ revoked, reason }) =>
        toast.success(
          revoked
            ? 'Disconnected, and the token was revoked.'
            : `Disconnected. The token is still valid at DigitalOcean: ${reason ?? 'it was not revoked'}`,
        ),
      failed: 'The account could not be disconnected',
    });
  return (
    <>
      <PageHeader
        title="Cloud hosting"
        description={description}
        actions={
          <>
            <Action icon={IconRefresh} variant="default" loading={busy} does={readNow}>
              Refresh
            </Action>
            <ActionMenu
              label="Actions of the account"
              actions={[
                {
                  label: 'Disconnect',
                  icon: <IconPlugConnectedX size={16} />,
                  danger: true,
                  onClick: () => void remove(),
                },
              ]}
            />
          </>
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      {account?.refused !== undefined && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          mb={16}
          title="DigitalOcean no longer accepts the token"
        >
          {account.refused.replace(/\.?$/, '.')} The lists below are as they were last read. DigitalOcean is
          asked again every five minutes. Press Refresh to ask now, or connect the account:
          <Connect state={state} again />
        </Alert>
      )}
      {problem !== undefined && account?.refused === undefined && (
        <Alert color="yellow" variant="light" role="alert" mb={16} title="The lists may be out of date">
          {problem.replace(/\.?$/, '.')} The lists below are as they were last read. They are read again
          automatically. Press Refresh to read them now.
        </Alert>
      )}
      <Stacked gap={24}>
        <AccountFacts state={state} />
        <Databases />
        <Droplets />
        <Domains />
        <Overview />
      </Stacked>
    </>
  );
};
