/** Compares a deploy with any other one of its service, and rolls back to it after its difference to what serves. */
import { Button, Checkbox, Group } from '@mantine/core';
import { releases } from '@quarterdeck/contract';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { newRunId } from '../../records/runs';
import type { Release } from '../../records/verdicts';
import { ChoiceInput, choicesOf } from '../../ui/choice';
import { Heading } from '../../ui/heading';
import { Refusal } from '../../ui/Refusal';
import { absoluteTime } from '../../ui/RelativeTime';
import { Comparison } from './Comparison';
import { Why } from './DeployQuestion';
import classes from './releases.module.css';
import { useServing } from './use-serving';

interface CompareWithProps {
  release: Release;
  /** The id of the other deploy, or `''`. */
  other: string;
  onOther: (id: string) => void;
}

export const CompareWith = ({ release, other, onOther }: CompareWithProps) => {
  const { id, service } = release;
  const serving = useServing(service.id);
  const deploys = useMemo(
    () =>
      choicesOf<Release>({
        page: releases.releasePage,
        detail: releases.release,
        sort: '-date',
        within: { service: { id: service.id } },
        labelOf: (row) => `${row.package.version}, ${absoluteTime(row.date)}`,
        one: 'deploy',
      }),
    [service.id],
  );
  const isServing = serving !== undefined && other === serving.id;
  const canReturn = release.state === 'served' && !release.serves && serving !== undefined;
  return (
    <section className={classes.part} aria-label="Comparison">
      <Heading>Compare</Heading>
      <Group align="end" gap="xs" mb="md">
        <ChoiceInput
          label="Compare with"
          empty="Choose a deploy"
          from={deploys}
          value={other}
          onChange={onOther}
          without={id}
        />
        {serving && !isServing && serving.id !== id && (
          <Button variant="default" onClick={() => onOther(serving.id)}>
            Compare with what serves now
          </Button>
        )}
      </Group>
      {other !== '' && <Comparison from={other} to={release} />}
      {canReturn && isServing && <RollBack to={release} />}
    </section>
  );
};

const RollBack = ({ to }: { to: Release }) => {
  const navigate = useNavigate();
  const [rollBack, { isLoading }] = useChange(releases.rollback);
  const [why, setWhy] = useState('');
  const [today, setToday] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const missing = to.variables.filter(({ destroyed }) => destroyed).map(({ key }) => key);
  const carryOut = async (): Promise<void> => {
    setFailure(undefined);
    const runId = newRunId();
    const { error } = await rollBack({ id: to.id, runId, why, ...(today && { today }) });
    if (error) setFailure(toApiError(error));
    else void navigate(paths.run(runId));
  };
  return (
    <DisabledInPast>
      <Refusal what="Nothing was done" error={failure} />
      {missing.length > 0 && (
        <Checkbox
          mb="sm"
          label={`Use the values of today for ${new Intl.ListFormat('en').format(missing)}`}
          description="The values that this deploy kept were destroyed. Without a value, the rollback is refused."
          checked={today}
          onChange={(event) => setToday(event.currentTarget.checked)}
        />
      )}
      <Group align="end" gap="xs" mb="md">
        <Why value={why} onChange={setWhy} w={480} maw="100%" />
        <Button loading={isLoading} onClick={() => void carryOut()}>
          Roll back to {to.package.version}
        </Button>
      </Group>
    </DisabledInPast>
  );
};
