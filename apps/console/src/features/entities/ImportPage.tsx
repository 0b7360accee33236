/** Importing entities and attributes: those of a starter, or of a database that exists. First a preview. */
import { Group, NativeSelect } from '@mantine/core';
import { IconDatabaseImport, IconSearch } from '@tabler/icons-react';
import { callsOf, versions, type Answer } from '@quarterdeck/contract';
import { attribute, database } from '@quarterdeck/events';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import type { ProductAreaProps } from '../../records/kit';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { Disclosure } from '../../ui/Disclosure';
import { ErrorState } from '../../ui/ErrorState';
import { PageHeader } from '../../ui/PageHeader';
import { useAction } from '../../ui/use-action';
import { Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';
import { LeftOut, ModelImport } from './ModelImport';

type Preview = Answer<typeof versions.preview>;

const STARTER = 'starter';
const NOT_IMPORTED = 'Nothing was imported';

export const ImportPage = ({ base, product }: ProductAreaProps) => {
  const query = useAnswer(callsOf(database).list, { product: { id: product } });
  const { data: databases = [] } = query;
  const [chosen, setChosen] = useState(STARTER);
  const [look, looking] = useAsk(versions.preview);
  const [importIt, importing] = useChange(versions.import);
  const [preview, setPreview] = useState<Preview>();
  const [params, setParams] = useSearchParams();
  const { act, failure, dismiss } = useAction();
  const source = {
    product: { id: product },
    ...(chosen === STARTER ? { structure: { id: 1 } } : { database: { id: chosen } }),
  };
  const lookAt = () => {
    setPreview(undefined);
    return act({ send: () => look(source).unwrap(), done: setPreview, failed: NOT_IMPORTED });
  };
  const carryOut = ({ seal }: Preview) =>
    act({
      send: () => importIt({ ...source, seal }).unwrap(),
      done: ({ runId }) => setParams({ run: runId }),
      failed: NOT_IMPORTED,
    });
  const header = <PageHeader title="Import entities" description={<Link to={base}>Back to the list</Link>} />;
  const run = params.get('run');
  if (run !== null)
    return (
      <>
        {header}
        <ModelImport run={run} base={base} />
      </>
    );
  return (
    <>
      {header}
      {query.error && <ErrorState error={query.error} what="Databases" onRetry={query.refetch} inline />}
      <Group align="end" gap="xs" mb="md">
        <NativeSelect
          label="From"
          value={chosen}
          data={[
            { value: STARTER, label: 'Starter: user, role, session, address' },
            ...databases.map(({ id, name }) => ({ value: id, label: `Database ${name}` })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value);
            setPreview(undefined);
            dismiss();
          }}
        />
        <DisabledInPast>
          <Action variant="default" icon={IconSearch} loading={looking.isLoading} does={lookAt}>
            Preview
          </Action>
        </DisabledInPast>
      </Group>
      <ActionFailure failure={failure} onClose={dismiss} />
      {preview && (
        <>
          <Found preview={preview} />
          <DisabledInPast>
            <Action
              my="md"
              icon={IconDatabaseImport}
              disabled={preview.entities.length === 0}
              loading={importing.isLoading}
              does={() => carryOut(preview)}
            >
              Import {count(preview.entities.length, 'entity', 'entities')}
            </Action>
          </DisabledInPast>
          <Note>You can undo the whole import in the history of any of its parts.</Note>
        </>
      )}
    </>
  );
};

const Found = ({ preview: { entities, left } }: { preview: Preview }) => (
  <>
    <section aria-label="Entities to import">
      {entities.length === 0 && <Note>The model already has everything.</Note>}
      {entities.map(({ name, table, isUuid, parts, attributes }) => (
        <Disclosure
          key={table}
          title={name}
          digest={
            parts.length > 0
              ? `${table}, ${count(attributes.length, 'attribute')}`
              : `${table}, ${isUuid ? 'UUID' : 'number'} key, ${count(attributes.length, 'attribute')}`
          }
        >
          <Bullets>
            {attributes.map((one) => (
              <li key={one.column}>
                {one.name}: {attribute.fields.type.of?.[one.type - 1]}
                {one.to === undefined ? '' : ` to ${one.to}`}
                {one.optional ? ', optional' : ''}{' '}
                <code>{one.native === undefined ? one.column : `${one.column} ${one.native}`}</code>
              </li>
            ))}
            {parts.map((part) => (
              <li key={part}>
                <code>{part}</code>
              </li>
            ))}
          </Bullets>
        </Disclosure>
      ))}
    </section>
    <LeftOut left={left} />
  </>
);
