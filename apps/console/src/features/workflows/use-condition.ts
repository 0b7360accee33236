/** Says under its field why a condition does not compile, while it is typed. */
import { useDebouncedValue } from '@mantine/hooks';
import { workflows } from '@quarterdeck/contract';
import { useCallback, useState } from 'react';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';

const PAUSE_MS = 300;

/**
 * @param whenIn the condition in the values of the form; keep it stable between renders
 * @returns the condition as typed, `onDraft` of the form, and the message: never one about an earlier text
 */
export const useCondition = (whenIn: (values: Record<string, unknown>) => unknown, start = '') => {
  const inPast = useAsOf() !== undefined;
  const [typed, setTyped] = useState(start);
  const [paused] = useDebouncedValue(typed, PAUSE_MS);
  const skip = inPast || paused.trim() === '';
  const { currentData } = useAnswer(workflows.judge, { when: paused }, { skip });
  const onDraft = useCallback(
    (values: Record<string, unknown>) => {
      const when = whenIn(values);
      setTyped(typeof when === 'string' ? when : '');
    },
    [whenIn],
  );
  return { typed, onDraft, problem: paused === typed ? currentData?.problem : undefined };
};
