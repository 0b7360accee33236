/** What an import would do, line by line. Lines can be left out, and values kept as secrets. */
import { Box, Button, Checkbox, Flex, Group } from '@mantine/core';
import { variables, type Answer } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { ActionFailure } from '../../records/runs';
import { useAction } from '../../ui/use-action';
import { cut, envName } from './variable-words';
import styles from './variables.module.css';
import look from '../../ui/look.module.css';
import { Stacked } from '../../ui/Columns';
import { Title } from '../../ui/heading';

type Preview = Answer<typeof variables.preview>;
type Line = Preview['lines'][number];

export interface ImportRequest {
  service: { id: string };
  env: number;
  content: string;
  removeOthers: boolean;
}

interface ImportReviewProps {
  asked: ImportRequest;
  preview: Preview;
  onPreview: (preview: Preview) => void;
  onBack: () => void;
  onDone: () => void;
}

export const ImportReview = ({ asked, preview, onPreview, onBack, onDone }: ImportReviewProps) => {
  const [look, { isLoading: isLooking }] = useChange(variables.preview);
  const [send, { isLoading }] = useChange(variables.import);
  const { act, failure, dismiss } = useAction();
  const { added, changed, removed, unread, unit } = preview;
  const count = added.length + changed.length + removed.length;
  const choose = (chosen: Partial<Chosen>) =>
    act({
      send: () => look({ ...asked, ...chosenIn(preview), ...chosen }).unwrap(),
      done: onPreview,
      failed: 'There is no preview',
    });
  const importSeen = async (): Promise<void> => {
    const { error } = await send({ ...asked, ...chosenIn(preview), seen: preview.seen });
    if (!error) return;
    const refused = toApiError(error);
    if (refused.status === 409 && refused.current) onPreview(refused.current as Preview);
    throw refused;
  };
  const carryOut = () => act({ send: importSeen, done: onDone, failed: 'Nothing was imported' });
  const shown = (line: Line) => (
    <li key={line.line} className={styles.line}>
      <Checkbox
        size="xs"
        label={`${unit} ${line.line}`}
        aria-label={`Import ${line.key} of ${unit} ${line.line}`}
        checked={!line.leftOut}
        disabled={isLooking}
        onChange={() => void choose({ leaveOut: toggled(chosenIn(preview).leaveOut, line.line) })}
      />
      <code>{line.key}</code>
      <Checkbox
        size="xs"
        label="Secret"
        aria-label={`${line.key} is secret`}
        checked={line.secret}
        disabled={isLooking || line.leftOut}
        onChange={() => void choose({ secrets: toggled(chosenIn(preview).secrets, line.key) })}
      />
      <code className={styles.value}>{shownValue(line)}</code>
      {line.note && <span className={styles.note}>{line.note}</span>}
    </li>
  );
  return (
    <Stacked component="section" maw={880} aria-label="Preview">
      <ActionFailure failure={failure} onClose={dismiss} />
      <p>
        {count === 0
          ? `Nothing would change in ${envName(asked.env)}.`
          : `The import would change ${envName(asked.env)} as follows. Nothing has been recorded yet.`}
        {unread.length > 0 && ' What could not be read is not imported.'}
      </p>
      <Part title="Not read" count={unread.length}>
        {unread.map(({ line, problem }) => (
          <li key={line} className={styles.line}>
            <Box component="span" fz={12}>
              {unit} {line}
            </Box>
            <span className={styles.problem}>{problem}</span>
          </li>
        ))}
      </Part>
      {linesByChange(preview).map(({ title, lines }) => (
        <Part key={title} title={title} count={lines.length}>
          {lines.map(shown)}
        </Part>
      ))}
      <Part title="Removed" count={removed.length}>
        {removed.map(({ key }) => (
          <li key={key} className={styles.line}>
            <code>{key}</code>
          </li>
        ))}
      </Part>
      <Group gap="xs">
        <Button
          loading={isLoading}
          disabled={count === 0 || isLooking}
          title={count === 0 ? 'Nothing would change' : undefined}
          onClick={() => void carryOut()}
        >
          Import
        </Button>
        <Button variant="default" onClick={onBack}>
          Back to the text
        </Button>
      </Group>
    </Stacked>
  );
};

interface Chosen {
  /** Names of variables to store as secrets. */
  secrets: string[];
  /** Lines that are not imported. */
  leaveOut: number[];
}

const chosenIn = ({ lines }: Preview): Chosen => ({
  secrets: lines.flatMap(({ key, secret }) => (secret ? [key] : [])),
  leaveOut: lines.flatMap(({ line, leftOut }) => (leftOut ? [line] : [])),
});

const toggled = <T,>(all: readonly T[], one: T): T[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one];

const shownValue = ({ secret, value = '' }: Line): string => {
  if (secret) return '*******';
  return value === '' ? '(empty)' : cut(value.replaceAll('\n', '⏎'));
};

const linesByChange = ({ lines, added, changed }: Preview) => {
  const change = new Map([
    ...added.map(({ key }) => [key, 'Added'] as const),
    ...changed.map(({ key }) => [key, 'Changed'] as const),
  ]);
  const titleOf = ({ key, leftOut }: Line) => (leftOut ? 'Left out' : (change.get(key) ?? 'Unchanged'));
  return ['Added', 'Changed', 'Unchanged', 'Left out'].map((title) => ({
    title,
    lines: lines.filter((line) => titleOf(line) === title),
  }));
};

const Part = ({ title, count, children }: { title: string; count: number; children: React.ReactNode }) =>
  count > 0 && (
    <section aria-label={title}>
      <Title least={3} mb={8}>
        {title}: {count}
      </Title>
      <Flex component="ul" className={look.list} gap={4} direction="column">
        {children}
      </Flex>
    </section>
  );
