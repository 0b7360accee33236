/** Applying a version: a look at the real database, the plan, and the run that carries it out. */
import { Group, NativeSelect } from '@mantine/core';
import { IconDatabaseImport, IconSearch } from '@tabler/icons-react';
import { callsOf, versions, type Answer } from '@quarterdeck/contract';
import { database } from '@quarterdeck/events';
import type { VersionRow } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { ActionFailure, newRunId, RunsOf } from '../../records/runs';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { useAction, type Act } from '../../ui/use-action';
import { DriftFound } from './DriftFound';
import { Findings } from './Findings';
import { PlanQuestions, questionsIn, type GivenValue } from './PlanQuestions';
import { SqlText } from './Statements';
import { envName, hindrances } from './version-words';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';
import { WordsBox } from '../../ui/WordsBox';
import look from '../../ui/look.module.css';
import { Title } from '../../ui/heading';

type Plan = Answer<typeof versions.plan>;

const NOTHING_DONE = 'Nothing was done';

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
            <Note>
              This version is in {envName(env)}, and the product has no database there.{' '}
              <Link to="../../database/add">Add a database</Link>, or move the version to another environment.
            </Note>
          );
        return <Apply product={product} version={version} databases={fitting} />;
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
  const [baseline, baselining] = useChange(versions.baseline);
  const [plan, setPlan] = useState<Plan>();
  const [values, setValues] = useState<GivenValue[]>([]);
  const { act, failure, dismiss } = useAction();

  const planWith = (given: GivenValue[]) =>
    act({
      send: () =>
        look({
          uuid: version.id,
          database: { id: id ?? '' },
          ...(given.length > 0 && { values: given }),
        }).unwrap(),
      done: (shown) => {
        setValues(given);
        setPlan(shown);
      },
      failed: NOTHING_DONE,
    });
  const lookAt = () => {
    setPlan(undefined);
    return planWith([]);
  };
  const carryOut = (shown: Plan) => {
    const runId = newRunId();
    return act({
      ask: questionOf(shown, product.name),
      send: (typed) =>
        apply({
          uuid: version.id,
          database: { id: shown.database.id },
          seal: shown.seal,
          runId,
          ...(shown.destroys && { name: typed }),
          ...(shown.repairs && { repair: true }),
          ...(values.length > 0 && { values }),
        }).unwrap(),
      failed: NOTHING_DONE,
      to: paths.run(runId),
    });
  };
  const record = ({ database: at, to, seal }: Plan) => {
    const runId = newRunId();
    return act({
      ask: {
        title: `Record that ${at.name} has version ${to}?`,
        body: 'Its structure is that of the version. Nothing in it is changed, except for the journal of the console.',
        confirmLabel: 'Record as baseline',
      },
      send: () => baseline({ uuid: version.id, database: { id: at.id }, seal, runId }).unwrap(),
      failed: NOTHING_DONE,
      to: paths.run(runId),
    });
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
          <Action variant="default" icon={IconSearch} loading={looking.isLoading} does={lookAt}>
            Compare with database
          </Action>
        </Group>
      </DisabledInPast>
      <ActionFailure failure={failure} onClose={dismiss} />
      {plan && (
        <ShownPlan
          key={plan.seal}
          plan={plan}
          version={version.id}
          isLoading={applying.isLoading || baselining.isLoading || looking.isLoading}
          onApply={() => (plan.fits ? record(plan) : carryOut(plan))}
          // Questions that come up later are answered together with the earlier ones.
          onGive={(given) => planWith([...values, ...given])}
          given={values.length}
          refusals={failure?.error.data ?? {}}
          act={act}
        />
      )}
      <Title least={3} mb={8}>
        Runs
      </Title>
      <RunsOf kind="database" id={id ?? ''} name={databases.find((one) => one.id === id)?.name ?? ''} />
    </>
  );
};

/** MySQL and MariaDB need a copy of the structure for it, which their user may not be allowed to create. */
const inWords = ({ rehearsed }: Plan): string => {
  if (rehearsed === undefined)
    return 'after a dry run if the user of the database may create a database for it. Without one, the run says so';
  return rehearsed
    ? 'after a dry run'
    : 'without a dry run: the user of the database may not create a database for it';
};

const questionOf = (plan: Plan, product: string) => {
  const { database, from, to, statements, destroys, repairs } = plan;
  return {
    title: repairs ? `Repair ${database.name}?` : `Apply version ${to} to ${database.name}?`,
    body: (
      <>
        {count(statements.length, 'statement')} will be carried out, {inWords(plan)}.
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
  onApply: () => unknown;
  onGive: (values: GivenValue[]) => Promise<unknown>;
  /** How many values the plan has already. */
  given: number;
  /** Of the given values, by field. */
  refusals: Readonly<Record<string, string>>;
  act: Act;
}

const ShownPlan = ({ plan, version, isLoading, onApply, onGive, given, refusals, act }: ShownPlanProps) => {
  const { database: at, from, to, drift, repairs, findings, statements, destroys, alone, fits } = plan;
  const questions = questionsIn(findings);
  const [hindrance] = hindrances(findings);
  const isDone = from === to && statements.length === 0;
  // A repair would take back what the model has now.
  const [isAdopted, setAdopted] = useState(false);
  return (
    <Section
      title={
        <>
          {at.name} ({at.type}): {from === 0 ? 'Nothing applied yet' : `version ${from}`}
          {from === to ? '' : ` -> version ${to}`}
        </>
      }
      className={look.framed}
      mb={20}
      p="12px 16px"
      aria-label="Plan"
    >
      {drift && !fits && (
        <DriftFound
          plan={plan}
          drift={drift}
          version={version}
          act={act}
          onAdopted={() => setAdopted(true)}
        />
      )}
      {alone.length > 0 && <WordsBox title="Left alone" words={alone} tone="quiet" />}
      {isAdopted ? null : fits ? (
        <>
          <p>The database has the structure of this version already. No statement is needed.</p>
          <DisabledInPast>
            <Action mt="md" icon={IconDatabaseImport} loading={isLoading} does={onApply}>
              Record version {to} as baseline
            </Action>
          </DisabledInPast>
        </>
      ) : isDone ? (
        <p>
          {drift
            ? 'The database has this version, except for what is listed above. No statement is needed.'
            : 'The database has this version, without a difference. No statement is needed.'}
        </p>
      ) : (
        <>
          {repairs && (
            <Title least={3} mb={8}>
              Repair
            </Title>
          )}
          <Findings findings={findings} />
          <SqlText
            label="Statements of the plan"
            // Numbered as in the output of the run.
            statements={statements.map(({ fileName, sql }, index) => ({
              fileName: `${index + 1}/${statements.length} ${fileName}`,
              sql,
            }))}
          />
          {hindrance ? (
            <Note mt="md">
              With the rows that it has, the database would refuse this: {hindrance.reason} {hindrance.remedy}{' '}
              Then compare again.
            </Note>
          ) : questions.length > 0 ? (
            <PlanQuestions
              questions={questions}
              earlier={given}
              refusals={refusals}
              isLoading={isLoading}
              onGive={onGive}
            />
          ) : (
            <DisabledInPast>
              <Action
                mt="md"
                {...(destroys && { color: 'red' })}
                icon={IconDatabaseImport}
                loading={isLoading}
                does={onApply}
              >
                {repairs ? 'Repair with' : 'Apply'} {count(statements.length, 'statement')}
              </Action>
            </DisabledInPast>
          )}
        </>
      )}
    </Section>
  );
};
