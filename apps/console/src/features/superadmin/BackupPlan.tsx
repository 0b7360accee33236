/** The backup plan: schedule, target, retention and the keys that can open the archives. */
import { Box } from '@mantine/core';
import { backups, type Sent } from '@quarterdeck/contract';
import { backupPlanForm } from '@quarterdeck/events/inputs';
import type { BackupsView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useChange } from '../../core/calls';
import { EditInPlace } from '../../ui/EditInPlace';
import type { Draft } from '../../ui/form/values';
import { valueAt } from '../../ui/form/values';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { planInWords } from './backup-words';
import { count } from '../../ui/count';
import { Note } from '../../ui/Note';
import { TargetTrial } from './TargetTrial';

type Plan = BackupsView['plan'];

const isFolder = (draft: Draft): boolean => valueAt(draft, 'target.kind') === 'folder';
const isBucket = (draft: Draft): boolean => !isFolder(draft);

const fieldsOf = ({ target }: Plan): readonly Field[] => [
  {
    name: 'target.kind',
    label: 'Target',
    type: 'select',
    options: [
      { value: 'folder', label: 'Folder' },
      { value: 's3', label: 'S3-compatible storage' },
    ],
  },
  {
    name: 'target.path',
    label: 'Folder',
    type: 'text',
    optional: true,
    mono: true,
    when: isFolder,
    placeholder: '/mnt/backups',
    help: 'On the console’s machine, preferably mounted from another one. If empty, the folder backups in DATA_DIR.',
  },
  {
    name: 'target.endpoint',
    label: 'Endpoint',
    type: 'text',
    mono: true,
    when: isBucket,
    placeholder: 'https://s3.eu-central-1.amazonaws.com',
    help: 'A host in your own network has to be in OUTBOUND_ALLOW.',
  },
  { name: 'target.region', label: 'Region', type: 'text', mono: true, half: true, when: isBucket },
  { name: 'target.bucket', label: 'Bucket', type: 'text', mono: true, half: true, when: isBucket },
  {
    name: 'target.prefix',
    label: 'Prefix',
    type: 'text',
    optional: true,
    mono: true,
    when: isBucket,
    placeholder: 'quarterdeck/',
  },
  {
    name: 'target.pathStyle',
    label: 'Bucket in the path',
    type: 'checkbox',
    when: isBucket,
    help: 'For MinIO and others that do not take the bucket from the host name.',
  },
  { name: 'target.accessKeyId', label: 'Access key ID', type: 'text', mono: true, when: isBucket },
  {
    name: 'target.secretAccessKey',
    label: 'Secret access key',
    type: 'secret',
    when: isBucket,
    // A stored one is kept.
    optional: target.kind === 's3',
    help:
      target.kind === 's3'
        ? 'Leave empty to keep the current value.'
        : 'Kept in the vault and never shown again.',
    ...(target.kind === 's3' ? { stored: { fingerprint: target.secret.fingerprint } } : {}),
  },
  {
    name: 'target.sessionToken',
    label: 'Session token',
    type: 'secret',
    when: isBucket,
    optional: true,
    help: 'Only for keys that expire. A new secret access key replaces it.',
    ...(target.kind === 's3' && target.session
      ? { stored: { fingerprint: target.session.fingerprint } }
      : {}),
  },
  {
    name: 'target.encryption',
    label: 'Encryption by the server',
    type: 'select',
    optional: true,
    half: true,
    when: isBucket,
    options: [
      { value: 'AES256', label: 'With its own key (SSE-S3)' },
      { value: 'aws:kms', label: 'With a key of its key service (SSE-KMS)' },
    ],
    help: 'The archives are encrypted before they leave the console in any case.',
  },
  {
    name: 'target.encryptionKey',
    label: 'Key',
    type: 'text',
    optional: true,
    mono: true,
    when: (draft) => isBucket(draft) && valueAt(draft, 'target.encryption') === 'aws:kms',
    placeholder: 'arn:aws:kms:eu-central-1:111122223333:key/...',
    help: 'If empty, the default key of the account.',
  },
  {
    name: 'target.storageClass',
    label: 'Storage class',
    type: 'text',
    optional: true,
    mono: true,
    half: true,
    when: isBucket,
    placeholder: 'STANDARD_IA',
    help: 'One whose objects can be read at once: a drill reads them every week.',
  },
  {
    name: 'target.ca',
    label: 'Certificate authority',
    type: 'textarea',
    optional: true,
    mono: true,
    rows: 3,
    when: isBucket,
    placeholder: '-----BEGIN CERTIFICATE-----',
    help: 'PEM, if the certificate of the endpoint is from an authority of your own.',
  },
  { name: 'scheduled', label: 'Every day', type: 'checkbox' },
  {
    name: 'schedule.at',
    label: 'Time (UTC)',
    type: 'text',
    mono: true,
    placeholder: '02:30',
    when: (draft) => valueAt(draft, 'scheduled') === true,
  },
  { name: 'keep.days', label: 'Days kept', type: 'number', half: true },
  { name: 'keep.weeks', label: 'Weeks kept', type: 'number', half: true },
  { name: 'keep.months', label: 'Months kept', type: 'number', half: true },
  {
    name: 'recipients',
    label: 'More recipients',
    type: 'textarea',
    optional: true,
    mono: true,
    rows: 3,
    placeholder: 'age1...',
    help: 'Public keys of age identities, one per line, that can open the archives as well as the master key. After a change the next backup is a full one.',
  },
];

const inForm = ({ target, schedule, keep, recipients }: Plan) => ({
  target,
  scheduled: schedule !== null,
  schedule: { at: schedule?.at ?? '02:30' },
  keep,
  recipients: recipients.join('\n'),
});

interface BackupPlanProps {
  view: BackupsView;
  onSaved: () => void;
}

export const BackupPlan = ({ view, onSaved }: BackupPlanProps) => {
  const [configure] = useChange(backups.configure);
  const [tryTarget, trial] = useChange(backups.try);
  const text = JSON.stringify(view.plan);
  // The page polls; an unchanged plan must not update the form.
  const plan = useMemo(() => JSON.parse(text) as Plan, [text]);
  const fields = useMemo(() => fieldsOf(plan), [plan]);
  const initial = useMemo(() => inForm(plan), [plan]);
  return (
    <Box component="section" maw={640}>
      <EditInPlace
        title="Plan"
        name="backup-plan"
        view={
          <>
            <Note maw="80ch" mb={12}>
              {planInWords(view)}
            </Note>
            <Note maw="80ch" mb={12}>
              {plan.recipients.length === 0
                ? 'The master key opens the archives.'
                : `The master key opens the archives, and ${count(plan.recipients.length, 'more recipient')}.`}
            </Note>
            <TargetTrial trial={trial} onTry={() => void tryTarget({})} />
          </>
        }
        form={(done) => (
          <ResourceForm
            label="Plan of the backups"
            schema={backupPlanForm}
            fields={fields}
            initial={initial}
            submitLabel="Save"
            onCancel={done}
            onSubmit={async ({ scheduled, schedule, recipients = '', ...rest }) => {
              const wanted: Sent<typeof backups.configure> = {
                ...rest,
                schedule: scheduled && schedule ? schedule : null,
                recipients: recipients.split(/\s+/).filter((line) => line !== ''),
              };
              await configure(wanted).unwrap();
              onSaved();
              toast.success('The plan was saved.');
              done();
              void tryTarget({});
            }}
          />
        )}
      />
    </Box>
  );
};
