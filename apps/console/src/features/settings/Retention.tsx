/** How long what runs printed is kept. */
import { workspaces } from '@quarterdeck/contract';
import { retentionSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { confirmAction } from '../../ui/confirm';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useChange } from '../../core/calls';

const fields: readonly Field[] = [
  {
    name: 'runOutputDays',
    label: 'Days',
    type: 'number',
    optional: true,
    help: 'How many days after a run its output is removed. At most 3650. If empty, output is kept.',
  },
];

const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

export const Retention = ({ workspace }: { workspace: WorkspaceView }) => {
  const { runOutputDays } = workspace.retention;
  return (
    <EditInPlace
      title="Output of runs"
      name="retention"
      note="The output of runs takes space. When it is removed, the run stays with its steps, and with the size and SHA-256 of their output."
      view={
        <Facts
          label="Output of runs"
          facts={[
            [
              'Removed',
              runOutputDays === undefined ? 'Never' : `${inDays(runOutputDays)} after the end of a run`,
            ],
          ]}
        />
      }
      form={(done) => <RetentionForm workspace={workspace} onDone={done} />}
    />
  );
};

const same = ({ retention: a }: WorkspaceView, { retention: b }: WorkspaceView): boolean =>
  a.runOutputDays === b.runOutputDays;

const RetentionForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone: () => void }) => {
  const [configure] = useChange(workspaces.retention);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Output of runs"
      schema={retentionSettings}
      fields={fields}
      initial={opened.retention}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (retention, { current }) => {
        const { runOutputDays: days } = retention;
        // After a conflict, what is in force is what somebody else made it.
        const { runOutputDays: before } = (current ?? opened.retention) as WorkspaceView['retention'];
        const takesMore = days !== undefined && (before === undefined || days < before);
        if (takesMore && !(await isSure(days))) return false;
        await configure({ ...retention, revision: revision(current) }).unwrap();
        toast.success('The retention of output was saved.');
        onDone();
      }}
    />
  );
};

const isSure = (days: number): Promise<boolean> =>
  confirmAction({
    title: 'Remove the output of old runs?',
    body: `Within the hour, the output of runs that ended more than ${inDays(days)} ago is deleted for good; later output follows day by day. Steps, sizes and SHA-256 stay.`,
    confirmLabel: 'Remove output',
    danger: true,
  });
