import { Button, Group } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { cloudDatabaseAssociate, cloudDatabaseCreate } from '@quarterdeck/events/inputs';
import { IconDatabase, IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError } from '../../core/http';
import { below, plainPath } from '../../core/paths';
import { product } from '@quarterdeck/events';
import { productChoices } from '../../records/choices';
import { engineChoices, engineLabel, notOfProducts } from '../../records/cloud-sizes';
import { MASK } from '../../records/kit';
import { ActionFailure, newRunId } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { CopyText } from '../../ui/CopyText';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Dim } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { useAction } from '../../ui/use-action';
import { FormDialog } from './FormDialog';
import { Started, useStarted } from './Started';

export type CloudDatabase = Answer<typeof cloud.databaseList>[number];

export const Databases = () => {
  const query = useAnswer(cloud.databaseList);
  const [adding, add] = useState(false);
  const [asked, ask] = useState<CloudDatabase>();
  const { ids, follow } = useStarted();
  const { act, busyWith, failure, dismiss } = useAction();
  const [deleteOne] = useChange(cloud.databaseDelete);
  const remove = useCallback(
    ({ id, uuid, name }: CloudDatabase) =>
      act({
        ask: {
          title: `Delete ${name}?`,
          body: 'Are you sure you would like to delete the database and its content?',
          confirmLabel: 'Delete database',
          danger: true,
          typeToConfirm: name,
        },
        send: (typed) => deleteOne({ uuid, name: typed, runId: newRunId() }).unwrap(),
        done: follow,
        failed: `${name} could not be deleted`,
        row: id,
      }),
    [act, deleteOne, follow],
  );
  return (
    <Card
      title="Databases"
      actions={
        <DisabledInPast>
          <Action icon={IconPlus} variant="default" does={() => add(true)}>
            Add a new database
          </Action>
        </DisabledInPast>
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <Started ids={ids} />
      {adding && (
        <AddDatabase
          onStarted={(run) => {
            follow(run);
            add(false);
          }}
          onCancel={() => add(false)}
        />
      )}
      {asked && <AssociateDatabase database={asked} onStarted={follow} onClose={() => ask(undefined)} />}
      <DataTable
        label="Cloud databases"
        urlKey="databases"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        searchable
        actions={(database) => (
          <Group gap={8} component="span" display="inline-flex" justify="flex-end">
            {database.product && <OfProduct of={database.product} database={database.database} />}
            {database.database === undefined && notOfProducts(database.engine) && (
              <Dim>{notOfProducts(database.engine)}</Dim>
            )}
            <DisabledInPast>
              {database.database === undefined && database.db_names && !notOfProducts(database.engine) && (
                <Button
                  size="compact-sm"
                  aria-label={`Associate ${database.name}`}
                  onClick={() => ask(database)}
                >
                  associate
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                aria-label={`Delete ${database.name}`}
                loading={busyWith.includes(database.id)}
                onClick={() => void remove(database)}
              >
                Delete
              </Button>
            </DisabledInPast>
          </Group>
        )}
        empty={
          <EmptyState title="No databases yet" icon={IconDatabase}>
            The databases of the account will appear here, whoever created them.
          </EmptyState>
        }
      />
    </Card>
  );
};

/** Associated with a product, under the name that the product has there. */
const OfProduct = ({ of, database }: { of: { id: string; name: string }; database: string | undefined }) => (
  <Link to={plainPath(product, of.id, `${below.database}${database ? `/${database}/detail` : ''}`)}>
    {of.name}
  </Link>
);

/** Shown on demand, which is recorded. It is kept only while the row is. */
const Password = ({ id, of }: { id: string; of: string }) => {
  const [reveal] = useChange(cloud.databasePassword);
  const [shown, show] = useState<string>();
  const { act, busy, failure, dismiss } = useAction();
  const toggle = () =>
    shown === undefined
      ? void act({
          send: () => reveal({ id }).unwrap(),
          done: ({ password }) => show(password),
          failed: 'The password could not be shown',
        })
      : show(undefined);
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group component="span" display="inline-flex" gap={8} ff="monospace" wrap="nowrap">
        {shown === undefined ? MASK : <CopyText value={shown} />}
        <DisabledInPast>
          <Button
            variant="default"
            size="compact-sm"
            loading={busy}
            aria-label={`${shown === undefined ? 'Show' : 'Hide'} the password of ${of}`}
            onClick={toggle}
          >
            {shown === undefined ? 'Show' : 'Hide'}
          </Button>
        </DisabledInPast>
      </Group>
    </>
  );
};

const columns: readonly Column<CloudDatabase>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, maxWidth: '150px', priority: 1 },
  {
    id: 'engine',
    header: 'Engine',
    value: ({ engine, version }) => `${engineLabel(engine)} ${version}`,
    filter: 'select',
  },
  {
    id: 'createdAt',
    header: 'created_at',
    value: (row) => row.created_at,
    cell: (row) => <RelativeTime at={row.created_at} />,
    unsearched: true,
  },
  {
    id: 'dbNames',
    header: 'db_names',
    value: (row) => row.db_names?.join(', ') ?? 'initiazlizing',
    cell: (row) => row.db_names?.join(', ') ?? <Dim>initiazlizing</Dim>,
    maxWidth: '140px',
    priority: 3,
  },
  {
    id: 'host',
    header: 'Host',
    value: ({ connection }) => connection?.host ?? '',
    mono: true,
    copy: true,
    maxWidth: '150px',
    priority: 2,
  },
  { id: 'database', header: 'Database', value: ({ connection }) => connection?.database ?? '', mono: true },
  {
    id: 'user',
    header: 'User',
    value: ({ connection }) => connection?.user ?? '',
    mono: true,
    priority: 3,
  },
  {
    id: 'password',
    header: 'Password',
    value: () => MASK,
    cell: ({ id, name, connection }) => connection && <Password id={id} of={name} />,
    sortable: false,
    unsearched: true,
    priority: 3,
  },
  {
    id: 'port',
    header: 'Port',
    value: ({ connection }) => connection?.port ?? '',
    align: 'right',
    priority: 3,
  },
];

