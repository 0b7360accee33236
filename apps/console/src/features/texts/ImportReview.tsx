/** What an import would do, and the decisions that only a person can take. */
import { Box, Button, Checkbox, Group } from '@mantine/core';
import { texts, type Answer } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { ActionFailure } from '../../records/runs';
import { Stacked } from '../../ui/Columns';
import { count } from '../../ui/count';
import { Disclosure } from '../../ui/Disclosure';
import { Lines } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Dim, Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import type { ImportAsked } from './ImportPage';
import { languageAt, written } from './text-words';
import styles from './texts.module.css';

type Preview = Answer<typeof texts.preview>;
type Take = NonNullable<ImportAsked['take']>[number];

interface ImportReviewProps {
  asked: ImportAsked;
  preview: Preview;
  onPreview: (preview: Preview, asked: ImportAsked) => void;
  onBack: () => void;
  /** @param run its id */
  onStarted: (run: string) => void;
}

/** What is taken beside additions, if nobody chooses. */
const TAKEN: readonly Take[] = ['changed'];

export const ImportReview = ({ asked, preview, onPreview, onBack, onStarted }: ImportReviewProps) => {
  const [previewOf, { isLoading: isLooking }] = useChange(texts.preview);
  const [send, { isLoading }] = useChange(texts.import);
  const { act, failure, dismiss } = useAction();
  const { counts } = preview;
  const take = asked.take ?? TAKEN;
  const takes = (one: Take): boolean => take.includes(one);
  const decide = (one: Take) => {
    const next = { ...asked, take: takes(one) ? take.filter((other) => other !== one) : [...take, one] };
    return act({
      send: () => previewOf(next).unwrap(),
      done: (answer) => onPreview(answer, next),
      failed: 'There is no preview',
    });
  };
  const importSeen = async () => {
    const { data, error } = await send({ ...asked, seen: preview.seen });
    if (data) return data;
    const refused = toApiError(error);
    // Somebody changed texts since the preview: the new one is shown, and nothing was imported.
    if (refused.status === 409) onPreview(await previewOf(asked).unwrap(), asked);
    throw refused;
  };
  const total =
    counts.added +
    (['changed', 'removed', 'conflicts'] as const).reduce(
      (sum, one) => sum + (takes(one) ? counts[one] : 0),
      0,
    );
  return (
    <Stacked component="section" maw={880} aria-label="Preview">
      <ActionFailure failure={failure} onClose={dismiss} />
      <p role="status">
        {total === 0
          ? 'The import would change nothing.'
          : `The import would change ${count(total, 'text')} of ${count(counts.keys, 'key')}. Nothing has been recorded yet.`}
      </p>
      <Note>The file was read as {preview.format}.</Note>
      <Part title="New keys" of={counts.newKeys} shown={preview.newKeys.length}>
        {preview.newKeys.map((key) => (
          <Box component="li" key={key} p="6px 12px" className={look.mono}>
            {key}
          </Box>
        ))}
      </Part>
      <Part title="Added" of={counts.added} shown={preview.added.length}>
        {preview.added.map((edit) => (
          <Edit key={nameOf(edit)} edit={edit} />
        ))}
      </Part>
      <Part
        title="Changed"
        of={counts.changed}
        shown={preview.changed.length}
        decision={
          <Decision
            label="Replace these texts"
            checked={takes('changed')}
            busy={isLooking}
            does={() => decide('changed')}
          />
        }
      >
        {preview.changed.map((edit) => (
          <Edit key={nameOf(edit)} edit={edit} />
        ))}
      </Part>
      <Part
        title="Removed"
        of={counts.removed}
        shown={preview.removed.length}
        note="The file lacks these texts, but has others of their language."
        decision={
          <Decision
            label="Remove these texts"
            checked={takes('removed')}
            busy={isLooking}
            does={() => decide('removed')}
          />
        }
      >
        {preview.removed.map((edit) => (
          <Edit key={nameOf(edit)} edit={edit} />
        ))}
      </Part>
      <Part
        title="Conflicts"
        of={counts.conflicts}
        shown={preview.conflicts.length}
        startOpen
        decision={
          <Decision
            label="Take the texts of the file all the same"
            checked={takes('conflicts')}
            busy={isLooking}
            does={() => decide('conflicts')}
          />
        }
      >
        {preview.conflicts.map((edit) => (
          <Edit key={`${nameOf(edit)} ${edit.line}`} edit={edit} why={`Line ${edit.line}: ${edit.why}`} />
        ))}
      </Part>
      <Part title="Left out" of={counts.leftOut} shown={preview.leftOut.length} startOpen>
        {preview.leftOut.map(({ line, key, why }, at) => (
          <Box component="li" key={at} p="6px 12px">
            Line {line}
            {key !== undefined && (
              <>
                , <span className={look.mono}>{key}</span>
              </>
            )}
            : {why}
          </Box>
        ))}
      </Part>
      {counts.unchanged > 0 && <Note>{count(counts.unchanged, 'text')} unchanged.</Note>}
      <Group gap="xs">
        <Button
          loading={isLoading}
          disabled={total === 0 || isLooking}
          title={total === 0 ? 'Nothing would change' : undefined}
          onClick={() =>
            void act({
              send: importSeen,
              done: ({ runId }) => onStarted(runId),
              failed: 'Nothing was imported',
            })
          }
        >
          Import
        </Button>
        <Button variant="default" onClick={onBack}>
          Back to the file
        </Button>
      </Group>
    </Stacked>
  );
};

interface EditShown {
  key: string;
  language: { id: number };
  from?: string | undefined;
  to?: string | undefined;
}

const nameOf = ({ key, language }: EditShown): string => JSON.stringify([key, language.id]);

const Edit = ({
  edit: {
    key,
    language: { id },
    from,
    to,
  },
  why,
}: {
  edit: EditShown;
  why?: string;
}) => {
  const language = languageAt(id);
  const said = language && written(language);
  return (
    <Box component="li" p="6px 12px" className={styles.edit}>
      <span className={look.mono}>{key}</span>
      <Dim>{language?.name}</Dim>
      <div className={look.text}>
        {from !== undefined && <del {...said}>{from}</del>}
        {to !== undefined && <ins {...said}>{to}</ins>}
        {why !== undefined && <Note fz={12}>{why}</Note>}
      </div>
    </Box>
  );
};

interface DecisionProps {
  label: string;
  checked: boolean;
  busy: boolean;
  does: () => unknown;
}

const Decision = ({ label, checked, busy, does }: DecisionProps) => (
  <Checkbox mb={8} label={label} checked={checked} disabled={busy} onChange={() => void does()} />
);

interface PartProps {
  title: string;
  /** How many there are. */
  of: number;
  /** How many of them the preview lists. */
  shown: number;
  note?: string;
  startOpen?: boolean;
  decision?: React.ReactNode;
  children: React.ReactNode;
}

const Part = ({ title, of, shown, note, startOpen = false, decision, children }: PartProps) =>
  of > 0 && (
    <section aria-label={title}>
      <Disclosure title={`${title}: ${of.toLocaleString('en')}`} startOpen={startOpen || of <= FEW}>
        {note !== undefined && <Note mb={8}>{note}</Note>}
        <Lines>{children}</Lines>
        {shown < of && <Note below>And {(of - shown).toLocaleString('en')} more.</Note>}
      </Disclosure>
      {/* Outside, so that it is also seen when the list is closed. */}
      {decision}
    </section>
  );

/** So few are seen without opening them. */
const FEW = 10;
