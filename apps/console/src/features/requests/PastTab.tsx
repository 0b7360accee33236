/** Status and time of the answers so far, and whether a check would have failed for them. */
import { Button, Group, NativeSelect, Textarea } from '@mantine/core';
import { requestLogs, requests, type Answer, type RequestLog } from '@quarterdeck/contract';
import { IconHistory } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { Dim, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { LatencyChart } from './LatencyChart';
import { StatusBadge, type RequestView } from './request-words';
import { CheckBadge } from './AnswerSummary';

const periods = [
  { value: '1', label: 'the last day' },
  { value: '7', label: 'the last week' },
  { value: '30', label: 'the last month' },
  { value: '365', label: 'the last year' },
];

export const PastTab = ({ request }: { request: RequestView }) => {
  const [checks, setChecks] = useState(request.checks);
  const [days, setDays] = useState('7');
  const [asked, ask] = useState<{ checks: string; days: number }>();
  const logs = useAnswer(requestLogs.list, { id: request.id });
  const past = useAnswer(
    requests.past,
    { id: request.id, checks: asked?.checks ?? '', days: asked?.days ?? 1 },
    { skip: asked === undefined },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask({ checks, days: Number(days) });
  };
  const message = past.error?.data?.['checks'];
  return (
    <>
      <Section title="Status and time">
        <DataView query={logs} what="Answers">
          {(all) => <Chart logs={all} />}
        </DataView>
      </Section>
      <Section title="Checks over the past" mt={24}>
        <form onSubmit={submit} aria-label="Checks over the past">
          <Stacked gap={12}>
            <Textarea
              label="Would these checks have failed?"
              description="One CEL expression a line, over status, headers, json, text and ms."
              value={checks}
              onChange={({ currentTarget }) => setChecks(currentTarget.value)}
              error={message}
              rows={4}
            />
            <Group align="end">
              <NativeSelect
                label="Answers of"
                value={days}
                onChange={({ currentTarget }) => setDays(currentTarget.value)}
                data={periods}
              />
              <Button
                type="submit"
                disabled={checks.trim() === ''}
                leftSection={<IconHistory size={16} aria-hidden />}
              >
                Check the past
              </Button>
            </Group>
          </Stacked>
        </form>
        {asked && message === undefined && (
          <DataView query={past} what="Past answers">
            {(all) => <Verdicts request={request.id} past={all} />}
          </DataView>
        )}
      </Section>
    </>
  );
};

const Chart = ({ logs }: { logs: readonly RequestLog[] }) => {
  const sent = logs.filter(({ by }) => by === 'console').toReversed();
  return sent.length === 0 ? <Note>Nothing was answered yet.</Note> : <LatencyChart logs={sent} />;
};

type Past = Answer<typeof requests.past>;

const Verdicts = ({ request, past: { answers, removed, isCut } }: { request: string; past: Past }) => {
  const failing = answers.filter(({ checks }) => checks.some(({ is }) => is !== 'passed'));
  return (
    <>
      <p role="status">
        {answers.length === 0
          ? 'There are no stored answers of this time.'
          : `${failing.length} of ${isCut ? 'the newest ' : ''}${count(answers.length, 'answer')} would not have passed.`}
        {isCut && <Dim> Choose a shorter time to check all of its answers.</Dim>}
        {removed > 0 && (
          <Dim> {count(removed, 'answer')} could not be checked, because retention removed the body.</Dim>
        )}
      </p>
      {failing.length > 0 && (
        <PlainTable label="Answers that would not have passed">
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Status</th>
              <th scope="col">Checks</th>
            </tr>
          </thead>
          <tbody>
            {failing.map(({ run, at, status, checks }) => (
              <tr key={run}>
                <th scope="row">
                  <Link to={paths.requestAnswer(request, run)}>
                    <RelativeTime at={at} />
                  </Link>
                </th>
                <td>
                  <StatusBadge status={status} />
                </td>
                <td>
                  {checks
                    .filter(({ is }) => is !== 'passed')
                    .map((check) => (
                      <CheckBadge key={check.expression} check={check} />
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </>
  );
};
