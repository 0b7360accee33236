/** Settings form for the pace, threshold and schedule of the workspace's SSL monitor. */
import { workspaces } from '@quarterdeck/contract';
import { sslMonitorSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { pauseInWords } from './monitor-words';

type Settings = WorkspaceView['sslMonitor'];

const fields: readonly Field[] = [
  {
    name: 'checkPauseMs',
    label: 'Milliseconds between checks',
    type: 'number',
    half: true,
    help: 'From the start of one check to the start of the next. At most 60,000.',
  },
  {
    name: 'renewPauseMs',
    label: 'Milliseconds between renewals',
    type: 'number',
    half: true,
    help: 'Renewals run one after another. At most 600,000.',
  },
  {
    name: 'concurrency',
    label: 'Concurrency',
    type: 'number',
    half: true,
    help: 'How many domains are checked in parallel. At most 100.',
  },
  {
    name: 'expiringDays',
    label: 'Expiring below (days)',
    type: 'number',
    half: true,
    help: 'Certificates with fewer days left count as expiring. If one lives for less than 90 days, the same part of its lifetime counts.',
  },
  {
    name: 'schedule',
    label: 'Schedule',
    type: 'text',
    optional: true,
    mono: true,
    placeholder: '17 3 * * *',
    help: 'Five crontab fields in UTC: minute, hour, day of month, month, day of week. If empty, it runs only when started by hand.',
  },
  {
    name: 'onlyExpired',
    label: 'Renew only expired certificates',
    type: 'checkbox',
    help: 'Otherwise certificates are renewed when a third of their lifetime is left, or earlier if the authority suggests it.',
  },
];

/** The settings form inside the monitor panel. */
export const MonitorSettings = () => (
  <DataView query={useAnswer(workspaces.detail)} what="Settings">
    {(workspace) => <SettingsForm workspace={workspace} />}
  </DataView>
);

const factsOf = ({ schedule, ...settings }: Settings): readonly (readonly [string, ReactNode])[] => [
  ['Checks', `${pauseInWords(settings.checkPauseMs)} apart, ${settings.concurrency} at once`],
  [
    'Renewals',
    `${pauseInWords(settings.renewPauseMs)} apart${settings.onlyExpired ? ', only of expired certificates' : ''}`,
  ],
  ['Expiring', `below ${settings.expiringDays} days`],
  [
    'Schedule',
    schedule === undefined ? (
      'None: started by hand'
    ) : (
      <>
        <code>{schedule}</code> in UTC
      </>
    ),
  ],
];

/** One section of the workspace settings. */
export const MonitorSettingsSection = ({ workspace }: { workspace: WorkspaceView }) => (
  <EditInPlace
    title="SSL monitor"
    name="ssl-monitor"
    note="How fast certificates are checked and renewed."
    view={<Facts label="SSL monitor" facts={factsOf(workspace.sslMonitor)} />}
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
