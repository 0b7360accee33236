import { servers } from '@quarterdeck/contract';
import { serverInsert } from '@quarterdeck/events/inputs';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { keyFields } from '../../ui/form/key-fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { newServer, serverFields } from './server-fields';

export const ServerAddPage = () => {
  const navigate = useNavigate();
  const [add] = useChange(servers.insert);
  const fields = useMemo(() => [...serverFields, ...keyFields()], []);
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
        submitLabel="Add server"
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
