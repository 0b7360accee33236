/** The values that a plan asks for: existing rows need them in columns that are new, or become required. */
import { Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { hasEffect } from '@quarterdeck/data-model';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { Title } from '../../ui/heading';
import type { Finding } from './version-words';

export interface GivenValue {
  where: string;
  value: string;
}

export const questionsIn = (findings: readonly Finding[]): Finding[] =>
  findings.filter((finding) => finding.asks !== undefined && hasEffect(finding));

interface PlanQuestionsProps {
  questions: readonly Finding[];
  /** How many values were given before: they are sent again, in front of these. */
  earlier: number;
  /** The refusal of each value, by its place. */
  refusals: Readonly<Record<string, string>>;
  isLoading: boolean;
  onGive: (values: GivenValue[]) => Promise<unknown>;
}

export const PlanQuestions = ({ questions, earlier, refusals, isLoading, onGive }: PlanQuestionsProps) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const values = questions.map(({ where }) => ({ where, value: typed[where] ?? '' }));
  return (
    <form
      aria-label="Values for existing rows"
      onSubmit={(event) => {
        event.preventDefault();
        void onGive(values);
      }}
    >
      <Title least={3} mt={16} mb={8}>
        Values for existing rows
      </Title>
      <Stack gap="xs" maw={420}>
        {questions.map(({ where, asks, rows = 0 }, at) => (
          <TextInput
            key={where}
            label={where}
            description={`${asks}, for ${count(rows, 'row')}`}
            value={typed[where] ?? ''}
            error={refusals[`values.${earlier + at}.value`]}
            onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [where]: value })}
          />
        ))}
      </Stack>
      <DisabledInPast>
        <Action mt="md" icon={IconCheck} loading={isLoading} does={() => onGive(values)}>
          Use these values
        </Action>
      </DisabledInPast>
    </form>
  );
};
