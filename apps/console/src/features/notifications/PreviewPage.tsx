/** What a user of the product sees, in a language and at a time. */
import { Box, Flex, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { notifications, type Answer } from '@quarterdeck/contract';
import { edgesOf, phaseAt } from '@quarterdeck/events';
import { languages } from '@quarterdeck/texts/languages';
import { IconBellOff } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useAsOf } from '../../core/as-of/as-of-state';
import { Card, Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Lines, List } from '../../ui/List';
import { Dim, Mono, Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { absoluteTime } from '../../ui/RelativeTime';
import { fromLocalInput, toLocalInput, zoneInWords } from '../../ui/local-time';
import look from '../../ui/look.module.css';
import { withParams } from '../../ui/params';
import { reasonNotShown, shownIn, windowInWords } from './notification-words';
import { useClock } from './use-clock';

type Previewed = Answer<typeof notifications.preview>[number];

/** Renders Markdown: the texts are another feature's. */
export type Says = (text: string, of: { label: string; lang: string; dir: 'ltr' | 'rtl' }) => ReactNode;

interface PreviewPageProps {
  base: string;
  product: string;
  says: Says;
  /** Address of the CMS text. */
  textPath: (id: string) => string;
}

export const PreviewPage = ({ base, product, says, textPath }: PreviewPageProps) => {
  const [search, setSearch] = useSearchParams();
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((latest) => withParams(latest, changes), { replace: true, preventScrollReset: true });
  const language = languages.find(({ code }) => code === search.get('language')) ?? languages[0];
  // `at` in an address is the instant of the whole console.
  const typed = search.get('time') ?? '';
  const chosen = fromLocalInput(typed);
  const isPast = useAsOf() !== undefined;
  const query = useAnswer(notifications.preview, {
    product: { id: product },
    language: languages.indexOf(language) + 1,
  });
  const edges = useMemo(() => edgesOf(query.data ?? []), [query.data]);
  const clock = useClock(edges);
  const at = chosen === undefined ? clock : Date.parse(chosen);
  return (
    <>
      <PageHeader
        title="Preview"
        description={
          <>
            What a user of the product sees. <Link to={base}>Back to the notifications</Link>
          </>
        }
      />
      <Flex gap={12} align="flex-end" wrap="wrap" mb={24}>
        <NativeSelect
          label="Language"
          value={language.code}
          data={languages.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={({ currentTarget: { value } }) => set({ language: value === 'en' ? undefined : value })}
        />
        <SegmentedControl
          aria-label="When"
          value={chosen === undefined ? 'now' : 'at'}
          data={[
            { value: 'now', label: isPast ? 'As of the chosen time' : 'Now' },
            { value: 'at', label: 'At another time' },
          ]}
          onChange={(value) =>
            set({ time: value === 'now' ? undefined : toLocalInput(new Date(clock).toISOString()) })
          }
        />
        {chosen !== undefined && (
          <TextInput
            label={`Time (${zoneInWords()})`}
            type="datetime-local"
            value={typed}
            onChange={({ currentTarget: { value } }) => value !== '' && set({ time: value })}
          />
        )}
      </Flex>
      {chosen !== undefined && (
        <Note mb={16}>
          The notifications and texts are those of {isPast ? 'the chosen instant' : 'today'}; only the clock
          is set to {absoluteTime(chosen)}.
        </Note>
      )}
      <DataView query={query} what="Preview">
        {(all) => (
          <Shown
            all={all}
            at={at}
            language={language}
            says={says}
            textPath={textPath}
            next={edges.find((edge) => edge > at)}
          />
        )}
      </DataView>
    </>
  );
};

interface ShownProps extends Pick<PreviewPageProps, 'says' | 'textPath'> {
  all: readonly Previewed[];
  /** Milliseconds since 1970. */
  at: number;
  language: (typeof languages)[number];
  /** The next time at which another one is due, or one ends. */
  next: number | undefined;
}

const Shown = ({ all, at, language, says, textPath, next }: ShownProps) => {
  const shown = all.filter((one) => one.text !== undefined && phaseAt(one, at) === 'due');
  const others = all.filter((one) => !shown.includes(one));
  return (
    <>
      <Section title="Shown">
        {shown.length === 0 ? (
          <EmptyState title="Nothing is shown" icon={IconBellOff}>
            {all.length === 0
              ? 'This product has no notifications yet.'
              : 'None of the notifications is due at this time.'}
          </EmptyState>
        ) : (
          <List gap={12} aria-label="Shown notifications">
            {shown.map((one) => (
              <li key={one.uuid}>
                <Card title={one.type.name} actions={<Dim fz={13}>{windowInWords(one)}</Dim>}>
                  {says(one.text ?? '', shownIn(one, language))}
                  <Note below fz={13}>
                    <Link to={textPath(one.cms.uuid)}>{one.cms.key}</Link>
                    {one.language !== language.code && ` · in English: it has no text in ${language.name}`}
                    {one.isValidationRequired && ' · users have to confirm it'}
                  </Note>
                </Card>
              </li>
            ))}
          </List>
        )}
        {next !== undefined && <Note below>Next change: {absoluteTime(new Date(next).toISOString())}</Note>}
      </Section>
      {others.length > 0 && (
        <Section title="Not shown" mt={24}>
          <Lines aria-label="Notifications that are not shown">
            {others.map((one) => (
              <Box component="li" key={one.uuid} className={look.wrap}>
                {one.type.name} <Mono>{one.cms.key || 'deleted text'}</Mono>:{' '}
                {reasonNotShown(one, at, language.name)}
              </Box>
            ))}
          </Lines>
        </Section>
      )}
    </>
  );
};
