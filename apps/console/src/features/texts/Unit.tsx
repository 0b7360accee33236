/** What a key says in one language: seen, changed, or entered where it is missing. */
import { Box, Button, Flex, Group } from '@mantine/core';
import { texts } from '@quarterdeck/contract';
import type { TextUnitView, TextView } from '@quarterdeck/projections';
import { IconChecks, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useChange } from '../../core/calls';
import { By } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { ActionMenu } from '../../ui/DetailPage';
import { Title } from '../../ui/heading';
import { Dim, Note } from '../../ui/Note';
import { quietPart } from '../../ui/part';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { idOf, stateTones, type LanguageOf, type OnDraft } from './text-words';
import styles from './texts.module.css';
import { UnitForm } from './UnitForm';
import { UnitHistory } from './UnitHistory';
import { UnitText } from './UnitText';

const IcuHints = quietPart(() => import('./IcuHints').then((all) => ({ default: all.IcuHints })));

interface UnitProps {
  text: TextView;
  language: LanguageOf;
  onDraft: OnDraft;
  /** Fetches the key again. */
  refetch: () => unknown;
}

/** Of a form whose text has been saved: the revision that will be replaced. */
const NONE = -1;

export const Unit = ({ text, language, onDraft, refetch }: UnitProps) => {
  const isPast = useAsOf() !== undefined;
  const unit = text.units.find((one) => one.language.id === idOf(language.code));
  const english = text.units.find((one) => one.language.id === 1)?.name;
  const [isEditing, setEditing] = useState(false);
  const [replaced, setReplaced] = useState<number>();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const end = (): void => {
    setEditing(false);
    setReplaced(undefined);
  };
  // The form stays, loading, until the page has what was saved. The text before it would flash otherwise.
  if (replaced !== undefined && (unit?.revision ?? NONE) !== replaced) end();
  const hasForm = !isPast && (isEditing || !unit);
  const hints = !text.isCms && text.isIcu;
  return (
    <Box
      component="section"
      className={styles.unit}
      aria-label={language.name}
      aria-busy={replaced !== undefined}
    >
      <Flex gap={8} align="center" wrap="wrap">
        <Title least={3}>{language.name}</Title>
        <span className={styles.code}>{language.code}</span>
        <StateBadge state={unit?.state ?? 'missing'} tone={stateTones[unit?.state ?? 'missing']} />
      </Flex>
      <div className={styles.said}>
        {hasForm ? (
          <UnitForm
            text={text}
            language={language}
            unit={unit}
            isSaved={replaced !== undefined}
            onDraft={(draft) => {
              // Typing begins the editing of a missing text: it must not be lost if somebody else adds one now.
              if (draft !== undefined) setEditing(true);
              onDraft(draft);
            }}
            onSaved={() => {
              setReplaced(unit?.revision ?? NONE);
              onDraft(undefined);
            }}
            onConflict={refetch}
            onCancel={() => {
              end();
              onDraft(undefined);
            }}
            hints={
              hints &&
              ((typed) => <IcuHints english={language.code === 'en' ? undefined : english} text={typed} />)
            }
          />
        ) : unit ? (
          <>
            <UnitText unit={unit} language={language} english={english} isCms={text.isCms} />
            {hints && <IcuHints english={language.code === 'en' ? undefined : english} text={unit.name} />}
          </>
        ) : (
          <Dim>No text.</Dim>
        )}
        {isHistoryOpen && <UnitHistory text={text} language={language} unit={unit} />}
      </div>
      {!hasForm && unit && (
        <UnitActions
          unit={unit}
          language={language}
          onEdit={() => setEditing(true)}
          onHistory={() => setHistoryOpen((open) => !open)}
        />
      )}
    </Box>
  );
};

interface UnitActionsProps {
  unit: TextUnitView;
  language: LanguageOf;
  onEdit: () => void;
  onHistory: () => void;
}

const UnitActions = ({ unit, language: { name }, onEdit, onHistory }: UnitActionsProps) => {
  const [review] = useChange(texts.reviewUnit);
  const [remove] = useChange(texts.deleteUnit);
  const { act, busy, failure, dismiss } = useAction();
  const { id, state, revision } = unit;
  const isReviewed = state === 'reviewed';
  const mark = () =>
    act({
      send: () => review({ id, isReviewed: !isReviewed, seen: revision }).unwrap(),
      failed: `${name} was not marked`,
    });
  const drop = () =>
    act({
      ask: {
        title: `Remove the ${name} text?`,
        body: 'Are you sure you would like to delete? The key stays. You can restore the text from its history.',
        confirmLabel: 'Remove text',
        danger: true,
      },
      send: () => remove({ id }).unwrap(),
      done: `The ${name} text was removed.`,
      failed: `The ${name} text was not removed`,
    });
  return (
    <div>
      <Group gap={8} justify="flex-end" wrap="nowrap">
        <DisabledInPast>
          {!isReviewed && (
            <Button
              variant="default"
              loading={busy}
              aria-label={`Mark ${name} as reviewed`}
              onClick={() => void mark()}
            >
              Review
            </Button>
          )}
          <Button variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
        </DisabledInPast>
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            { label: 'Edit', icon: <IconPencil size={16} />, onClick: onEdit },
            {
              label: isReviewed ? 'Mark as not reviewed' : 'Mark as reviewed',
              icon: <IconChecks size={16} />,
              onClick: () => void mark(),
            },
            { label: 'History', icon: <IconHistory size={16} />, onClick: onHistory, reads: true },
            { label: 'Remove text', icon: <IconTrash size={16} />, onClick: () => void drop(), danger: true },
          ]}
        />
      </Group>
      <Note fz={12} ta="end">
        <By id={unit.changedBy} at={unit.changedAt} />
      </Note>
      <ActionFailure failure={failure} onClose={dismiss} />
    </div>
  );
};
