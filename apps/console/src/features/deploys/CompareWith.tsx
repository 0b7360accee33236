/** Compares a deploy with any other one of its service, and rolls back to it after its difference to what serves. */
import { Button, Group } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { useMemo } from 'react';
import type { Release } from '../../records/verdicts';
import { ChoiceInput, choicesOf } from '../../ui/choice';
import { Heading } from '../../ui/heading';
import { absoluteTime } from '../../ui/RelativeTime';
import { Comparison } from './Comparison';
import { RollBack } from './RollBack';
import { canReturnTo, useServing } from './use-serving';
import { Section } from '../../ui/Card';

interface CompareWithProps {
  release: Release;
  /** The id of the other deploy, or `''`. */
  other: string;
  onOther: (id: string) => void;
}

export const CompareWith = ({ release, other, onOther }: CompareWithProps) => {
  const { id, service } = release;
  const serving = useServing(service.id);
  const others = useMemo(
    () =>
      choicesOf<Release>({
        page: deploys.releasePage,
        detail: deploys.release,
        sort: '-date',
        within: { service: { id: service.id } },
        labelOf: (row) => `${row.package.version}, ${absoluteTime(row.date)}`,
        one: 'deploy',
      }),
    [service.id],
  );
  const isServing = serving !== undefined && other === serving.id;
  return (
    <Section mt={24} aria-label="Comparison">
      <Heading>Compare</Heading>
      <Group align="end" gap="xs" mb="md">
        <ChoiceInput
          label="Compare with"
          empty="Choose a deploy"
          from={others}
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
      {isServing && canReturnTo(release, serving) && <RollBack to={release} />}
    </Section>
  );
};
