/** Importing variables: enter the text, preview the changes, confirm. Nothing is recorded before the preview. */
import { Alert, Button, Checkbox, Group } from '@mantine/core';
import { variables, type Answer } from '@quarterdeck/contract';
import { variableImportForm } from '@quarterdeck/events/inputs';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { ActionFailure, type Failed } from '../../records/runs';
import type { Field } from '../../ui/form/fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { envIn, envName, envOptions, inEnv } from './variable-words';
import styles from './variables.module.css';

type Preview = Answer<typeof variables.preview>;

interface Asked {
  service: { id: string };
  env: number;
  content: string;
  removeOthers: boolean;
}

const fields: readonly Field[] = [
  { name: 'env', label: 'Environment', type: 'select', options: envOptions },
  {
    ...{ name: 'content', label: 'Content', type: 'textarea', rows: 12, mono: true },
    help: 'The lines of a .env file, or JSON: pairs such as [["KEY","value"]], or texts such as ["KEY=value"].',
  },
  {
    ...{ name: 'removeOthers', label: 'Remove all other variables of this environment', type: 'checkbox' },
  },
];

export const ImportPage = ({ base, service }: { base: string; service: string }) => {
  const navigate = useNavigate();
  const env = envIn(useSearchParams()[0]);
  const [look] = useChange(variables.preview);
  const [asked, setAsked] = useState<Asked>();
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
        <Review
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

interface ReviewProps {
  asked: Asked;
  preview: Preview;
  onPreview: (preview: Preview) => void;
  onBack: () => void;
  onDone: () => void;
}

const Review = ({ asked, preview, onPreview, onBack, onDone }: ReviewProps) => {
  const [look, { isLoading: isLooking }] = useChange(variables.preview);
  const [send, { isLoading }] = useChange(variables.import);
  const [failure, setFailure] = useState<Failed>();
  // Names to store as secrets, as the last preview reports them.
  const [secrets, setSecrets] = useState(() => secretsIn(preview));
  const { added, changed, removed, unchanged } = preview;
  const count = added.length + changed.length + removed.length;
  const choose = async (key: string, isSecret: boolean): Promise<void> => {
    const next = isSecret ? [...secrets, key] : secrets.filter((one) => one !== key);
    const { data, error } = await look({ ...asked, secrets: next });
    if (error) return setFailure({ what: 'There is no preview', error: toApiError(error) });
    setSecrets(secretsIn(data));
    onPreview(data);
  };
  const carryOut = async (): Promise<void> => {
    const { error } = await send({ ...asked, secrets, seen: preview.seen });
    if (!error) return onDone();
    const refused = toApiError(error);
    if (refused.status === 409 && refused.current) onPreview(refused.current as Preview);
    setFailure({ what: 'Nothing was imported', error: refused });
  };
  const mark = ({ key, secret }: { key: string; secret: boolean }) => (
    <Checkbox
      size="xs"
      label="Secret"
      aria-label={`${key} is secret`}
      checked={secret}
      disabled={isLooking}
      onChange={(event) => void choose(key, event.currentTarget.checked)}
    />
  );
  return (
    <section className={styles.review} aria-label="Preview">
      <ActionFailure failure={failure} onClose={() => setFailure(undefined)} />
      <p>
        {count === 0
          ? `Nothing would change in ${envName(asked.env)}.`
          : `The import would change ${envName(asked.env)} as follows. Nothing has been recorded yet.`}
        {unchanged > 0 && ` ${unchanged} stay as they are.`}
      </p>
      <Part title="Added" keys={added} mark={mark} />
      <Part title="Changed" keys={changed} mark={mark} />
      <Part title="Removed" keys={removed} />
      <Group gap="xs">
        <Button
          loading={isLoading}
          disabled={count === 0 || isLooking}
          title={count === 0 ? 'Nothing would change' : undefined}
          onClick={() => void carryOut()}
        >
          Import
        </Button>
        <Button variant="default" onClick={onBack}>
          Back to the text
        </Button>
      </Group>
    </section>
  );
};

const secretsIn = ({ added, changed }: Preview): string[] =>
  [...added, ...changed].flatMap(({ key, secret }) => (secret ? [key] : []));

interface PartProps {
  title: string;
  keys: Preview['added'];
  mark?: (line: Preview['added'][number]) => React.ReactNode;
}

const Part = ({ title, keys, mark }: PartProps) =>
  keys.length > 0 && (
    <section aria-label={title}>
      <h3>
        {title}: {keys.length}
      </h3>
      <ul className={styles.keys}>
        {keys.map((line) => (
          <li key={line.key}>
            <code>{line.key}</code> {mark?.(line)}
          </li>
        ))}
      </ul>
    </section>
  );
