/** Whether the arguments of a text are those of the English one, said while somebody types. It never refuses a text. */
import { Box } from '@mantine/core';
import { argumentsOf, icuProblems, type IcuProblem } from '@quarterdeck/texts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Bullets } from '../../ui/List';

interface IcuHintsProps {
  /** Undefined for the English text itself: then only its own form is judged. */
  english: string | undefined;
  text: string;
}

export const IcuHints = ({ english, text }: IcuHintsProps) => {
  const hints = useMemo(() => hintsOf(english, text), [english, text]);
  return (
    <Box role="status" fz={12} c={hints.length > 0 ? 'var(--qd-warn)' : undefined}>
      {hints.length === 1 && (
        <>
          <IconAlertTriangle size={13} aria-hidden /> {hints[0]}
        </>
      )}
      {hints.length > 1 && (
        <Bullets>
          {hints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </Bullets>
      )}
    </Box>
  );
};

const NO_MESSAGE =
  'This is not a valid ICU message, for example because of a single { or an unclosed tag. If it is not meant to be one, mark the key as not ICU.';

export const hintsOf = (english: string | undefined, text: string): string[] => {
  if (text === '') return [];
  if (!argumentsOf(text)) return [NO_MESSAGE];
  // An English text that is no message says nothing about the others. Its own editor says so.
  return (english === undefined ? [] : (icuProblems(english, text) ?? [])).map(inWords);
};

const inWords = ({ kind, argument, from = '', to = '' }: IcuProblem): string => {
  switch (kind) {
    case 'lost':
      return `${argument} of the English text is missing.`;
    case 'added':
      return `${argument} is not in the English text.`;
    case 'changed':
      return `${argument} is a ${from} in English, and a ${to} here.`;
  }
};
