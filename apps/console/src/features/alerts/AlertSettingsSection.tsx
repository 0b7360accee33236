/** Workspace settings for alerts: when they are raised, and where they are sent. */
import { Alert, Box } from '@mantine/core';
import { workspaces, type Sent } from '@quarterdeck/contract';
import { alertSettings, shownAddress } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { useChange } from '../../core/calls';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { conflictInForm } from '../../ui/form/conflict';
import { valueAt } from '../../ui/form/values';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { thresholdsInWords } from './alert-words';
import look from '../../ui/look.module.css';

type Settings = WorkspaceView['alerts'];

/** The settings in the form's own shape. */
const inForm = ({ thresholds, webhook }: Settings) => ({
  thresholds: thresholds.join(', '),
  webhook: { url: webhook?.url ?? '' },
});

const fieldsOf = ({ webhook }: Settings): readonly Field[] => [
  {
    name: 'thresholds',
    label: 'Days before expiry',
    type: 'text',
    optional: true,
    placeholder: '21, 14, 7',
    help: 'An alert is raised this many days before a certificate expires, and on expiry; for one that lives for less than 90 days, at the same part of its lifetime. If empty, no alerts are raised. A domain can have its own days.',
  },
  {
    name: 'webhook.url',
    label: 'Webhook',
    type: 'text',
    optional: true,
    mono: true,
    placeholder: 'https://hooks.example.org/console',
    help: 'Alerts are sent here as JSON with POST, and retried for about a day until the answer has a status of 200 to 299. Only the host and the first part of the path are shown later.',
  },
  {
    name: 'webhook.secret',
    label: 'Secret',
    type: 'secret',
    optional: true,
    help: webhook
      ? 'Signs the deliveries. Leave empty to keep the current one.'
      : 'Signs the deliveries. If empty, one is generated and shown once.',
    ...(webhook ? { stored: { fingerprint: webhook.secret.fingerprint } } : {}),
    when: (draft) => valueAt(draft, 'webhook.url') !== '',
  },
];

interface Base {
  form: ReturnType<typeof inForm>;
  revision: number;
}

const same = ({ form: a }: Base, { form: b }: Base): boolean =>
  a.thresholds === b.thresholds && a.webhook.url === b.webhook.url;

/** One section of the workspace settings. */
export const AlertSettingsInPlace = ({ workspace }: { workspace: WorkspaceView }) => (
  <EditInPlace
    title="Alerts"
    name="alerts"
    note="When certificate alerts are raised, and where they are sent."
    view={
      <Facts
        label="Alerts"
        facts={[
          ['Raised', thresholdsInWords(workspace.alerts.thresholds)],
          ['Webhook', workspace.alerts.webhook?.url ?? 'None: alerts are shown only in the console'],
        ]}
      />
    }
    form={(done) => <AlertSettingsForm workspace={workspace} onDone={done} />}
  />
);

const AlertSettingsForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone: () => void }) => {
  const [configure] = useChange(workspaces.alerts);
  const latest: Base = { form: inForm(workspace.alerts), revision: workspace.revision };
  const { opened, revision, adopt, touch } = useEditBase(latest, same);
  const [secret, setSecret] = useState<string>();
  const fields = useMemo(() => fieldsOf(workspace.alerts), [workspace.alerts]);
  return (
    <>
      {secret !== undefined && <NewSecret secret={secret} />}
      <ResourceForm
        label="Alerts"
        schema={alertSettings}
        fields={fields}
        initial={opened.form}
        submitLabel="Save"
        onCancel={onDone}
        onTouched={touch}
        onSubmit={async (values, { current }) => {
          const { thresholds: days = [], webhook: { url, secret: given } = {} } = values;
          const wanted: Sent<typeof workspaces.alerts> = {
            thresholds: days,
            ...(url && { webhook: { url, ...(given && { secret: given }) } }),
            revision: revision(current),
          };
          let made: string | undefined;
          try {
            made = (await configure(wanted).unwrap()).secret;
            setSecret(made);
          } catch (refused) {
            throw conflictInForm(refused, inForm);
          }
          adopt({
            form: { thresholds: days.join(', '), webhook: { url: url ? shownAddress(url) : '' } },
            revision: workspace.revision,
          });
          toast.success('The alerts were saved.');
          // A generated secret is shown only once, so the form stays open until it has been read.
          if (made === undefined) onDone();
        }}
      />
    </>
  );
};

const NewSecret = ({ secret }: { secret: string }) => (
  <Alert color="yellow" variant="light" role="alert" mb="md" title="The secret of the webhook">
    <Box component="p" className={look.wrap} m="0 0 8px">
      <CopyText value={secret} />
    </Box>
    Copy it now; it won’t be shown again. Every delivery has the header{' '}
    <code>X-Quarterdeck-Signature: t=…,v1=…</code>, where v1 is the HMAC-SHA256 of t, a full stop and the
    body, made with this secret.
  </Alert>
);
