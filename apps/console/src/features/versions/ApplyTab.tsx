/** Applying a version: compare with the real database, show the plan, and start the run that carries it out. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconDatabaseImport, IconSearch } from '@tabler/icons-react';
import { callsOf, versions, type Answer } from '@quarterdeck/contract';
import { database } from '@quarterdeck/events';
import type { VersionRow } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { newRunId, RunsOf } from '../../records/runs';
import { confirmTyped } from '../../ui/confirm';
import { DataView } from '../../ui/DataView';
import { Refusal } from '../../ui/Refusal';
import { DriftFound } from './DriftFound';
import { Findings } from './Findings';
import { SqlText } from './Statements';
import { count, envName } from './version-words';
import styles from './versions.module.css';

type Plan = Answer<typeof versions.plan>;

interface ApplyTabProps {
  product: { id: string; name: string };
  version: VersionRow;
}

export const ApplyTab = ({ product, version }: ApplyTabProps) => {
  const query = useAnswer(callsOf(database).list, { product: { id: product.id } });
  const env = version.env.id;
  return (
    <DataView query={query} what="Databases">
      {(all) => {
        const fitting = all.filter(
          (one) => one.env.id === env || version.applied.some(({ database: { id } }) => id === one.id),
        );
        if (fitting.length === 0)
          return (
            <p className={styles.hint}>
              This version is in {envName(env)}, and the product has no database there.{' '}
              <Link to="../../database/add">Add a database</Link>, or move the version to another environment.
            </p>
          );
        return <Apply {...{ product, version }} databases={fitting} />;
      }}
    </DataView>
  );
};

const Apply = ({
  product,
  version,
  databases,
}: ApplyTabProps & { databases: readonly { id: string; name: string; host: string }[] }) => {
  const [chosen, setChosen] = useState<string>();
  const id = databases.some((one) => one.id === chosen) ? chosen : databases[0]?.id;
  const [look, looking] = useAsk(versions.plan);
  const [apply, applying] = useChange(versions.apply);
  const [plan, setPlan] = useState<Plan>();
  const [failure, setFailure] = useState<ApiError>();
  const navigate = useNavigate();

  const lookAt = async (): Promise<void> => {
    setFailure(undefined);
    setPlan(undefined);
    const { data, error } = await look({ uuid: version.id, database: { id: id ?? '' } });
    if (data) setPlan(data);
    else setFailure(toApiError(error));
  };
  const carryOut = async (shown: Plan): Promise<void> => {
    const { confirmed, typed } = await confirmTyped(questionOf(shown, product.name));
    if (!confirmed) return;
    const runId = newRunId();
    const { error } = await apply({
      ...{ uuid: version.id, database: { id: shown.database.id }, seal: shown.seal, runId },
      ...(shown.destroys && { name: typed }),
      ...(shown.repairs && { repair: true }),
    });
    if (error) setFailure(toApiError(error));
    else void navigate(paths.run(runId));
  };
  return (
    <>
      <DisabledInPast>
        <Group align="end" gap="xs" mb="md">
          <NativeSelect
            label="Database"
            data={databases.map(({ id: value, name, host }) => ({ value, label: `${name} at ${host}` }))}
            value={id}
            onChange={({ currentTarget: { value } }) => {
              setChosen(value);
              setPlan(undefined);
            }}
          />
          <Button
            variant="default"
            leftSection={<IconSearch size={16} aria-hidden />}
            loading={looking.isLoading}
            onClick={() => void lookAt()}
          >
            Compare with database
          </Button>
        </Group>
      </DisabledInPast>
      <Refusal what="Nothing was done" error={failure} />
      {plan && (
        <ShownPlan
          key={plan.seal}
          plan={plan}
          version={version.id}
          isLoading={applying.isLoading}
          onApply={() => void carryOut(plan)}
          onFailure={setFailure}
        />
      )}
      <h3>Runs</h3>
      <RunsOf kind="database" id={id ?? ''} name={databases.find((one) => one.id === id)?.name ?? ''} />
    </>
  );
};

const questionOf = (plan: Plan, product: string) => {
  const { database, from, to, statements, destroys, repairs } = plan;
  return {
    title: repairs ? `Repair ${database.name}?` : `Apply version ${to} to ${database.name}?`,
    body: (
      <>
        {count(statements.length, 'statement')} will be carried out, after a dry run.
        {from > to && ` This goes back from version ${from}.`}
        {destroys && ' This is destructive: the findings say what is lost.'}
      </>
    ),
    confirmLabel: repairs ? 'Repair' : 'Apply',
    ...(destroys && { danger: true, typeToConfirm: product }),
  };
};

interface ShownPlanProps {
  plan: Plan;
  version: string;
  isLoading: boolean;
  onApply: () => void;
  onFailure: (failure: ApiError) => void;
}

const ShownPlan = ({ plan, version, isLoading, onApply, onFailure }: ShownPlanProps) => {
  const { database: at, from, to, drift, repairs, findings, statements, destroys } = plan;
  const isDone = from === to && statements.length === 0;
  return (
    <section className={styles.pending} aria-label="Plan">
      <h3>
        {at.name} ({at.type}): {from === 0 ? 'no version' : `version ${from}`}
        {from === to ? '' : ` to version ${to}`}
      </h3>
      {drift && <DriftFound {...{ plan, drift, version, onFailure }} />}
      {isDone ? (
        <p>
          {drift
            ? 'The database has this version. No statement is needed.'
            : 'The database has this version, and nothing in it was changed by hand.'}
        </p>
      ) : (
        <>
          {repairs && <h3>Repair</h3>}
          <Findings findings={findings} />
          <SqlText
            label="Statements of the plan"
            // Numbered as in the output of the run.
            statements={statements.map(({ fileName, sql }, index) => ({
              fileName: `${index + 1}/${statements.length} ${fileName}`,
              sql,
            }))}
          />
          <DisabledInPast>
            <Button
              mt="md"
              {...(destroys && { color: 'red' })}
              loading={isLoading}
              leftSection={<IconDatabaseImport size={16} aria-hidden />}
              onClick={onApply}
            >
              {repairs ? 'Repair with' : 'Apply'} {count(statements.length, 'statement')}
            </Button>
          </DisabledInPast>
        </>
      )}
    </section>
  );
};
