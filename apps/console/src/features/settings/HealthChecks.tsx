/** How often servers are asked, and when one counts as unreachable. */
import { workspaces } from '@quarterdeck/contract';
import { healthChecks } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useChange } from '../../core/calls';

const fields: readonly Field[] = [
  {
    name: 'everySeconds',
    label: 'Seconds between two checks',
    type: 'number',
    help: 'From 5 to 3600. Every server is checked at this interval, each at a moment of its own.',
  },
  {
    name: 'failures',
    label: 'Failed checks',
    type: 'number',
    half: true,
    help: 'So many have to fail before a server counts as unreachable.',
  },
  {
    name: 'outOf',
    label: 'Of the last',
    type: 'number',
    half: true,
    help: 'So many checks are looked at, at most 20.',
  },
];

export const HealthChecks = ({ workspace }: { workspace: WorkspaceView }) => {
  const { everySeconds, failures, outOf } = workspace.healthChecks;
  return (
    <EditInPlace
      title="Health checks"
      name="health-checks"
      note="Each server is asked at intervals for its load, memory, disk, Docker and nginx. One failed check may be a blink of the network; one that succeeds makes a server reachable again."
      view={
        <p>
          In force: every {everySeconds} s, unreachable after {failures} of the last {outOf} failed.
        </p>
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
