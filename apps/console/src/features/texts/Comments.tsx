/** What people say about a key, or about its text in a language. */
import { Box, Button, Group, NativeSelect, Textarea } from '@mantine/core';
import { texts } from '@quarterdeck/contract';
import { textCommentInsert } from '@quarterdeck/events/inputs';
import type { TextView } from '@quarterdeck/projections';
import { languages } from '@quarterdeck/texts/languages';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { By } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { Lines } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { languageAt, type OnDraft } from './text-words';

export const Comments = ({ text, onDraft }: { text: TextView; onDraft: OnDraft }) => {
  const [draft, setDraft] = useState('');
  const [about, setAbout] = useState('');
  const [insert] = useChange(texts.insertComment);
  const [remove] = useChange(texts.deleteComment);
  const { act, busy, failure, dismiss } = useAction();
  const type = (typed: string): void => {
    setDraft(typed);
    onDraft(typed === '' ? undefined : typed);
  };
  const asked = { uuid: text.id, text: draft, ...(about !== '' && { language: Number(about) }) };
  const parsed = textCommentInsert.safeParse(asked);
  const add = () =>
    act({
      send: () => insert(asked).unwrap(),
      done: () => type(''),
      failed: 'The comment was not added',
    });
  const drop = (comment: string) =>
    act({
      ask: {
        title: 'Remove the comment?',
        body: 'Are you sure you would like to delete?',
        confirmLabel: 'Remove comment',
        danger: true,
      },
      send: () => remove({ uuid: text.id, comment }).unwrap(),
      failed: 'The comment was not removed',
    });
  return (
    <Section title="Comments" mt={24} maw={880}>
      <ActionFailure failure={failure} onClose={dismiss} />
      {text.comments.length === 0 ? (
        <Note mb={12}>No comments yet. A comment can tell translators where a text is shown.</Note>
      ) : (
        <Lines mb={12}>
          {text.comments.map(({ id, text: said, language, at, by }) => (
            <Box component="li" key={id} p="8px 12px">
              <Group gap={8} justify="space-between" align="start" wrap="nowrap">
                <div className={look.text}>{said}</div>
                <DisabledInPast>
                  <Button
                    variant="subtle"
                    color="red"
                    flex="none"
                    disabled={busy}
                    onClick={() => void drop(id)}
                  >
                    Remove
                  </Button>
                </DisabledInPast>
              </Group>
              <Note fz={12}>
                {language && `on ${languageAt(language.id)?.name}, `}
                <By id={by} at={at} />
              </Note>
            </Box>
          ))}
        </Lines>
      )}
      <DisabledInPast>
        <Textarea
          label="New comment"
          value={draft}
          rows={2}
          resize="vertical"
          error={draft !== '' && parsed.error?.issues[0]?.message}
          onChange={({ currentTarget: { value } }) => type(value)}
        />
        <Group gap={8} mt={8} align="end">
          <NativeSelect
            aria-label="About"
            value={about}
            data={[
              { value: '', label: 'About the key' },
              ...languages.map(({ name }, at) => ({ value: String(at + 1), label: `About ${name}` })),
            ]}
            onChange={({ currentTarget: { value } }) => setAbout(value)}
          />
          <Button loading={busy} disabled={!parsed.success} onClick={() => void add()}>
            Comment
          </Button>
        </Group>
      </DisabledInPast>
    </Section>
  );
};
