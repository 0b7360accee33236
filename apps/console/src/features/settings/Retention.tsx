/** How long the output of runs is kept. */
import { workspaces } from '@quarterdeck/contract';
import { retentionSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { confirmAction } from '../../ui/confirm';
import { count } from '../../ui/count';
import type { Field } from '../../ui/ResourceForm';
import { useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';

const fields: readonly Field[] = [
  {
    name: 'runOutputDays',
    label: 'Days',
    type: 'number',
    optional: true,
    help: 'How many days after a run its output is removed. At most 3650. If empty, output is kept.',
  },
];

export const Retention = ({ workspace }: { workspace: WorkspaceView }) => {
  const { runOutputDays } = workspace.retention;
  const [configure] = useChange(workspaces.retention);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="retention"
      title="Output of runs"
      name="retention"
      note="The output of runs takes space. When it is removed, the run stays with its steps, and with the size and SHA-256 of their output."
      facts={[
        [
          'Removed',
          runOutputDays === undefined ? 'Never' : `${count(runOutputDays, 'day')} after the end of a run`,
        ],
      ]}
      schema={retentionSettings}
      fields={fields}
      save={async (retention, revision, inForce) => {
        const { runOutputDays: days } = retention;
        const { runOutputDays: before } = inForce as WorkspaceView['retention'];
        const takesMore = days !== undefined && (before === undefined || days < before);
        if (takesMore && !(await isSure(days))) return false;
        return configure({ ...retention, revision }).unwrap();
      }}
      saved="The retention of output was saved."
    />
  );
};

const isSure = (days: number): Promise<boolean> =>
  confirmAction({
    title: 'Remove the output of old runs?',
    body: `Within the hour, the output of runs that ended more than ${count(days, 'day')} ago is deleted for good; later output follows day by day. Steps, sizes and SHA-256 stay.`,
    confirmLabel: 'Remove output',
    danger: true,
  });
