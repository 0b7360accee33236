/** Data of an instance, or a result, typed as JSON. */
import { Textarea, type TextareaProps } from '@mantine/core';
import type { Json } from '@quarterdeck/events';
import { useRef, useState, type ChangeEvent } from 'react';
import { jsonIn, noJsonIn } from '../../ui/form/json-text';
import look from '../../ui/look.module.css';

const EXAMPLE = '{"order": {"id": 41}}';

/**
 * `<JsonField label="Data" {...field} />`
 * @param initial shown until something is typed
 * @param blank what an empty field means; absent: it is wrong
 */
export const useJsonField = (initial: string, blank?: Json) => {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const input = useRef<HTMLTextAreaElement>(null);
  const text = typed ?? initial;
  /** Undefined if it is no JSON, which the field then says. */
  const read = (): Json | undefined => {
    if (blank !== undefined && text.trim() === '') return blank;
    const json = jsonIn(text) as Json | undefined;
    setError(json === undefined ? noJsonIn(text, EXAMPLE) : undefined);
    if (json === undefined) input.current?.focus();
    return json;
  };
  const onChange = ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>): void => {
    setTyped(currentTarget.value);
    setError(undefined);
  };
  return { read, field: { ref: input, value: text, error, onChange } };
};

export const JsonField = (props: TextareaProps) => (
  <Textarea
    rows={8}
    resize="vertical"
    spellCheck={false}
    classNames={{ input: look.mono ?? '' }}
    {...props}
  />
);
