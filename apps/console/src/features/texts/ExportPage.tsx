/** A file of the texts: all, of one language, of what changed since an instant, and as of any instant. */
import { Box, Group, NativeSelect } from '@mantine/core';
import { texts, type Sent } from '@quarterdeck/contract';
import type { Format } from '@quarterdeck/texts/formats';
import { languages } from '@quarterdeck/texts/languages';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { requestOf } from '../../core/calls';
import { send } from '../../core/http';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Stacked } from '../../ui/Columns';
import { InstantInput } from '../../ui/InstantInput';
import { Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { absoluteTime } from '../../ui/RelativeTime';
import { saveBlob } from '../../ui/save-text';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { wordsOf, type TextsOf } from './text-words';

const formatWords: Readonly<Record<Format, string>> = {
  json: 'JSON, flat',
  'json-nested': 'JSON, nested by the dots of the keys',
  csv: 'CSV, a column for each language',
  'csv-spreadsheet': 'CSV for spreadsheets (nothing becomes a formula)',
  'xliff-1.2': 'XLIFF 1.2',
  'xliff-2.0': 'XLIFF 2.0',
  po: 'gettext PO',
};

export const ExportPage = ({ base, product: { id }, isCms }: TextsOf) => {
  const past = useAsOf();
  const [format, setFormat] = useState('json');
  const [language, setLanguage] = useState('');
  const [from, setFrom] = useState<string>();
  const [until, setUntil] = useState<string>();
  const { act, busy, failure, dismiss } = useAction();
  const words = wordsOf(isCms);
  const at = past ?? until;
  const isBackwards = from !== undefined && at !== undefined && past === undefined && from >= at;
  const save = () =>
    act({
      send: () =>
        saveExport({
          product: { id },
          isCms,
          format: format as 'json',
          ...(language !== '' && { languages: [Number(language)] }),
          ...(from !== undefined && { since: from }),
          ...(at !== undefined && { at }),
        }),
      done: (name) => toast.success(`${name} was saved.`),
      failed: 'Nothing was exported',
    });
  return (
    <>
      <PageHeader
        title={`Export ${words.many}`}
        description={<Link to={base}>Back to the {words.many}</Link>}
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <Stacked component="section" maw={520} aria-label="What is exported">
        <NativeSelect
          label="Format"
          value={format}
          data={Object.entries(formatWords).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget: { value } }) => setFormat(value)}
        />
        <NativeSelect
          label="Languages"
          value={language}
          data={[
            { value: '', label: 'All that have texts' },
            ...languages.map(({ name }, index) => ({ value: String(index + 1), label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => setLanguage(value)}
        />
        <InstantInput
          label="Only what changed since"
          empty="everything"
          upTo="minutes"
          value={from}
          onChange={setFrom}
        />
        {past === undefined ? (
          <InstantInput
            label="As of"
            empty="now"
            upTo="minutes"
            error={isBackwards && 'Choose an instant after "Only what changed since".'}
            value={until}
            onChange={setUntil}
          />
        ) : (
          <Note>As of {absoluteTime(past) || `event ${past}`}, the instant that this page shows.</Note>
        )}
        <Group>
          <Action icon={IconDownload} loading={busy} disabled={isBackwards} does={save}>
            Export
          </Action>
        </Group>
        <Box c="dimmed" fz={12}>
          Several files come as one ZIP. The export of an instant is, byte for byte, the one taken then.
        </Box>
      </Stacked>
    </>
  );
};

/** Throws an `ApiError` if no file was saved. @returns its name */
const saveExport = async (asked: Sent<typeof texts.export>): Promise<string> => {
  const answer = await send(requestOf(texts.export, asked));
  if ('error' in answer) throw answer.error;
  const { name, blob } = answer.data as { name: string; blob: Blob };
  saveBlob(name, blob);
  return name;
};
