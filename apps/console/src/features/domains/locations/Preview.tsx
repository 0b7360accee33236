/** Previews the configuration with the typed location, compared with the saved one. */
import { sites } from '@quarterdeck/contract';
import { problemsInWords, problemsOfLocation, type DomainView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useAnswer } from '../../../core/calls';
import { toApiError, type ApiError } from '../../../core/http';
import { CodeDiff } from '../../../ui/code';
import { ErrorState } from '../../../ui/ErrorState';
import { Loading } from '../../../ui/Loading';
import type { LocationFields } from './location-values';
import classes from '../domains.module.css';
import { Note } from '../../../ui/Note';
import { Title } from '../../../ui/heading';
import { Box } from '@mantine/core';
import look from '../../../ui/look.module.css';

export interface PreviewState {
  /** The configuration as saved. */
  base: string | undefined;
  /** The configuration with the typed values; while they are incomplete, with the last complete ones. */
  text: string | undefined;
  /** Problems of this location by field. */
  remarks: Record<string, string>;
  /** Problems of the rest of the site, as sentences. */
  elsewhere: string[];
  error: ApiError | undefined;
}

const none: Record<string, string> = {};

export const usePreview = (
  { id, locations, names }: DomainView,
  location: string | undefined,
  draft: LocationFields | undefined,
  /** The domain was deleted, so nothing can be generated for it. */
  gone = false,
): PreviewState => {
  const saved = useAnswer(sites.generate, { id }, { skip: gone });
  const argument = useMemo(
    () => ({
      id,
      draft: { ...(location !== undefined && { id: location }), data: draft ?? { location: '/' } },
    }),
    [id, location, draft],
  );
  const typed = useAnswer(sites.generate, argument, { skip: gone || draft === undefined });
  const place = locations.findIndex((known) => known.id === location);
  const problems = (draft && typed.currentData?.problems) ?? none;
  const { own, others } = useMemo(
    () => problemsOfLocation(problems, place < 0 ? locations.length : place),
    [problems, place, locations.length],
  );
  const failed = saved.error ?? (draft ? typed.error : undefined);
  return {
    base: saved.data?.nginxStatement,
    text: (typed.currentData ?? typed.data)?.nginxStatement,
    remarks: own,
    elsewhere: problemsInWords(others, locations, names),
    error: failed === undefined ? undefined : toApiError(failed),
  };
};

/** `typed`: whether the fields make a complete location. */
export const Preview = ({ preview, typed }: { preview: PreviewState; typed: boolean }) => {
  const { base, text, elsewhere, error } = preview;
  return (
    <section aria-label="Preview" className={classes.preview}>
      <Title least={3} mb={8}>
        Resulting configuration
      </Title>
      {error && <ErrorState error={error} what="Preview" inline />}
      {elsewhere.map((sentence) => (
        <Box component="p" className={look.wrap} my={8} key={sentence}>
          {sentence}
        </Box>
      ))}
      {base && text ? (
        <CodeDiff
          before={base}
          after={text}
          sides={{ before: 'As saved', after: typed ? 'With this location' : 'As typed last' }}
          language="nginx"
          narrow
        />
      ) : (
        !error && <ToBe text={text} typed={typed} />
      )}
    </section>
  );
};

const ToBe = ({ text, typed }: { text: string | undefined; typed: boolean }) =>
  typed && text === undefined ? (
    <Loading label="Generating" />
  ) : (
    <Note below>The preview appears when the fields are complete.</Note>
  );
