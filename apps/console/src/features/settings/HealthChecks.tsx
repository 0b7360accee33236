/** How often servers are asked, and when one counts as unreachable. */
import { workspaces } from '@quarterdeck/contract';
import { healthChecks } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useChange } from '../../core/calls';

const fields: readonly Field[] = [
  {
    name: 'everySeconds',
    label: 'Seconds between two checks',
    type: 'number',
    help: 'From 5 to 3600. Every server is checked at this interval.',
  },
  {
    name: 'failures',
    label: 'Failed checks',
    type: 'number',
    half: true,
    help: 'How many checks have to fail before a server counts as unreachable.',
  },
  {
    name: 'outOf',
    label: 'Of the last',
    type: 'number',
    half: true,
    help: 'How many of the latest checks are considered. At most 20.',
  },
];

export const HealthChecks = ({ workspace }: { workspace: WorkspaceView }) => {
  const { everySeconds, failures, outOf } = workspace.healthChecks;
  return (
    <EditInPlace
      title="Health checks"
      name="health-checks"
      note="Each server is checked at intervals for load, memory, disk, Docker and nginx. One failed check may be a network glitch; one successful check makes a server reachable again."
      view={
        <Facts
          label="Health checks"
          facts={[
            ['Interval', `${everySeconds} s`],
            ['Unreachable', `after ${failures} of the last ${outOf} checks failed`],
          ]}
        />
      }
      form={(done) => <HealthChecksForm workspace={workspace} onDone={done} />}
    />
  );
};

const same = ({ healthChecks: a }: WorkspaceView, { healthChecks: b }: WorkspaceView): boolean =>
  a.everySeconds === b.everySeconds && a.failures === b.failures && a.outOf === b.outOf;

const HealthChecksForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone: () => void }) => {
  const [configure] = useChange(workspaces.healthChecks);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Health checks"
      schema={healthChecks}
      fields={fields}
      initial={opened.healthChecks}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (rule, { current }) => {
        await configure({ ...rule, revision: revision(current) }).unwrap();
        toast.success('The health checks were saved.');
        onDone();
      }}
    />
  );
};
