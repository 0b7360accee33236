/** A day and a time that somebody chooses, in local time. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { fromLocalInput, toLocalInput } from './local-time';
import { TIME_ZONE } from './time-zone';

interface InstantInputProps extends Pick<TextInputProps, 'label' | 'error'> {
  /** ISO 8601 */
  value: string | undefined;
  /** @param instant undefined: none, or one that is not complete */
  onChange: (instant: string | undefined) => void;
  /** What it means if nothing is chosen: `now`. */
  empty?: string;
  /** The smallest step that can be chosen. */
  upTo?: 'minutes' | 'seconds';
}

export const InstantInput = ({ value, onChange, empty, upTo = 'seconds', ...others }: InstantInputProps) => (
  <TextInput
    {...others}
    type="datetime-local"
    description={`Local time, ${TIME_ZONE}.${empty === undefined ? '' : ` Empty: ${empty}.`}`}
    {...(upTo === 'seconds' && { step: 1 })}
    value={toLocalInput(value, upTo)}
    onChange={({ currentTarget }) => onChange(fromLocalInput(currentTarget.value))}
  />
);
