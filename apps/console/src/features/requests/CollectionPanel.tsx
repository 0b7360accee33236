/** Runs a collection, and shows what became of each of its requests. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { requestCollections, runs, type CollectionResults } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { newRunId, ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { durationInWords, StatusBadge } from './request-words';

export const CollectionPanel = ({ id, name }: { id: string; name: string }) => {
  const [env, setEnv] = useState(1);
  const [start] = useChange(requestCollections.run);
  const { act, busy, failure, dismiss } = useAction();
  const { data } = useAnswer(runs.list, { subject: { kind: 'requestCollection', id }, limit: 1 });
  const last = data?.runs[0];
  const run = () =>
    act({
      send: () => start({ id, env: { id: env }, runId: newRunId() }).unwrap(),
      failed: `${name} could not be run`,
    });
  return (
    <Section title="Run collection" mt={24}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group align="end" mb={12}>
        <NativeSelect
          label="Environment"
          value={String(env)}
          onChange={({ currentTarget }) => setEnv(Number(currentTarget.value))}
          data={environments.map((label, at) => ({ value: String(at + 1), label }))}
        />
        <DisabledInPast>
          <Button
            loading={busy}
            onClick={() => void run()}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
          >
            Run collection
          </Button>
        </DisabledInPast>
        {last && <Link to={paths.run(last.id)}>Open last run</Link>}
      </Group>
      {last ? (
        <Results run={last.id} />
      ) : (
        <Note>The result of each request will appear here after the first run.</Note>
      )}
    </Section>
  );
};

const Results = ({ run }: { run: string }) => {
  const query = useAnswer(requestCollections.results, { id: run });
  return (
    <DataView query={query} what="Results">
      {(whole) => <ResultTable whole={whole} />}
    </DataView>
  );
};

const ResultTable = ({ whole: { results, state, reason } }: { whole: CollectionResults }) => (
  <>
    <p>
      <StateBadge state={state} />
      {reason !== undefined && ` ${reason}`}
    </p>
    <PlainTable label="Results">
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">Result</th>
          <th scope="col">Status</th>
          <th scope="col">Took</th>
          <th scope="col">Checks</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ request, name, method, run, state: was, reason: why, status, ms, checks }, at) => (
          <tr key={`${at} ${request}`}>
            <th scope="row">
              {!name.startsWith(`${method} `) && <Mono>{method} </Mono>}
              {run !== undefined && status !== undefined ? (
                <Link to={paths.requestAnswer(request, run)}>{name}</Link>
              ) : (
                name
              )}
            </th>
            <td>
              {was === undefined && why === undefined ? (
                'not sent'
              ) : (
                <StateBadge state={why === undefined ? (was ?? '') : 'failed'} />
              )}
              {why !== undefined && ` ${why}`}
            </td>
            <td>{status !== undefined && <StatusBadge status={status} />}</td>
            <td>{ms !== undefined && durationInWords(ms)}</td>
            <td>{checks !== undefined && checks.of > 0 && `${checks.passed} of ${checks.of}`}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  </>
);
