/**
 * Changes a text, or adds it where there is none. If somebody else changes it meanwhile, both versions are shown at once,
 * and nothing is saved before a choice between them.
 */
import { Box, Button, Group, Textarea } from '@mantine/core';
import { texts } from '@quarterdeck/contract';
import type { TextUnitView, TextView } from '@quarterdeck/projections';
import { MAX_TEXT_LENGTH, problemOf } from '@quarterdeck/texts/limits';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { ActionFailure } from '../../records/runs';
import { LineDiff } from '../../ui/line-diff';
import { Columns } from '../../ui/Columns';
import { By } from '../../records/actor';
import { part } from '../../ui/part';
import { useAction } from '../../ui/use-action';
import { idOf, written, type LanguageOf, type OnDraft } from './text-words';
import styles from './texts.module.css';

export const MarkdownPreview = part(
  () => import('./markdown/MarkdownPreview').then((all) => ({ default: all.MarkdownPreview })),
  'Loading the preview',
);

interface UnitFormProps {
  text: TextView;
  language: LanguageOf;
  /** The text as it is now, also if somebody else changed it since. */
  unit: TextUnitView | undefined;
  /** It has been saved and only the page does not show it yet. */
  isSaved: boolean;
  hints: false | ((typed: string) => ReactNode);
  onDraft: OnDraft;
  onSaved: () => void;
  /** The back end knows a newer text than the page. */
  onConflict: () => unknown;
  onCancel: () => void;
}

/** As many rows as the text has lines, roughly. */
const rowsFor = (draft: string, isCms: boolean): number => {
  const lines = draft.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 90)), 0);
  if (!isCms) return Math.min(lines, 10);
  return draft === '' ? 1 : Math.min(Math.max(lines + 1, 8), 24);
};

/** From here on, it is said how many characters are left. */
const NEAR_END = MAX_TEXT_LENGTH * 0.9;

export const UnitForm = (props: UnitFormProps) => {
  const { text, language, unit, isSaved, hints, onDraft, onSaved, onConflict, onCancel } = props;
  const [base, setBase] = useState(unit);
  const [draft, setDraft] = useState(unit?.name ?? '');
  const [isAsked, setAsked] = useState(false);
  const [insert] = useChange(texts.insertUnit);
  const [update] = useChange(texts.updateUnit);
  const { act, busy, failure, dismiss } = useAction();
  const { name, code } = language;
  const isDirty = draft !== (base?.name ?? '');
  const isElse = !isSaved && unit?.revision !== base?.revision;
  // What nobody has typed in follows the text, and so does one that was only reviewed.
  if (isElse && (!isDirty || unit?.name === base?.name || unit?.name === draft)) {
    setBase(unit);
    if (!isDirty) setDraft(unit?.name ?? '');
  }
  const isConflict = isElse && isDirty && unit?.name !== base?.name && unit?.name !== draft;
  const isLoading = busy || isSaved;
  const problem =
    problemOf(draft) ??
    (draft !== '' || !isAsked
      ? undefined
      : base
        ? 'Enter a text. To have none, remove it.'
        : 'Enter a text.');

  const type = (typed: string): void => {
    setDraft(typed);
    onDraft(typed === (base?.name ?? '') ? undefined : typed);
  };
  const send = async (): Promise<void> => {
    try {
      await (unit
        ? update({ id: unit.id, name: draft, seen: unit.revision }).unwrap()
        : insert({ i18nKey: text.id, name: draft, language: idOf(code) }).unwrap());
    } catch (thrown) {
      // The page fetches what is newer, and then shows both.
      if (toApiError(thrown).status === 409) onConflict();
      throw thrown;
    }
  };
  const save = async (): Promise<void> => {
    setAsked(true);
    if (isLoading || isConflict || !isDirty || draft === '' || problemOf(draft) !== undefined) return;
    await act({
      ask: {
        title: unit ? `Update the ${name} text?` : `Insert the ${name} text?`,
        body: unit
          ? 'Are you sure you would like to update the value?'
          : 'Are you sure you would like to insert the value?',
        confirmLabel: unit ? 'Update' : 'Insert',
        eager: true,
      },
      send,
      done: onSaved,
      failed: `The ${name} text was not saved`,
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    if (event.key === 'Escape' && base && !isDirty) onCancel();
  };
  const input = (
    <Textarea
      aria-label={base ? `${name} text` : `New ${name} text`}
      placeholder={base ? undefined : `No ${name} text yet`}
      {...written(language)}
      value={draft}
      error={problem}
      disabled={isLoading}
      rows={rowsFor(draft, text.isCms)}
      resize="vertical"
      autoFocus={base !== undefined}
      spellCheck
      onChange={({ currentTarget: { value } }) => type(value)}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <div data-state={isLoading ? 'loading' : 'edit'}>
      {!isConflict && <ActionFailure failure={failure} onClose={dismiss} />}
      {isConflict && (
        <Conflict
          name={name}
          theirs={unit}
          mine={draft}
          onMine={() => {
            setBase(unit);
            dismiss();
          }}
          onTheirs={() => {
            setBase(unit);
            type(unit?.name ?? '');
            onDraft(undefined);
            dismiss();
          }}
        />
      )}
      {text.isCms && draft !== '' ? (
        <Columns gap={12}>
          {input}
          <MarkdownPreview text={draft} label={`Preview in ${name}`} {...written(language)} />
        </Columns>
      ) : (
        input
      )}
      {draft.length > NEAR_END && problem === undefined && (
        <Box fz={12} c="dimmed">
          {(MAX_TEXT_LENGTH - draft.length).toLocaleString('en')} characters left
        </Box>
      )}
      {hints && hints(draft)}
      {(base !== undefined || draft !== '') && (
        <Group gap={8} mt={8}>
          <Button
            loading={isLoading}
            disabled={!isDirty || isConflict || problem !== undefined}
            aria-label={base ? `Update ${name}` : `Insert ${name}`}
            onClick={() => void save()}
          >
            {base ? 'Update' : 'Insert'}
          </Button>
          <Button
            variant="default"
            disabled={isLoading}
            aria-label={`Cancel ${name}`}
            onClick={() => {
              setDraft(base?.name ?? '');
              onCancel();
            }}
          >
            Cancel
          </Button>
        </Group>
      )}
    </div>
  );
};

interface ConflictProps {
  name: string;
  theirs: TextUnitView | undefined;
  mine: string;
  onMine: () => void;
  onTheirs: () => void;
}

const Conflict = ({ name, theirs, mine, onMine, onTheirs }: ConflictProps) => (
  <section role="alert" aria-label="Conflict" className={styles.conflict}>
    <strong>
      {theirs ? (
        <>
          The {name} text was changed <By id={theirs.changedBy} at={theirs.changedAt} />.
        </>
      ) : (
        `The ${name} text was removed meanwhile.`
      )}{' '}
      Nothing was saved.
    </strong>
    <LineDiff before={theirs?.name ?? ''} after={mine} label={`${name}: from theirs to yours`} />
    <Group gap={8}>
      <Button onClick={onMine}>Keep mine</Button>
      <Button variant="default" onClick={onTheirs}>
        {theirs ? 'Take theirs' : 'Leave it removed'}
      </Button>
    </Group>
  </section>
);
