/** Edits the other names of a site. */
import { domains } from '@quarterdeck/contract';
import { siteNamesEdit } from '@quarterdeck/events/inputs';
import type { DomainView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { useEditBase } from '../../ui/EditInPlace';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';

const does = [
  { value: 'redirects', label: 'Redirects to the main name' },
  { value: 'serves', label: 'Is served alike' },
] as const;

const fields: readonly Field[] = [
  {
    name: 'names',
    label: 'Other names',
    type: 'list',
    row: 'Name',
    help: 'Names of the same site, such as www.shop.example. DNS has to lead each of them to this server.',
    fields: [
      { name: 'name', label: 'Name', type: 'text', mono: true, half: true, placeholder: 'www.shop.example' },
      { name: 'does', label: 'What it does', type: 'select', options: does, half: true },
    ],
  },
];

const same = (a: DomainView, b: DomainView): boolean =>
  JSON.stringify(a.names) === JSON.stringify(b.names) && a.serverName === b.serverName;

const asFormHolds = (error: ApiError): ApiError => {
  const current = error.current as DomainView | undefined;
  return current?.revision === undefined
    ? error
    : { ...error, current: { names: current.names ?? [], revision: current.revision } };
};

export const NamesForm = ({ domain, onDone }: { domain: DomainView; onDone: () => void }) => {
  const [change] = useChange(domains.names);
  const { opened, revision, touch } = useEditBase(domain, same);
  const initial = useMemo(() => ({ names: opened.names ?? [] }), [opened]);
  return (
    <ResourceForm
      label="Edit other names"
      schema={siteNamesEdit}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async ({ names }, { current }) => {
        try {
          await change({ id: domain.id, names, revision: revision(current) }).unwrap();
        } catch (thrown) {
          throw asFormHolds(toApiError(thrown));
        }
        toast.success('The names were saved. Apply the configuration to make them live.');
        onDone();
      }}
    />
  );
};
