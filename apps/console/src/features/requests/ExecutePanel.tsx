/** Sends the request with chosen inputs, and shows how it was answered. */
import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { callsOf, requests, runs } from '@quarterdeck/contract';
import { environments, requestParam } from '@quarterdeck/events';
import { IconSend } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { newRunId, RunState } from '../../records/runs';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { ErrorState } from '../../ui/ErrorState';
import { Note } from '../../ui/Note';
import { AnswerSummary } from './AnswerSummary';
import { codedRequest } from './coded-request';
import { CopyAs } from './CopyAs';
import { methodOf, placeOf, typeOf, type ParamView, type RequestView } from './request-words';

export const ExecutePanel = ({ request }: { request: RequestView }) => {
  const { data } = useAnswer(callsOf(requestParam).list, { request: { id: request.id } });
  const params = ((data ?? []) as unknown as ParamView[]).filter(({ inOrOut }) => inOrOut);
  const [env, setEnv] = useState(1);
  const [follow, setFollow] = useState(false);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [execute, { isLoading }] = useChange(requests.execute);
  const [run, setRun] = useState<string>();
  const [refused, setRefused] = useState<ApiError>();
  const problems = refused?.data ?? {};
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setRefused(undefined);
    const inputs = params.flatMap(({ input }) => {
      const value = input === null ? undefined : typed[input.name];
      return input !== null && value !== undefined && value !== '' ? [{ name: input.name, value }] : [];
    });
    const answer = await execute({ id: request.id, env: { id: env }, inputs, follow, runId: newRunId() });
    if (answer.error) setRefused(toApiError(answer.error));
    else setRun(answer.data.runId);
  };
  const named = params.some(({ input }) => input && `inputs.${input.name}` in problems);
  return (
    <Card title="Execute query">
      <Stacked gap={12}>
        <form onSubmit={(event) => void send(event)} aria-label="Execute query">
          <Stacked gap={12}>
            <NativeSelect
              label="Environment"
              value={String(env)}
              onChange={({ currentTarget }) => setEnv(Number(currentTarget.value))}
              data={environments.map((label, at) => ({ value: String(at + 1), label }))}
            />
            {params.map((param) => {
              const { id, input, value, isOptional } = param;
              if (!input) return null;
              return (
                <TextInput
                  key={id}
                  label={placeOf(input)}
                  description={`${typeOf(param)}${isOptional ? ', optional' : ''}`}
                  placeholder={value}
                  value={typed[input.name] ?? ''}
                  onChange={({ currentTarget }) => setTyped({ ...typed, [input.name]: currentTarget.value })}
                  error={problems[`inputs.${input.name}`]}
                />
              );
            })}
            <Checkbox
              label="Follow redirects (at most 5)"
              checked={follow}
              onChange={({ currentTarget }) => setFollow(currentTarget.checked)}
            />
            <Group>
              <DisabledInPast>
                <Button type="submit" loading={isLoading} leftSection={<IconSend size={16} aria-hidden />}>
                  Send {methodOf(request)}
                </Button>
              </DisabledInPast>
              <CopyAs request={codedRequest(request, params, typed)} />
            </Group>
          </Stacked>
        </form>
        {refused && !named && <ErrorState error={refused} what="The request" inline />}
        {run !== undefined && <Outcome request={request.id} run={run} />}
      </Stacked>
    </Card>
  );
};

/** How the run ended, and what it was answered. */
const Outcome = ({ request, run }: { request: string; run: string }) => {
  const { data: view } = useAnswer(runs.detail, { id: run });
  const isAnswered = view?.state === 'succeeded';
  const answer = useAnswer(requests.answer, { run }, { skip: !isAnswered });
  return (
    <section aria-label="Result" aria-live="polite">
      {view && !isAnswered && (
        <>
          <RunState run={view} /> <Link to={paths.run(run)}>Open run</Link>
          {view.reason !== undefined && <Note below>{view.reason}</Note>}
        </>
      )}
      {answer.data && (
        <>
          <AnswerSummary answer={answer.data} />
          <p>
            <Link to={paths.requestAnswer(request, run)}>Open answer</Link>
          </p>
        </>
      )}
    </section>
  );
};
