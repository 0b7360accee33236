/** Addresses at which the API is meant to be reached. */
import { apiInstances } from '@quarterdeck/contract';
import { apiInfoUpdate } from '@quarterdeck/events/inputs';
import { useChange } from '../../core/calls';
import { EditInPlace } from '../../ui/EditInPlace';
import { List } from '../../ui/List';
import { Mono, Note } from '../../ui/Note';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import type { InstanceView } from './instance-view';

const schema = apiInfoUpdate.shape.data.pick({ servers: true });
const fields: readonly Field[] = [
  {
    name: 'servers',
    label: 'Servers',
    type: 'list',
    row: 'Server',
    fields: [{ name: 'url', label: 'URL', type: 'text', placeholder: 'https://api.example.com' }],
  },
];

export const ServersTab = ({ view: { id, servers } }: { view: InstanceView }) => {
  const [update] = useChange(apiInstances.updateInfo);
  const shown =
    servers.length === 0 ? (
      <Note>No extra servers</Note>
    ) : (
      <List aria-label="Servers">
        {servers.map(({ url }) => (
          <li key={url}>
            <Mono>{url}</Mono>
          </li>
        ))}
      </List>
    );
  return (
    <EditInPlace
      title="Servers"
      note="Listed in the description of the API, besides the address of this console."
      view={shown}
      form={(done) => (
        <ResourceForm
          label="Servers"
          schema={schema}
          fields={fields}
          initial={{ servers: servers.map((one) => ({ ...one })) }}
          submitLabel="Save servers"
          onCancel={done}
          onSubmit={async ({ servers: all = [] }) => {
            await update({ uuid: id, data: { servers: all } }).unwrap();
            toast.success('The servers were saved.');
            done();
          }}
        />
      )}
    />
  );
};
