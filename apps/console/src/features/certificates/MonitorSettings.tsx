/** Pace, labels and schedule of the SSL monitor, for everybody in the workspace. */
import { workspaces } from '@quarterdeck/contract';
import { sslMonitorSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useAnswer, useChange } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { settingsInWords } from './monitor-words';

type Settings = WorkspaceView['sslMonitor'];

const fields: readonly Field[] = [
  {
    name: 'checkPauseMs',
    label: 'Milliseconds between checks',
    type: 'number',
    half: true,
    help: 'From the start of one check to the start of the next, up to 60,000.',
  },
  {
    name: 'renewPauseMs',
    label: 'Milliseconds between renewals',
    type: 'number',
    half: true,
    help: 'Up to 600,000. Renewals are made one after the other.',
  },
  {
    name: 'concurrency',
    label: 'Checked at once',
    type: 'number',
    half: true,
    help: 'Up to 100 domains. Slow hosts then do not hold up the others.',
  },
  {
    name: 'expiringDays',
    label: 'Expiring below days',
    type: 'number',
    half: true,
    help: 'Certificates with fewer days left count as expiring.',
  },
  {
    name: 'schedule',
    label: 'Schedule',
    type: 'text',
    optional: true,
    mono: true,
    placeholder: '17 3 * * *',
    help: 'Five fields as in crontab, in UTC: minute, hour, day of the month, month, day of the week. Empty: it runs only when somebody starts it.',
  },
  {
    name: 'onlyExpired',
    label: 'Renew only what has expired',
    type: 'checkbox',
    help: 'Otherwise a certificate is renewed when a third of its lifetime is left, or earlier when its authority suggests so.',
  },
];

/** The settings in a line; nothing until they are known. */
export const SettingsInForce = () => {
  const { data } = useAnswer(workspaces.detail);
  return data ? <>{settingsInWords(data.sslMonitor)}</> : null;
};

/** Where the panel keeps them. */
export const MonitorSettings = () => (
  <DataView query={useAnswer(workspaces.detail)} what="Settings">
    {(workspace) => <SettingsForm workspace={workspace} />}
  </DataView>
);

/** Among the other settings of the workspace. */
export const MonitorSettingsSection = ({ workspace }: { workspace: WorkspaceView }) => (
  <EditInPlace
    title="SSL monitor"
    name="ssl-monitor"
    note="Certificates are checked at a pace that spares the hosts, and renewed at one that the certificate authority allows."
    view={
      <p>
        In force: {settingsInWords(workspace.sslMonitor)},{' '}
        {workspace.sslMonitor.schedule === undefined ? (
          'run when somebody starts it.'
        ) : (
          <>
            run at <code>{workspace.sslMonitor.schedule}</code> in UTC.
          </>
        )}
      </p>
    }
    form={(done) => <SettingsForm workspace={workspace} onDone={done} />}
  />
);

const same = (a: WorkspaceView, b: WorkspaceView): boolean =>
  fields.every(({ name }) => a.sslMonitor[name as keyof Settings] === b.sslMonitor[name as keyof Settings]);

const SettingsForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone?: () => void }) => {
  const [configure] = useChange(workspaces.sslMonitor);
  const { opened, revision, adopt, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Settings of the SSL monitor"
      schema={sslMonitorSettings}
      fields={fields}
      initial={opened.sslMonitor}
      submitLabel="Save"
      {...(onDone && { onCancel: onDone })}
      onTouched={touch}
      onSubmit={async ({ onlyExpired, ...others }, { current }) => {
        const settings = { ...others, ...(onlyExpired && { onlyExpired }) };
        await configure({ ...settings, revision: revision(current) }).unwrap();
        adopt({ ...workspace, sslMonitor: settings });
        toast.success('The settings of the SSL monitor were saved.');
        onDone?.();
      }}
    />
  );
};
