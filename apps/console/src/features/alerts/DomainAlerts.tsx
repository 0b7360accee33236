/** Shows and edits when alerts are raised for a domain: on the workspace's days, or on its own. */
import { Button } from '@mantine/core';
import { domains, workspaces } from '@quarterdeck/contract';
import { domainAlertSettings } from '@quarterdeck/events/inputs';
import type { DomainView, WorkspaceView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError, type ApiError } from '../../core/http';
import { DataView } from '../../ui/DataView';
import { useEditBase } from '../../ui/EditInPlace';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { thresholdsInWords } from './alert-words';

const inForm = ({ thresholds }: Pick<DomainView, 'thresholds'>) => ({
  whose: thresholds ? 'domain' : 'workspace',
  thresholds: thresholds?.join(', ') ?? '',
});

const fieldsOf = (ofWorkspace: string): readonly Field[] => [
  {
    name: 'whose',
    label: 'Thresholds',
    type: 'select',
    options: [
      { value: 'workspace', label: `of the workspace: ${ofWorkspace}` },
      { value: 'domain', label: 'of its own' },
    ],
  },
  {
    name: 'thresholds',
    label: 'Days before expiry',
    type: 'text',
    optional: true,
    placeholder: '21, 14, 7',
    help: 'An alert is raised this many days before the certificate expires, and on expiry; for one that lives for less than 90 days, at the same part of its lifetime. If empty, no alerts are raised for this domain.',
    when: ({ whose }) => whose === 'domain',
  },
];

const sameThresholds = (a: DomainView, b: DomainView): boolean =>
  inForm(a).whose === inForm(b).whose && inForm(a).thresholds === inForm(b).thresholds;

/** On a conflict, converts the current domain to the form's own shape. */
const asThrown = (refused: unknown): ApiError => {
  const error = toApiError(refused);
  if (error.status !== 409) return error;
  const current = error.current as DomainView;
  return { ...error, current: { ...inForm(current), revision: current.revision } };
};

export const DomainAlerts = ({ domain }: { domain: DomainView }) => (
  <DataView query={useAnswer(workspaces.detail)} what="Thresholds">
    {({ alerts }) => <Thresholds domain={domain} ofWorkspace={alerts} />}
  </DataView>
);

interface ThresholdsProps {
  domain: DomainView;
  ofWorkspace: WorkspaceView['alerts'];
}

const Thresholds = ({ domain, ofWorkspace }: ThresholdsProps) => {
  const [editing, setEditing] = useState(false);
  const { thresholds, webhook } = ofWorkspace;
  return (
    <>
      <p role="status">
        {domain.thresholds ? 'Of its own: ' : 'As in the workspace: '}
        {thresholdsInWords(domain.thresholds ?? thresholds)}
        {webhook ? ', in the console and to the webhook' : ', in the console only'}.
      </p>
      {editing ? (
        <EditForm domain={domain} ofWorkspace={ofWorkspace} onDone={() => setEditing(false)} />
      ) : (
        <DisabledInPast>
          <Button variant="default" onClick={() => setEditing(true)}>
            Change
          </Button>
        </DisabledInPast>
      )}
    </>
  );
};

const EditForm = ({ domain, ofWorkspace, onDone }: ThresholdsProps & { onDone: () => void }) => {
  const [configure] = useChange(domains.alerts);
  const { opened, revision, touch } = useEditBase(domain, sameThresholds);
  const fields = useMemo(() => fieldsOf(thresholdsInWords(ofWorkspace.thresholds)), [ofWorkspace.thresholds]);
  const initial = useMemo(() => inForm(opened), [opened]);
  return (
    <ResourceForm
      label={`Alerts of ${domain.serverName}`}
      schema={domainAlertSettings}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async ({ whose, thresholds = [] }, { current }) => {
        try {
          await configure({
            id: domain.id,
            thresholds: whose === 'domain' ? thresholds : null,
            revision: revision(current),
          }).unwrap();
        } catch (refused) {
          throw asThrown(refused);
        }
        toast.success(`The alerts of ${domain.serverName} were saved.`);
        onDone();
      }}
    />
  );
};
