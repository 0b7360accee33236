/** One key: what it says in each language, and what people say about it. */
import { Stack } from '@mantine/core';
import { texts } from '@quarterdeck/contract';
import { textUpdate } from '@quarterdeck/events/inputs';
import type { TextView } from '@quarterdeck/projections';
import { languages } from '@quarterdeck/texts/languages';
import { IconTrash } from '@tabler/icons-react';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useCallback, useMemo, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { useSession } from '../../core/session';
import { By } from '../../records/actor';
import { HistoryBelow, undoOf } from '../../records/history';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { CopyText } from '../../ui/CopyText';
import { DetailPage } from '../../ui/DetailPage';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import type { Field } from '../../ui/form/fields';
import { useLeaveGuard } from '../../ui/form/use-leave-guard';
import { Note, TextBlock } from '../../ui/Note';
import { loaded } from '../../ui/query';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { Comments } from './Comments';
import { StateStrip } from './KeyTable';
import { textPath, wordsOf, type TextsOf } from './text-words';
import { Unit } from './Unit';

export const TextPage = (of: TextsOf) => {
  const { id = '' } = useParams();
  return <TextOf key={id} {...of} id={id} />;
};

const TextOf = ({ id, ...of }: TextsOf & { id: string }) => {
  const query = useAnswer(texts.detail, { uuid: id, isCms: of.isCms });
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const isMissing = loaded(query).error?.status === 404;
  // The history leads to a content by the address of a text, since both have the same events.
  const other = useAnswer(texts.detail, isMissing ? { uuid: id, isCms: !of.isCms } : skipToken);
  // Each language has a form of its own, but a page can ask only once.
  useLeaveGuard(drafts.size > 0);
  const keep = (name: string, draft: string | undefined): void =>
    setDrafts((before) => {
      if (before.get(name) === draft) return before;
      const others = [...before].filter(([other]) => other !== name);
      return new Map(draft === undefined ? others : [...others, [name, draft]]);
    });
  if (isMissing && other.currentData) return <Navigate to={textPath(of.otherBase, id)} replace />;
  return (
    <>
      <PageView query={query} what={of.isCms ? 'Content' : 'Text'} subject={{ category: 'text', id }}>
        {(text) => <Text {...of} text={text} refetch={query.refetch} keep={keep} />}
      </PageView>
      {isMissing && drafts.size > 0 && <Unsaved drafts={drafts} />}
    </>
  );
};

/** The forms have gone with the key. */
const Unsaved = ({ drafts }: { drafts: ReadonlyMap<string, string> }) => (
  <Section title="What you had not saved">
    <Note mb={8}>The key was deleted while you were writing. Copy what you still need.</Note>
    <Facts
      label="What you had not saved"
      facts={[...drafts].map(([name, draft]) => [
        name,
        <TextBlock key={name} aria-label={`${name}, not saved`}>
          {draft}
        </TextBlock>,
      ])}
    />
  </Section>
);

interface TextProps extends TextsOf {
  text: TextView;
  refetch: () => unknown;
  /** Keeps what was typed and not saved, by where. */
  keep: (where: string, draft: string | undefined) => void;
}

const Text = ({ base, isCms, text, refetch, keep }: TextProps) => {
  const { can } = useSession();
  const words = wordsOf(isCms);
  const [remove] = useChange(texts.delete);
  const { act, failure, dismiss } = useAction();
  const drop = () =>
    act({
      ask: {
        title: `Delete ${text.key}?`,
        body: 'Are you sure you would like to delete? Its texts in all languages go with it. You can undo this.',
        confirmLabel: `Delete ${words.one}`,
        danger: true,
      },
      send: () => remove({ uuid: text.id }).unwrap(),
      done: () => toast.success(`${text.key} was deleted.`, undoOf({ category: 'text', id: text.id })),
      failed: `${text.key} was not deleted`,
      to: base,
    });
  return (
    <DetailPage
      back={{ to: base, label: words.title }}
      name={text.key}
      facts={[
        { label: 'Languages', value: <StateStrip states={text.states} /> },
        { label: 'Added', value: <By id={text.addedBy} at={text.addedAt} /> },
        { label: 'Last changed', value: <By id={text.changedBy} at={text.changedAt} /> },
      ]}
      actions={[
        {
          label: `Delete ${words.one}`,
          icon: <IconTrash size={16} />,
          onClick: () => void drop(),
          danger: true,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <KeyFacts text={text} />
      <Stack gap={0} mt={16}>
        {languages.map((language) => (
          <Unit
            key={language.code}
            text={text}
            language={language}
            refetch={refetch}
            onDraft={(draft) => keep(language.name, draft)}
          />
        ))}
      </Stack>
      <Comments text={text} onDraft={(draft) => keep('Comment', draft)} />
      {can('admin') && <HistoryBelow category="text" id={text.id} name={text.key} />}
    </DetailPage>
  );
};

const keyField: Field = {
  name: 'key',
  label: 'Key',
  type: 'text',
  mono: true,
  help: 'The product finds the text by it.',
};

const icuField: Field = {
  name: 'isIcu',
  label: 'ICU message',
  type: 'checkbox',
  help: 'Off: arguments such as {name} are not compared with those of the English text.',
};

const same = (a: TextView, b: TextView): boolean => a.key === b.key && a.isIcu === b.isIcu;

/** The key and whether it is an ICU message, seen or edited in place. */
const KeyFacts = ({ text }: { text: TextView }) => (
  <EditInPlace
    title="Key"
    view={
      <Facts
        facts={[
          ['Key', <CopyText key="key" value={text.key} mono />],
          ...(text.isCms ? [] : [['ICU message', text.isIcu ? 'yes' : 'no'] as const]),
        ]}
      />
    }
    form={(done) => <KeyForm text={text} onDone={done} />}
  />
);

const KeyForm = ({ text, onDone }: { text: TextView; onDone: () => void }) => {
  const [update] = useChange(texts.update);
  const { opened, revision, touch } = useEditBase(text, same);
  const initial = useMemo(() => ({ key: opened.key, isIcu: opened.isIcu }), [opened]);
  const onTouched = useCallback((touched: boolean) => touch(touched), [touch]);
  return (
    <ResourceForm
      label="Edit key"
      schema={textUpdate.shape.data}
      fields={text.isCms ? [keyField] : [keyField, icuField]}
      initial={initial}
      submitLabel="Save key"
      onTouched={onTouched}
      onCancel={onDone}
      onSubmit={async (data, { current }) => {
        await update({ uuid: text.id, data, revision: revision(current) }).unwrap();
        toast.success(`${data.key ?? text.key} was saved.`);
        onDone();
      }}
    />
  );
};
