/** The texts or the contents of a product: searched in keys and in texts of all languages, narrowed by language. */
import { Group, NativeSelect } from '@mantine/core';
import {
  IconChartGridDots,
  IconFileExport,
  IconFileImport,
  IconLanguage,
  IconPlus,
} from '@tabler/icons-react';
import { languages } from '@quarterdeck/texts/languages';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { withParams } from '../../ui/params';
import { SearchField } from '../../ui/SearchField';
import { KeyTable } from './KeyTable';
import { idOf, narrowedIn, narrowings, wordsOf, type TextsOf } from './text-words';

export const TextList = ({ base, product: { id: product }, isCms }: TextsOf) => {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [count, setCount] = useState<{ found: number | undefined; total: number | undefined }>();
  const { search, language, narrowing } = narrowedIn(params);
  const words = wordsOf(isCms);
  const asked = useMemo(
    () => ({
      product: { id: product },
      isCms,
      ...(search !== '' && { search }),
      ...(language && { language: idOf(language.code) }),
      ...(narrowing && { states: [...narrowings[narrowing].states] }),
    }),
    [product, isCms, search, language, narrowing],
  );
  const change = (next: Record<string, string>): void =>
    setParams(
      (latest) =>
        withParams(
          latest,
          Object.fromEntries(Object.entries(next).map(([name, value]) => [name, value || undefined])),
        ),
      { preventScrollReset: true, replace: 'q' in next },
    );
  useShortcut('n', () => void navigate(`${base}/add`));
  const onCount = useCallback(
    (found: number | undefined, total: number | undefined) => setCount({ found, total }),
    [],
  );
  const add = (
    <Action icon={IconPlus} does={`${base}/add`}>
      {words.add}
    </Action>
  );
  const importing = (
    <Action icon={IconFileImport} variant="default" does={`${base}/import`}>
      Import
    </Action>
  );
  const isNarrowed = search !== '' || narrowing !== undefined;
  return (
    <>
      <PageHeader
        title={words.title}
        count={count?.total}
        reading={
          <>
            <Action icon={IconChartGridDots} variant="default" does={`${base}/completeness`}>
              Completeness
            </Action>
            <Action icon={IconFileExport} variant="default" does={`${base}/export`}>
              Export
            </Action>
          </>
        }
        actions={
          <>
            {importing}
            {add}
          </>
        }
      />
      <Group gap={8} mb={12} align="center">
        <SearchField label={`Search keys and ${words.many}`} value={search} onChange={(q) => change({ q })} />
        <NativeSelect
          aria-label="State"
          size="xs"
          value={narrowing ?? ''}
          data={[
            { value: '', label: 'Any state' },
            ...Object.entries(narrowings).map(([value, { label }]) => ({ value, label })),
          ]}
          onChange={({ currentTarget: { value } }) => change({ is: value })}
        />
        <NativeSelect
          aria-label="Language"
          size="xs"
          value={language?.code ?? ''}
          data={[
            { value: '', label: 'in any language' },
            ...languages.map(({ code, name }) => ({ value: code, label: `in ${name}` })),
          ]}
          onChange={({ currentTarget: { value } }) => change({ language: value })}
        />
        {isNarrowed && count?.found !== undefined && (
          <span role="status">{count.found.toLocaleString('en')} found</span>
        )}
      </Group>
      <KeyTable
        key={JSON.stringify(asked)}
        label={words.title}
        base={base}
        asked={asked}
        onCount={onCount}
        empty={
          <EmptyState
            title={`No ${words.many} yet`}
            icon={IconLanguage}
            action={
              <DisabledInPast>
                <Group gap={8} justify="center">
                  {importing}
                  {add}
                </Group>
              </DisabledInPast>
            }
          >
            {isCms
              ? 'Pages, announcements and other Markdown of the product will appear here, in 14 languages.'
              : 'What the product says will appear here, by key and in 14 languages.'}
          </EmptyState>
        }
      />
    </>
  );
};
