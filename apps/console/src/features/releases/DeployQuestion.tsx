/** Fields of the deploy dialog: environment and reason. */
import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { environments } from '@quarterdeck/events';

interface Wish {
  env: number;
  why: string;
}

/** Maximum length that the call accepts. */
const LONGEST_WHY = 500;

interface WhyProps extends Omit<TextInputProps, 'onChange'> {
  onChange: (why: string) => void;
}

/** The reason for a deploy or a rollback. */
export const Why = ({ onChange, ...props }: WhyProps) => (
  <TextInput
    label="Why"
    description="Optional. Shown in the deploy's record and in the history."
    maxLength={LONGEST_WHY}
    onChange={({ currentTarget: { value } }) => onChange(value)}
    {...props}
  />
);

interface DeployQuestionProps {
  initial: Wish;
  onChange: (change: Partial<Wish>) => void;
}

/** Body of the dialog, without its buttons. */
export const DeployQuestion = ({ initial, onChange }: DeployQuestionProps) => (
  <>
    <p>The current version keeps serving until the new one is ready.</p>
    <NativeSelect
      label="Environment"
      description="The service gets the variables of this environment."
      data={environments.map((label, at) => ({ value: String(at + 1), label }))}
      defaultValue={String(initial.env)}
      onChange={({ currentTarget: { value } }) => onChange({ env: Number(value) })}
      mb="sm"
    />
    <Why defaultValue={initial.why} onChange={(why) => onChange({ why })} />
  </>
);
