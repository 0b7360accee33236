import { useDebouncedValue } from '@mantine/hooks';
import { servers } from '@quarterdeck/contract';
import { DEFAULT_PORT, serverInsert } from '@quarterdeck/events/inputs';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { keyFields } from '../../ui/form/key-fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { newServer, serverFields } from './server-fields';

const PAUSE_MS = 300;

/** The server that has this address already: a machine may be registered twice, but seldom on purpose. */
const useKnownAt = (host: string, port: number): string | undefined => {
  const [paused] = useDebouncedValue(host, PAUSE_MS);
  const { data } = useAnswer(servers.page, { search: paused, size: 50 }, { skip: paused === '' });
  return data?.rows.find((one) => one.host === host && one.port === port)?.alias;
};

export const ServerAddPage = () => {
  const navigate = useNavigate();
  const [add] = useChange(servers.insert);
  const fields = useMemo(() => [...serverFields, ...keyFields()], []);
  const [{ host, port }, follow] = useState<Record<string, unknown>>({});
  const known = useKnownAt(typeof host === 'string' ? host.trim() : '', Number(port ?? DEFAULT_PORT));
  return (
    <>
      <PageHeader
        title="Add Server"
        description={
          <>
            Any unix-like server works; docker and docker-compose must be installed. Docker can be installed
            later from here. <Link to={paths.servers()}>Back to the list</Link>
          </>
        }
      />
      <ResourceForm
        label="Add Server"
        schema={serverInsert}
        fields={fields}
        initial={newServer}
        submitLabel="Save server"
        remarks={known === undefined ? {} : { host: `${known} has this address already.` }}
        onDraft={follow}
        onCancel={() => void navigate(paths.servers())}
        onSubmit={async (values) => {
          const { id } = await add(values).unwrap();
          toast.success(`${values.alias} was added.`);
          // The server page makes the first contact, so the host key is seen before anything is run.
          await navigate(paths.server(id), { state: { justAdded: true } });
        }}
      />
    </>
  );
};
