import { cloud, type Answer } from '@quarterdeck/contract';
import { dropletCreate } from '@quarterdeck/events/inputs';
import { useMemo, useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { newRunId } from '../../records/runs';
import { Card } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { imageChoices, notOffered, regionChoices, sizeChoices } from '../../records/cloud-sizes';

interface AddDropletProps {
  onStarted: (run: { runId: string }) => void;
  onCancel: () => void;
}

export const AddDroplet = (props: AddDropletProps) => {
  const query = useAnswer(cloud.dropletOptions);
  return (
    <Card title="Add a new droplet" mb={16}>
      <DataView query={query} what="Sizes and regions">
        {(options) => <DropletFields options={options} {...props} />}
      </DataView>
    </Card>
  );
};

const fieldsOf = (options: Answer<typeof cloud.dropletOptions>): readonly Field[] => [
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    mono: true,
    half: true,
    autoFocus: true,
    placeholder: 'web-1',
  },
  { name: 'region', label: 'Region', type: 'select', half: true, options: regionChoices(options) },
  { name: 'size', label: 'Size', type: 'select', options: sizeChoices(options) },
  { name: 'image', label: 'Image', type: 'select', half: true, options: imageChoices(options) },
  {
    name: 'backups',
    label: 'Backups',
    type: 'checkbox',
    help: 'DigitalOcean makes them weekly, for another 20% of the price.',
  },
];

const DropletFields = ({
  options,
  onStarted,
  onCancel,
}: AddDropletProps & { options: Answer<typeof cloud.dropletOptions> }) => {
  const [create] = useChange(cloud.dropletCreate);
  // Sent again after a lost answer, it is the same run.
  const [runId] = useState(newRunId);
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>({});
  const fields = useMemo(() => fieldsOf(options), [options]);
  const initial = useMemo(() => ({ name: '', ...options.defaults, backups: false }), [options]);
  const problem = notOffered(options, draft);
  return (
    <ResourceForm
      label="Add a new droplet"
      schema={dropletCreate}
      fields={fields}
      initial={initial}
      submitLabel="Create new droplet"
      onDraft={setDraft}
      {...(problem !== undefined && { remarks: { size: problem } })}
      onCancel={onCancel}
      onSubmit={async (values) => onStarted(await create({ ...values, runId }).unwrap())}
    />
  );
};
