/** Importing variables: enter the text, preview the changes, confirm. Nothing is recorded before the preview. */
import { Alert } from '@mantine/core';
import { variables, type Answer } from '@quarterdeck/contract';
import { variableImportForm } from '@quarterdeck/events/inputs';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import type { Field } from '../../ui/form/fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { ImportReview, type ImportRequest } from './ImportReview';
import { envIn, envOptions, inEnv } from './variable-words';

type Preview = Answer<typeof variables.preview>;

/** In bytes; the schema limits the characters. */
const MAX_FILE = 1_000_000;

const fields: readonly Field[] = [
  { name: 'env', label: 'Environment', type: 'select', options: envOptions },
  {
    name: 'content',
    label: 'Content',
    type: 'textarea',
    rows: 12,
    mono: true,
    maxFileBytes: MAX_FILE,
    help: 'The lines of a .env file, or JSON: pairs such as [["KEY","value"]], or texts such as ["KEY=value"].',
  },
  { name: 'removeOthers', label: 'Remove all other variables of this environment', type: 'checkbox' },
];

export const ImportPage = ({ base, service }: { base: string; service: string }) => {
  const navigate = useNavigate();
  const env = envIn(useSearchParams()[0]);
  const [look] = useChange(variables.preview);
  const [asked, setAsked] = useState<ImportRequest>();
  const [preview, setPreview] = useState<Preview>();
  const [initial] = useState({ env, removeOthers: false });
  const [done, setDone] = useState(false);
  const list = inEnv(base, asked?.env ?? env);
  const header = (
    <PageHeader title="Import variables" description={<Link to={list}>Back to the variables</Link>} />
  );
  if (done)
    return (
      <>
        {header}
        <Alert role="status" color="green" variant="light" icon={<IconCheck size={18} aria-hidden />}>
          Env vars were imported successfully.{' '}
          <Link to={paths.history({ category: 'variable', id: service })}>
            The history has the import as one event, which can be undone.
          </Link>
        </Alert>
      </>
    );
  if (asked && preview)
    return (
      <>
        {header}
        <ImportReview
          asked={asked}
          preview={preview}
          onPreview={setPreview}
          onBack={() => setPreview(undefined)}
          onDone={() => setDone(true)}
        />
      </>
    );
  return (
    <>
      {header}
      <ResourceForm
        label="Import variables"
        schema={variableImportForm}
        fields={fields}
        initial={asked ?? initial}
        submitLabel="Preview"
        dirtyGuard={false}
        onCancel={() => void navigate(list)}
        onSubmit={async (given) => {
          const input = { ...given, service: { id: service }, removeOthers: given.removeOthers ?? false };
          setPreview(await look(input).unwrap());
          setAsked(input);
        }}
      />
    </>
  );
};
