/** Edits a domain's name and server. */
import { domains } from '@quarterdeck/contract';
import type { DomainView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useEditBase } from '../../ui/EditInPlace';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { domainFields, domainForm, leaveField, valuesOf, withFormValues } from './domain-fields';

/** Compares only what the form edits: adding a location also makes a new revision, but is no conflict. */
const sameFields = (a: DomainView, b: DomainView): boolean =>
  a.serverName === b.serverName && a.server.id === b.server.id;

export const DomainForm = ({ domain, onDone }: { domain: DomainView; onDone: () => void }) => {
  const [update] = useChange(domains.update);
  const { opened, revision, touch } = useEditBase(domain, sameFields);
  const initial = useMemo(() => ({ ...valuesOf(opened), leave: false }), [opened]);
  const fields = useMemo(() => [...domainFields, leaveField(opened)], [opened]);
  return (
    <ResourceForm
      label="Edit domain"
      schema={domainForm}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        try {
          await update({ filters: { id: domain.id }, data, revision: revision(current) }).unwrap();
        } catch (thrown) {
          throw withFormValues(toApiError(thrown));
        }
        toast.success(`${data.serverName} was saved.`);
        onDone();
      }}
    />
  );
};
