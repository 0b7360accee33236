/** Fields of the deploy dialog: environment and reason. */
import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import type { MovedLocation } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';

interface Wish {
  env: number;
  why: string;
}

/** Title of every refusal of these pages. */
export const NOTHING_DONE = 'Nothing was done';

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
  const { data } = useAnswer(deploys.plan, { id: service });
  if (!data) return null;
  return (
    <>
      {data.moves.length > 0 && <MovesNow plan={data} />}
      {data.waiting.map(({ site, port }) => (
        <p key={`${site} ${port}`}>
          {site} leads to port {port} until its changes are applied. Until then the service answers there too.
        </p>
      ))}
    </>
  );
};

const MovesNow = ({ plan }: { plan: { port: number; moves: readonly MovedLocation[] } }) => (
  <>
    <p>The service has another port now. This deploy makes these locations lead to port {plan.port}.</p>
    <ul>
      {plan.moves.map(({ domain, location, from }) => (
        <li key={location.id}>
          {domain.name} {location.path}, which leads to port {from}
        </li>
      ))}
    </ul>
  </>
);

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
