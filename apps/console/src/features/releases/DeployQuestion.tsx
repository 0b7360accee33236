/** Fields of the deploy dialog: environment and reason. */
import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { releases } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import { useAnswer } from '../../core/calls';

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

const Moves = ({ service }: { service: string }) => {
  const { data } = useAnswer(releases.plan, { id: service });
  if (!data || data.moves.length === 0) return null;
  return (
    <>
      <p>
        The service has another port now. This deploy makes these locations lead to port {data.port}. The
        service also answers at the earlier port until their sites are applied.
      </p>
      <ul>
        {data.moves.map(({ domain, location, from }) => (
          <li key={location.id}>
            {domain.name} {location.path}, which leads to port {from}
          </li>
        ))}
      </ul>
    </>
  );
};

interface DeployQuestionProps {
  service: string;
  initial: Wish;
  onChange: (change: Partial<Wish>) => void;
}

/** Body of the dialog, without its buttons. */
export const DeployQuestion = ({ service, initial, onChange }: DeployQuestionProps) => (
  <>
    <p>The current version keeps serving until the new one is ready.</p>
    <Moves service={service} />
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
