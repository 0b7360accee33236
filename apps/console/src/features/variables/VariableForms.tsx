/** Adding and editing one variable. */
import { variables } from '@quarterdeck/contract';
import { looksLikeSecret } from '@quarterdeck/events';
import { variableAdd, variableEdit } from '@quarterdeck/events/inputs';
import type { VariableView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { z } from 'zod';
import { useAnswer, useChange } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { useEditBase } from '../../ui/EditInPlace';
import type { Field } from '../../ui/form/fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { envIn, envOptions, inEnv } from './variable-words';

const variableForm = variableAdd.extend({ plain: z.boolean().optional() });

const textIn = (typed: unknown): string => (typeof typed === 'string' ? typed : '');

const plain: Field = {
  name: 'plain',
  label: 'Keep it in plain text',
  type: 'checkbox',
  help: 'The name or the value looks like a secret, so it is stored as one unless you choose otherwise.',
  when: ({ key, value, secret }) =>
    secret !== true && looksLikeSecret({ key: textIn(key), value: textIn(value) }),
};

const fieldsOf = (before?: VariableView): readonly Field[] => [
  { name: 'key', label: 'Key', type: 'text', mono: true, placeholder: 'LOG_LEVEL', autoFocus: !before },
  before?.secret
    ? {
        name: 'value',
        label: 'Value',
        type: 'secret',
        rows: 3,
        optional: true,
        stored: { fingerprint: before.fingerprint, setAt: before.changedAt },
      }
    : { name: 'value', label: 'Value', type: 'textarea', rows: 3, mono: true, sendsEmpty: true },
  { name: 'env', label: 'Environment', type: 'select', options: envOptions },
  {
    name: 'secret',
    label: 'Secret',
    type: 'checkbox',
    help: 'Stored encrypted and shown on demand only. The value of any other variable stays in the history.',
  },
  ...(before ? [] : [plain]),
];

export const VariableAddPage = ({ base, service }: { base: string; service: string }) => {
  const navigate = useNavigate();
  const env = envIn(useSearchParams()[0]);
  const [add] = useChange(variables.insert);
  const initial = useMemo(() => ({ env, secret: false }), [env]);
  const fields = useMemo(() => fieldsOf(), []);
  const list = inEnv(base, env);
  return (
    <>
      <PageHeader title="Add variable" description={<Link to={list}>Back to the variables</Link>} />
      <ResourceForm
        label="Add variable"
        schema={variableForm}
        fields={fields}
        initial={initial}
        submitLabel="Save variable"
        onCancel={() => void navigate(list)}
        onSubmit={async ({ plain: isPlain, secret, ...data }) => {
          // Without an answer, the name and the value decide.
          const kept = secret ? { secret } : isPlain ? { secret: false } : {};
          await add({ data: { ...data, ...kept }, serviceDeploy: { id: service } }).unwrap();
          toast.success(`${data.key} was saved.`);
          await navigate(inEnv(base, data.env));
        }}
      />
    </>
  );
};

export const VariableEditPage = ({ base }: { base: string }) => {
  const { id = '' } = useParams();
  return (
    <DataView query={useAnswer(variables.detail, { id })} what="Environment variable">
      {(variable) => <Edit key={variable.id} base={base} variable={variable} />}
    </DataView>
  );
};

const same = (a: VariableView, b: VariableView): boolean => a.revision === b.revision;

const Edit = ({ base, variable }: { base: string; variable: VariableView }) => {
  const navigate = useNavigate();
  const [update] = useChange(variables.update);
  const { opened, revision, touch } = useEditBase(variable, same);
  const fields = useMemo(() => fieldsOf(opened), [opened]);
  const initial = useMemo(() => {
    const { key, value, env, secret } = opened;
    return { key, env: env.id, secret, ...(secret ? {} : { value }) };
  }, [opened]);
  const list = inEnv(base, variable.env.id);
  return (
    <>
      <PageHeader title={`Edit ${opened.key}`} description={<Link to={list}>Back to the variables</Link>} />
      <ResourceForm
        label="Edit variable"
        schema={variableEdit}
        fields={fields}
        initial={initial}
        submitLabel="Save"
        onTouched={touch}
        onCancel={() => void navigate(list)}
        onSubmit={async (data, { current }) => {
          await update({ id: variable.id, data, revision: revision(current) }).unwrap();
          toast.success(`${data.key} was saved.`);
          await navigate(inEnv(base, data.env));
        }}
      />
    </>
  );
};
