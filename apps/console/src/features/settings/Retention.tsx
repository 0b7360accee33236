/** How long the output of runs and e-mails are kept. */
import { workspaces } from '@quarterdeck/contract';
import { retentionSettings } from '@quarterdeck/events/inputs';
import { DEFAULT_EMAIL_DAYS, type WorkspaceView } from '@quarterdeck/projections';
import { confirmAction } from '../../ui/confirm';
import { count } from '../../ui/count';
import type { Field } from '../../ui/ResourceForm';
import { useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';

const fields: readonly Field[] = [
  {
    name: 'runOutputDays',
    label: 'Days for the output of runs',
    type: 'number',
    optional: true,
    help: 'How many days after a run its output is removed. At most 3650. If empty, output is kept.',
  },
  {
    name: 'emailDays',
    label: 'Days for e-mails',
    type: 'number',
    optional: true,
    placeholder: String(DEFAULT_EMAIL_DAYS),
    help: `How many days after an e-mail came in it is removed. At most 3650. If empty, ${DEFAULT_EMAIL_DAYS}.`,
  },
];

export const Retention = ({ workspace }: { workspace: WorkspaceView }) => {
  const { runOutputDays, emailDays = DEFAULT_EMAIL_DAYS } = workspace.retention;
  const [configure] = useChange(workspaces.retention);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="retention"
      title="Retention"
      name="retention"
      note="The output of runs takes space, and e-mails are personal data. When the output is removed, the run stays with its steps, and with the size and SHA-256 of their output. Of an e-mail, only its size and SHA-256 stay."
      facts={[
        [
          'Output of runs removed',
          runOutputDays === undefined ? 'Never' : `${count(runOutputDays, 'day')} after the end of a run`,
        ],
        ['E-mails removed', `${count(emailDays, 'day')} after they came in`],
      ]}
      schema={retentionSettings}
      fields={fields}
      save={async (retention, revision, inForce) => {
        const { runOutputDays: days } = retention;
        const { runOutputDays: before } = inForce as WorkspaceView['retention'];
        const takesMore = days !== undefined && (before === undefined || days < before);
        if (takesMore && !(await isSure(days))) return false;
        const { emailDays: mailDays = DEFAULT_EMAIL_DAYS } = retention;
        const { emailDays: mailDaysBefore = DEFAULT_EMAIL_DAYS } = inForce as WorkspaceView['retention'];
        if (mailDays < mailDaysBefore && !(await isSureOfMails(mailDays))) return false;
        return configure({ ...retention, revision }).unwrap();
      }}
      saved="The retention was saved."
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

const isSureOfMails = (days: number): Promise<boolean> =>
  confirmAction({
    title: 'Remove old e-mails?',
    body: `Within the hour, e-mails that came in more than ${count(days, 'day')} ago are deleted for good; later ones follow day by day.`,
    confirmLabel: 'Remove e-mails',
    danger: true,
  });
