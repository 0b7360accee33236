/** The values of secret variables that deploys keep for rollbacks, and their destruction after a leak. */
import { Button, Checkbox, Flex, Stack } from '@mantine/core';
import { deploys, type Answer } from '@quarterdeck/contract';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Title } from '../../ui/heading';
import type { Act } from '../../ui/use-action';
import { keptInWords, versionsInWords } from './variable-words';
import styles from './variables.module.css';
import look from '../../ui/look.module.css';
import { Stacked } from '../../ui/Columns';

type KeptValue = Answer<typeof deploys.keptValues>[number];

interface KeptValuesProps {
  service: string;
  env: number;
  /** Keys of the variables that the environment has; undefined while that is not known. */
  keys: ReadonlySet<string> | undefined;
  act: Act;
}

export const WHAT_STAYS =
  'What runs keeps it until the next deploy, and backups that were taken before keep it until they are deleted.';

export const KeptValues = ({ service, env, keys, act }: KeptValuesProps) => {
  const { currentData } = useAnswer(deploys.keptValues, { service: { id: service } });
  const [destroy] = useChange(deploys.destroyValue);
  const kept = currentData?.filter((one) => one.env.id === env) ?? [];
  if (!keys || kept.length === 0) return null;
  const ask = ({ key, releases: of }: KeptValue) =>
    act({
      ask: {
        title: `Destroy the kept values of ${key}?`,
        body: `${keptInWords(of)} A rollback then says that ${key} is missing, and can take the value of today. Deploys of other environments that keep the same value lose it too. ${WHAT_STAYS} This cannot be undone.`,
        confirmLabel: 'Destroy the values',
        danger: true,
      },
      send: () => destroy({ service: { id: service }, env, key }).unwrap(),
      done: `The kept values of ${key} were destroyed.`,
      failed: `The kept values of ${key} were not destroyed`,
    });
  return (
    <Stacked component="section" gap={8} maw={880} mt={24} aria-label="Kept by deploys">
      <Title>Kept by deploys</Title>
      <p>
        Deploys keep the values of their secret variables, so that they can be rolled back to. After a leak,
        destroy them here.
      </p>
      <Flex component="ul" className={look.list} gap={4} direction="column">
        {kept.map((one) => (
          <li key={one.key} className={styles.keptLine}>
            <span>
              <code>{one.key}</code>
              {!keys.has(one.key) && ' (deleted)'}
            </span>
            <span>{versionsInWords(one.releases)}</span>
            <DisabledInPast>
              <Button
                variant="subtle"
                color="red"
                aria-label={`Destroy the kept values of ${one.key}`}
                onClick={() => void ask(one)}
              >
                Destroy
              </Button>
            </DisabledInPast>
          </li>
        ))}
      </Flex>
    </Stacked>
  );
};

interface AlsoDestroyProps {
  of: KeptValue['releases'];
  onChange: (also: boolean) => void;
}

/** For the question whether to delete a variable. */
export const AlsoDestroy = ({ of, onChange }: AlsoDestroyProps) => (
  <Stack gap="sm">
    <span>
      Are you sure you would like to delete? An undo asks you to type the value again. {keptInWords(of)}{' '}
      {WHAT_STAYS}
    </span>
    <Checkbox
      label="Destroy these copies too"
      description="After a leak. A rollback to these deploys then says what is missing."
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </Stack>
);
