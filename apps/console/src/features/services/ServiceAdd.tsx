/** Creates a service, with new repositories from the workspace's templates or with existing ones. */
import { Box, Group, Radio } from '@mantine/core';
import { callsOf, serviceRepositories, workspaces } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import { serviceWithClient } from '@quarterdeck/events/inputs';
import { fieldsInput } from '@quarterdeck/events/kit';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { initialOf, useFormFields } from '../../records/kit/forms';
import { newRunId } from '../../records/runs';
import { DataView } from '../../ui/DataView';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { Note } from '../../ui/Note';

type Way = 'both' | 'server' | 'existing' | 'none';

const ways: readonly { value: Way; label: string }[] = [
  { value: 'both', label: 'Both from templates' },
  { value: 'server', label: 'Server from template' },
  { value: 'existing', label: 'Existing repositories' },
  { value: 'none', label: 'Register only' },
];

const created: Record<Exclude<Way, 'none'>, { server: boolean; client: boolean }> = {
  both: { server: true, client: true },
  server: { server: true, client: false },
  existing: { server: false, client: false },
};

const words: Record<Way, string> = {
  both: 'Both repositories are created from the templates of the workspace, and get their names.',
  server: 'The repository is created from the template. A repository of a client part has to exist.',
  none: 'The source-code host is not asked, and no token is needed.',
  existing:
    'The repositories are looked for at the source-code host. Only the data model is added to them, if the service has a database.',
};

const ofClient = new Set(['nameFront', 'repoFront']);
const serviceAlone = fieldsInput(service);

interface ServiceAddProps {
  base: string;
  product: string;
}

export const ServiceAdd = ({ base, product }: ServiceAddProps) => {
  const [way, setWay] = useState<Way>('both');
  const workspace = useAnswer(workspaces.detail);
  return (
    <>
      <PageHeader title="Add service" description={<Link to={base}>Back to the list</Link>} />
      <Box mb={16}>
        <Radio.Group label="Repositories" value={way} onChange={(value) => setWay(value as Way)}>
          <Group gap="md" mt={4}>
            {ways.map((one) => (
              <Radio key={one.value} value={one.value} label={one.label} />
            ))}
          </Group>
        </Radio.Group>
        <Note m="8px 0 0">
          {words[way]}{' '}
          {['both', 'server'].includes(way) && <Link to={paths.settings('repositories')}>Templates</Link>}
        </Note>
      </Box>
      <DataView query={workspace} what="Settings">
        {({ sourceHost }) => (
          <ServiceForm base={base} product={product} way={way} organization={sourceHost.organization ?? ''} />
        )}
      </DataView>
    </>
  );
};

const ServiceForm = ({
  base,
  product,
  way,
  organization,
}: ServiceAddProps & { way: Way; organization: string }) => {
  const navigate = useNavigate();
  const [create] = useChange(serviceRepositories.create);
  const [insert] = useChange(callsOf(service).insert);
  const schema = way === 'both' ? serviceWithClient : serviceAlone;
  const all = useFormFields(service, { product });
  const fields = useMemo(
    () =>
      way === 'both' ? all.map((one) => (ofClient.has(one.name) ? { ...one, optional: false } : one)) : all,
    [all, way],
  );
  const initial = useMemo(() => ({ ...initialOf(service), organization }), [organization]);
  return (
    <ResourceForm
      label="Add service"
      schema={schema}
      fields={fields}
      initial={initial}
      submitLabel={way === 'none' ? 'Save service' : 'Create service'}
      onCancel={() => void navigate(base)}
      onSubmit={async (data) => {
        const asked = { data, product: { id: product } } as never;
        if (way === 'none') {
          const { id } = await insert(asked).unwrap();
          await navigate(`${base}/${id}/detail`);
          return;
        }
        const more = { fromTemplate: created[way], runId: newRunId() };
        const { id } = await create({ ...(asked as object), ...more } as never).unwrap();
        await navigate(`${base}/${id}/detail/creation`);
      }}
    />
  );
};
