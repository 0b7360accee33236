/** Adds a domain. Shows the DNS answer while typing, because only a name that points to the server is accepted. */
import { domains, servers as serverCalls } from '@quarterdeck/contract';
import type { ServerView } from '@quarterdeck/projections';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { serverWithHostChoices } from '../../records/choices';
import { DataView } from '../../ui/DataView';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { domainFields, domainForm } from './domain-fields';
import { Pointing } from './dns/Pointing';
import { Columns } from '../../ui/Columns';

/** A link on a server's page preselects that server. */
const serverIn = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'server' in state && typeof state.server === 'string'
    ? state.server
    : undefined;

export const DomainAddPage = () => {
  const query = useAnswer(serverCalls.page, serverWithHostChoices.first);
  return (
    <>
      <PageHeader
        title="Add domain"
        description={
          <>
            Its DNS address must be the server's host. <Link to={paths.domains()}>Back to the list</Link>
          </>
        }
      />
      <DataView query={query} what="Servers">
        {({ rows }) => <AddForm servers={rows} />}
      </DataView>
    </>
  );
};

const AddForm = ({ servers }: { servers: readonly ServerView[] }) => {
  const navigate = useNavigate();
  const chosen = serverIn(useLocation().state);
  const [add] = useChange(domains.insert);
  const initial = useMemo(() => {
    const only = servers.length === 1 ? servers[0]?.id : undefined;
    return { server: chosen ?? only };
  }, [servers, chosen]);
  const [typed, setTyped] = useState<Record<string, unknown>>({});
  const onDraft = useCallback((values: Record<string, unknown>) => setTyped(values), []);
  const id = typeof typed.server === 'string' ? typed.server : '';
  const near = servers.find((one) => one.id === id);
  const { currentData: far } = useAnswer(
    serverCalls.detail,
    { id },
    { skip: id === '' || near !== undefined },
  );
  const server = near ?? far;
  if (servers.length === 0)
    return (
      <p>
        A domain needs a server. <Link to={paths.serverAdd()}>Add a server</Link> first.
      </p>
    );
  return (
    <Columns>
      <ResourceForm
        label="Add domain"
        schema={domainForm}
        fields={domainFields}
        initial={initial}
        submitLabel="Save domain"
        onDraft={onDraft}
        onCancel={() => void navigate(paths.domains())}
        onSubmit={async (values) => {
          const { id } = await add(values).unwrap();
          toast.success(`${values.serverName} was added.`);
          await navigate(paths.domain(id));
        }}
      />
      <Pointing typed={typeof typed.serverName === 'string' ? typed.serverName : ''} server={server} />
    </Columns>
  );
};
