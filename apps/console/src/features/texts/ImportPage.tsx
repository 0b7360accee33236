/** Importing texts: choose a file, see what it would change, decide, confirm. Nothing is recorded before the preview. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { texts, type Answer, type Sent } from '@quarterdeck/contract';
import { languages } from '@quarterdeck/texts/languages';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Stacked } from '../../ui/Columns';
import { PageHeader } from '../../ui/PageHeader';
import { useAction } from '../../ui/use-action';
import { base64Of, FileChoice, type ChosenFile } from './FileChoice';
import { Imported } from './Imported';
import { ImportReview } from './ImportReview';
import { wordsOf, type TextsOf } from './text-words';

export type ImportAsked = Sent<typeof texts.preview>;
type Preview = Answer<typeof texts.preview>;

export const ImportPage = ({ base, product: { id }, isCms }: TextsOf) => {
  const words = wordsOf(isCms);
  const [file, setFile] = useState<ChosenFile>();
  const [language, setLanguage] = useState('');
  const [look] = useChange(texts.preview);
  const [reviewed, setReviewed] = useState<{ asked: ImportAsked; preview: Preview }>();
  const [run, setRun] = useState<string>();
  const { act, busy, failure, dismiss } = useAction();
  const problem = failure?.error.data?.content ?? failure?.error.data?.name;

  const askFor = async (chosen: ChosenFile) => {
    const asked: ImportAsked = {
      product: { id },
      isCms,
      name: chosen.name,
      content: await base64Of(chosen.bytes),
      ...(language !== '' && { language: Number(language) }),
    };
    return { asked, preview: await look(asked).unwrap() };
  };
  const preview = () =>
    file && act({ send: () => askFor(file), done: setReviewed, failed: 'There is no preview' });
  return (
    <>
      <PageHeader
        title={`Import ${words.many}`}
        description={<Link to={base}>Back to the {words.many}</Link>}
      />
      {run !== undefined ? (
        <Imported run={run} base={base} isCms={isCms} />
      ) : reviewed ? (
        <ImportReview
          {...reviewed}
          onPreview={(next, asked) => setReviewed({ asked, preview: next })}
          onBack={() => setReviewed(undefined)}
          onStarted={setRun}
        />
      ) : (
        <Stacked component="section" maw={720} aria-label="What is imported">
          {problem === undefined && <ActionFailure failure={failure} onClose={dismiss} />}
          <FileChoice
            problem={problem}
            onChosen={(chosen) => {
              dismiss();
              setFile(chosen);
            }}
          />
          <NativeSelect
            label="Language"
            description="Only needed if neither the file nor its name says it, such as fr.json."
            error={failure?.error.data?.language}
            value={language}
            data={[
              { value: '', label: 'As the file says' },
              ...languages.map(({ name }, at) => ({ value: String(at + 1), label: name })),
            ]}
            onChange={({ currentTarget: { value } }) => {
              dismiss();
              setLanguage(value);
            }}
          />
          <Group gap={8}>
            <DisabledInPast>
              <Action icon={IconSearch} loading={busy} disabled={!file} does={preview}>
                Preview
              </Action>
            </DisabledInPast>
            <Button component={Link} to={base} variant="default">
              Cancel
            </Button>
          </Group>
        </Stacked>
      )}
    </>
  );
};
