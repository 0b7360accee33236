/** The variables of one environment, with links to import, export, comparison and history. */
import { Box, Button, Flex, Group } from '@mantine/core';
import { deploys, variables } from '@quarterdeck/contract';
import { variableChanges, type VariableView } from '@quarterdeck/projections';
import { IconPlus, IconVariable } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';
import { useAction, type Act } from '../../ui/use-action';
import { EnvironmentSwitch } from './EnvironmentSwitch';
import { AlsoDestroy, KeptValues, WHAT_STAYS } from './KeptValues';
import { changesInWords, cut, envIn, envName, inEnv } from './variable-words';
import { useAsOf } from '../../core/as-of/as-of-state';

const RUNS_ON = 'Running containers keep it until the next deploy.';

interface VariableListProps {
  base: string;
  service: string;
}

const Value = ({ variable }: { variable: VariableView }) => {
  const [reveal, { isLoading }] = useChange(variables.reveal);
  const [shown, setShown] = useState<string>();
  if (!variable.secret) return <CopyText value={variable.value}>{cut(variable.value)}</CopyText>;
  const toggle = async (): Promise<void> => {
    if (shown !== undefined) return setShown(undefined);
    const { data, error } = await reveal({ id: variable.id });
    if (data) setShown(data.value);
    else toast.failure(`It could not be shown: ${toApiError(error).msg}`);
  };
  return (
    <Flex component="span" display="inline-flex" gap={8} align="center">
      {shown === undefined ? variable.value : <CopyText value={shown}>{cut(shown)}</CopyText>}
      <DisabledInPast>
        <Button
          variant="default"
          loading={isLoading}
          aria-label={`${shown === undefined ? 'Show' : 'Hide'} ${variable.key}`}
          onClick={() => void toggle()}
        >
          {shown === undefined ? 'Show' : 'Hide'}
        </Button>
      </DisabledInPast>
    </Flex>
  );
};

/** Deletes a variable and, if that was chosen, the values that deploys keep of it. */
const useDeletion = (service: string, env: number, act: Act) => {
  const [remove] = useChange(variables.delete);
  const [askForKept] = useAsk(deploys.keptValues);
  const [destroy] = useChange(deploys.destroyValue);
  return async ({ id, key, secret }: VariableView): Promise<void> => {
    const kept = secret ? await askForKept({ service: { id: service } }).unwrap() : [];
    const of = kept.find((one) => one.key === key && one.env.id === env)?.releases ?? [];
    let also = false;
    const ask = {
      title: `Delete ${key}?`,
      body:
        of.length > 0 ? (
          <AlsoDestroy of={of} onChange={(chosen) => (also = chosen)} />
        ) : (
          `Are you sure you want to delete that entry? ${
            secret
              ? `Its value is destroyed: an undo asks you to type it again. ${WHAT_STAYS}`
              : `You can undo this. ${RUNS_ON}`
          }`
        ),
      confirmLabel: 'Delete variable',
      danger: true,
    };
    const deleted = await act({
      ask,
      send: () => remove({ id }).unwrap(),
      done: `${key} was deleted.`,
      failed: `${key} was not deleted`,
    });
    if (deleted && also)
      await act({
        send: () => destroy({ service: { id: service }, env, key }).unwrap(),
        failed: `Deploys still keep the value of ${key}`,
      });
  };
};

export const VariableList = ({ base, service }: VariableListProps) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const [search] = useSearchParams();
  const env = envIn(search);
  const query = useAnswer(variables.list, { service: { id: service }, env });
  const { act, failure, dismiss } = useAction();
  const onDelete = useDeletion(service, env, act);
  const keys = useMemo(
    () => query.currentData && new Set(query.currentData.map(({ key }) => key)),
    [query.currentData],
  );
  const columns = useMemo(
    (): Column<VariableView>[] => [
      { id: 'key', header: 'Key', value: ({ key }) => key, mono: true, priority: 1 },
      {
        id: 'value',
        header: 'Value',
        value: ({ value }) => value,
        cell: (variable) => <Value key={variable.id + variable.revision} variable={variable} />,
        sortable: false,
        priority: 2,
      },
      { id: 'fingerprint', header: 'Fingerprint', value: (one) => one.fingerprint, mono: true },
      {
        id: 'changed',
        header: 'Changed',
        value: (one) => one.changedAt,
        cell: (one) => <RelativeTime at={one.changedAt} />,
        priority: 3,
      },
      { id: 'by', header: 'Changed by', value: (one) => nameOf(one.changedBy), filter: 'category' },
    ],
    [nameOf],
  );
  const add = (
    <Action icon={IconPlus} does={inEnv(`${base}/add`, env)}>
      Add variable
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Environment variables"
        count={query.currentData?.length}
        actions={
          <>
            <Button component={Link} to={inEnv(`${base}/import`, env)} variant="default">
              Import
            </Button>
            {add}
          </>
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group gap="8px 16px" mb={12}>
        <EnvironmentSwitch />
        <Link to={`${base}/compare`}>Compare environments</Link>
        <Link to={inEnv(`${base}/token`, env)}>Export and tokens</Link>
        <Link to={paths.history({ category: 'variable', id: service })}>History of the variables</Link>
      </Group>
      <NextDeploy key={`next ${env}`} service={service} env={env} />
      <DataTable
        key={env}
        label="Environment variables"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => `${base}/${id}/edit`}
        onOpen={({ id }) => void navigate(`${base}/${id}/edit`)}
        searchable
        actions={(variable) => (
          <DisabledInPast>
            <Button
              variant="subtle"
              color="red"
              aria-label={`Delete ${variable.key}`}
              onClick={() => void onDelete(variable)}
            >
              Delete
            </Button>
          </DisabledInPast>
        )}
        empty={
          <EmptyState title={`No variables for ${envName(env)} yet`} icon={IconVariable} action={add}>
            The service gets them when it is deployed. A whole .env file can be imported.
          </EmptyState>
        }
      />
      <KeptValues key={`kept ${env}`} service={service} env={env} keys={keys} act={act} />
    </>
  );
};

/** Changes that the next deploy would make: compares the saved variables with those of the running release. */
interface NextDeployProps {
  service: string;
  env: number;
}

/** A line that is there from the start, so the table below it stays in place when the answers come. */
const NextDeploy = (props: NextDeployProps) =>
  useAsOf() === undefined && (
    <Box component="p" mih="1.55em" m="0 0 16px" role="status">
      <Words {...props} />
    </Box>
  );

const Words = ({ service, env }: NextDeployProps) => {
  const deployed = useAnswer(deploys.running, { service: { id: service } });
  const running = deployed.currentData?.find((one) => one.env.id === env);
  const saved = useAnswer(
    variables.prints,
    { service: { id: service }, env },
    { skip: running === undefined },
  );
  const failed = deployed.error ?? saved.error;
  if (failed) return `The variables of the running version are not known: ${toApiError(failed).msg}`;
  if (!deployed.currentData) return null;
  if (!running) return `Nothing runs in ${envName(env)}.`;
  if (!saved.currentData) return null;
  const changes = variableChanges(running.variables, saved.currentData);
  const count = changes.added.length + changes.changed.length + changes.removed.length;
  if (count === 0) return 'The running version has these variables.';
  return (
    <>
      <strong>{count === 1 ? 'One variable differs' : `${count} variables differ`}</strong> from the running
      version. The next deploy {changesInWords(changes)}.
    </>
  );
};