const addFields: readonly Field[] = [
  { name: 'name', label: 'Name', type: 'text', mono: true, half: true, autoFocus: true },
  {
    name: 'engine',
    label: 'Engine',
    type: 'select',
    half: true,
    options: engineChoices,
  },
];
const addInitial = { name: '', engine: 'mysql' };

interface AddProps {
  onStarted: (run: { runId: string }) => void;
  onCancel: () => void;
}

const AddDatabase = ({ onStarted, onCancel }: AddProps) => {
  const [create] = useChange(cloud.databaseCreate);
  // Sent again after a lost answer, it is the same run.
  const [runId] = useState(newRunId);
  return (
    <Card title="Add a new database" mb={16}>
      <ResourceForm
        label="Add a new database"
        schema={cloudDatabaseCreate}
        fields={addFields}
        initial={addInitial}
        submitLabel="Submit"
        onCancel={onCancel}
        onSubmit={async (values) => onStarted(await create({ ...values, runId }).unwrap())}
      />
    </Card>
  );
};

const productField: readonly Field[] = [
  {
    name: 'product.id',
    label: 'What is the product id?',
    type: 'reference',
    from: productChoices,
    help: 'Choose it by its name.',
  },
];
const ofProduct = cloudDatabaseAssociate.pick({ product: true });

const AssociateDatabase = ({
  database: { id, name },
  onStarted,
  onClose,
}: {
  database: CloudDatabase;
  onStarted: AddProps['onStarted'];
  onClose: () => void;
}) => {
  const [associate] = useChange(cloud.databaseAssociate);
  const [runId] = useState(newRunId);
  return (
    <FormDialog
      title={`Associate ${name}`}
      schema={ofProduct}
      fields={productField}
      submitLabel="Associate"
      onClose={onClose}
      onSubmit={async (values) => {
        try {
          onStarted(await associate({ id, ...values, runId }).unwrap());
        } catch (thrown) {
          throw withProductWords(thrown);
        }
        onClose();
      }}
    >
      It becomes a database of the product, in the environment dev, and its connection is tested.
    </FormDialog>
  );
};

const NO_PRODUCT = 'coult not find product';

const withProductWords = (thrown: unknown): unknown => {
  const error = toApiError(thrown);
  const isOfProduct = error.status === 404 && error.msg.startsWith('product');
  return isOfProduct ? { ...error, data: { 'product.id': NO_PRODUCT } } : error;
};
