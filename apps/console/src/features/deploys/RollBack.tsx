/** Rolls back to a deploy. Where values of it were destroyed, each of those variables needs a choice first. */
import { Box, Button, Group, NativeSelect } from '@mantine/core';
import { deploys, variables } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAsOf } from '../../core/as-of/as-of-state';
import { paths } from '../../core/paths';
import { ActionFailure, newRunId } from '../../records/runs';
import type { Release } from '../../records/verdicts';
import { useAction } from '../../ui/use-action';
import { NOTHING_DONE, Why } from './DeployQuestion';

type Instead = 'today' | 'nothing';
type Chosen = Readonly<Record<string, Instead | undefined>>;

export const RollBack = ({ to }: { to: Release }) => {
  const [rollBack] = useChange(deploys.rollback);
  const [why, setWhy] = useState('');
  const [chosen, setChosen] = useState<Chosen>({});
  const [isAsked, setAsked] = useState(false);
  const { act, busy, failure, dismiss } = useAction();
  const isPast = useAsOf() !== undefined;
  const missing = to.variables.filter(({ destroyed }) => destroyed).map(({ key }) => key);
  const carryOut = async (): Promise<void> => {
    setAsked(true);
    if (missing.some((key) => chosen[key] === undefined)) return;
    const runId = newRunId();
    const without = missing.filter((key) => chosen[key] === 'nothing');
    const instead = {
      ...(without.length < missing.length && { today: true }),
      ...(without.length > 0 && { without }),
    };
    await act({
      send: () => rollBack({ id: to.id, runId, why, ...instead }).unwrap(),
      failed: NOTHING_DONE,
      to: paths.run(runId),
    });
  };
  return (
    <DisabledInPast>
      <ActionFailure failure={failure} onClose={dismiss} />
      {missing.length > 0 && !isPast && (
        <Missing
          of={to}
          keys={missing}
          chosen={chosen}
          isAsked={isAsked}
          onChoose={(key, instead) => setChosen((before) => ({ ...before, [key]: instead }))}
        />
      )}
      <Group align="end" gap="xs" mb="md">
        <Why value={why} onChange={setWhy} w={480} maw="100%" />
        <Button loading={busy} onClick={() => void carryOut()}>
          Roll back to {to.package.version}
        </Button>
      </Group>
    </DisabledInPast>
  );
};

interface MissingProps {
  of: Release;
  keys: readonly string[];
  chosen: Chosen;
  /** Whether variables without a choice are named as such. */
  isAsked: boolean;
  onChoose: (key: string, instead: Instead | undefined) => void;
}

const Missing = ({ of: { service, env }, keys, chosen, isAsked, onChoose }: MissingProps) => {
  const { data } = useAnswer(variables.prints, { service: { id: service.id }, env: env.id });
  const now = new Set(data?.map(({ key }) => key));
  const where = environments[env.id - 1] ?? '';
  return (
    <Box component="section" m="24px 0 16px" aria-label="Destroyed values">
      <p>
        {keys.length === 1 ? 'One value' : `${keys.length} values`} that this deploy kept{' '}
        {keys.length === 1 ? 'was' : 'were'} destroyed. Choose what the rollback has instead.
      </p>
      {keys.map((key) => (
        <NativeSelect
          key={key}
          label={key}
          description={data && !now.has(key) ? `It has no value in ${where} today.` : undefined}
          data={[
            { value: '', label: 'Choose' },
            { value: 'today', label: 'Use its value of today', disabled: !now.has(key) },
            { value: 'nothing', label: 'Go without it' },
          ]}
          value={chosen[key] ?? ''}
          error={isAsked && chosen[key] === undefined && 'Choose what it has instead'}
          onChange={({ currentTarget: { value } }) =>
            onChoose(key, value === '' ? undefined : (value as Instead))
          }
          maw={480}
          mb="sm"
        />
      ))}
    </Box>
  );
};
