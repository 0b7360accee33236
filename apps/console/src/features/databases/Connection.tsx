/** Whether a database can be reached, what is in it, and creating it on its server. */
import { Alert, Box, Flex, Group } from '@mantine/core';
import { databases, runs, versions } from '@quarterdeck/contract';
import { databaseCreation, instanceInit } from '@quarterdeck/events/inputs';
import type { RunView } from '@quarterdeck/projections';
import { IconAlertCircle, IconDatabasePlus, IconPlugConnected, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { newRunId, RunsOf } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Facts } from '../../ui/Facts';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { factsOf, failureWords } from './found-words';
import { StateBadge } from '../../ui/StateBadge';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';

interface ConnectionProps {
  id: string;
  name: string;
  /** Id of the product. */
  product: string;
  /** Id of the environment; 1 is dev. */
  env: number;
}

const Failure = ({ lines }: { lines: readonly string[] }) => (
  <Alert color="red" icon={<IconAlertCircle aria-hidden />} mb="md" title="The database cannot be reached">
    {lines.map((line) => (
      <div key={line}>{line}</div>
    ))}
  </Alert>
);

const Works = () => (
  <Box role="status" mb={8}>
    <StateBadge state="succeeded" label="The connection works" />
  </Box>
);

/** Result of the newest test, whoever started it. */
const LastTest = ({ run }: { run: RunView }) => {
  const report = run.steps.at(-1)?.report;
  return (
    <Box mb={24}>
      <Note m="0 0 8px">
        Tested <By id={run.requestedBy} at={run.requestedAt} />
      </Note>
      {run.state === 'succeeded' && report ? (
        <>
          <Works />
          <Facts label="Last test" facts={factsOf(report)} />
        </>
      ) : (
        run.reason !== undefined && <Failure lines={[run.reason]} />
      )}
    </Box>
  );
};

export const Connection = ({ id, name, product, env }: ConnectionProps) => {
  const subject = { kind: 'database', id };
  const { data } = useAnswer(runs.list, { subject, kind: 'testDatabase', limit: 1 });
  const [test, { isLoading }] = useChange(databases.test);
  const [failure, setFailure] = useState<ApiError>();
  const [opened, setOpened] = useState<keyof typeof forms>();
  const Opened = opened && forms[opened];
  const last = data?.runs[0];
  const testNow = async (): Promise<void> => {
    setFailure(undefined);
    const { error } = await test({ id, runId: newRunId() });
    // A failed test is already shown as the last test.
    if (error && toApiError(error).status !== 502) setFailure(toApiError(error));
  };
  return (
    <section aria-label="Connection">
      <Group gap="xs" mb="md">
        <DisabledInPast>
          <Action icon={IconPlugConnected} loading={isLoading} does={testNow}>
            Test connection
          </Action>
        </DisabledInPast>
        {!opened && (
          <DisabledInPast>
            <Action variant="default" icon={IconDatabasePlus} does={() => setOpened('create')}>
              Create database and user
            </Action>
            {env === 1 && (
              <Action variant="default" icon={IconUserPlus} does={() => setOpened('init')}>
                Create first instance
              </Action>
            )}
          </DisabledInPast>
        )}
      </Group>
      {Opened && (
        <Box maw={640} mb={16}>
          <Title least={3} mb={8}>
            {Opened.title}
          </Title>
          <Opened.Form id={id} product={product} label={Opened.title} onCancel={() => setOpened(undefined)} />
        </Box>
      )}
      {failure && <Failure lines={failureWords(failure)} />}
      {last && !isLoading && <LastTest run={last} />}
      <RunsOf kind="database" id={id} name={name} />
    </section>
  );
};

const fields: readonly Field[] = [
  {
    name: 'username',
    label: 'Administrator',
    type: 'text',
    half: true,
    autoFocus: true,
    help: 'Of the database server. Used once and stored nowhere.',
    autoComplete: 'off',
  },
  { name: 'password', label: 'Password of the administrator', type: 'secret', half: true, optional: true },
  {
    name: 'keepUser',
    label: 'Keep a user that exists already',
    type: 'checkbox',
    help: 'The user needs the password that is stored here. Otherwise nothing is created.',
  },
];

interface FormProps {
  /** Id of the database. */
  id: string;
  product: string;
  label: string;
  onCancel: () => void;
}

const usual = {
  submitLabel: 'Create',
  dirtyGuard: false,
  afterRefusal: () => 'Nothing was created.',
};

const Create = ({ id, label, onCancel }: FormProps) => {
  const [create] = useChange(databases.create);
  const navigate = useNavigate();
  return (
    <ResourceForm
      {...usual}
      label={label}
      onCancel={onCancel}
      schema={databaseCreation}
      fields={fields}
      onSubmit={async ({ keepUser, ...administrator }) => {
        const { runId } = await create({ id, administrator, keepUser, runId: newRunId() }).unwrap();
        await navigate(paths.run(runId));
      }}
    />
  );
};

const firstAdministrator = instanceInit.pick({ email: true, password: true });
const administratorFields: readonly Field[] = [
  {
    name: 'email',
    label: 'E-mail of the administrator',
    type: 'text',
    half: true,
    autoFocus: true,
    help: 'A row of the entity User. The version applied here has to have it, with Email and Password hash.',
    autoComplete: 'off',
  },
  { name: 'password', label: 'Password of the administrator', type: 'secret', half: true },
];
const proposed = { email: 'admin@localhost' };

const Init = ({ id, product, ...shown }: FormProps) => {
  const [init] = useChange(versions.init);
  const navigate = useNavigate();
  return (
    <ResourceForm
      {...usual}
      {...shown}
      schema={firstAdministrator}
      fields={administratorFields}
      initial={proposed}
      onSubmit={async (given) => {
        const runId = newRunId();
        await init({ ...given, product: { id: product }, database: { id }, runId }).unwrap();
        await navigate(paths.run(runId));
      }}
    />
  );
};

const forms = {
  create: { title: 'Create database and user', Form: Create },
  init: { title: 'Create first instance', Form: Init },
};

/** Below a form: tests the connection with the typed values, before they are saved. */
export const TryConnection = ({
  draft,
  id,
}: {
  draft: () => Readonly<Record<string, unknown>>;
  id?: string | undefined;
}) => {
  const [attempt, { data, isLoading }] = useChange(databases.try);
  const [failure, setFailure] = useState<ApiError>();
  const tryNow = async (): Promise<void> => {
    setFailure(undefined);
    const { error } = await attempt({ data: draft() as never, ...(id !== undefined && { id }) });
    if (error) setFailure(toApiError(error));
  };
  return (
    <Flex
      component="section"
      aria-label="Test of these fields"
      gap={12}
      align="flex-start"
      direction="column"
      mt={16}
    >
      <DisabledInPast>
        <Action variant="default" icon={IconPlugConnected} loading={isLoading} does={tryNow}>
          Test connection
        </Action>
      </DisabledInPast>
      {failure && !isLoading && <Failure lines={failureWords(failure)} />}
      {data && !failure && !isLoading && (
        <>
          <Works />
          <Facts label="Findings" facts={factsOf(data)} />
        </>
      )}
    </Flex>
  );
};
