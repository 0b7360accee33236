/** How long what runs printed is kept. */
import { workspaces } from '@quarterdeck/contract';
import { retentionSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { confirmAction } from '../../ui/confirm';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useChange } from '../../core/calls';

const fields: readonly Field[] = [
  {
    name: 'runOutputDays',
    label: 'Days',
    type: 'number',
    optional: true,
    help: 'So long after its end the output of a run is removed, up to 3650. Empty: it stays.',
  },
];

const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

export const Retention = ({ workspace }: { workspace: WorkspaceView }) => {
  const { runOutputDays } = workspace.retention;
  return (
    <EditInPlace
      title="Output of runs"
      name="retention"
      note="What runs print takes space. When it is removed, the run stays with its steps, and with the size and SHA-256 of what each of them printed."
      view={
        <p>
          In force:{' '}
          {runOutputDays === undefined
            ? 'all of it is kept.'
            : `removed ${inDays(runOutputDays)} after the end of a run.`}
        </p>
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
        toast.success('How long output is kept was saved.');
        onDone();
      }}
    />
  );
};

const isSure = (days: number): Promise<boolean> =>
  confirmAction({
    title: 'Remove the output of old runs?',
    body: `Within the hour, what runs printed that ended more than ${inDays(days)} ago is gone for good, and from then on day by day. Their steps, sizes and SHA-256 stay.`,
    confirmLabel: 'Remove output',
    danger: true,
  });
