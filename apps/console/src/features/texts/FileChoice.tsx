/** A file that is chosen, dropped or pasted. Its bytes are kept as they are, because a file may say its own encoding. */
import { Button, FileButton, Group, SegmentedControl, Textarea } from '@mantine/core';
import { MAX_TEXT_FILE } from '@quarterdeck/events/inputs';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { Note } from '../../ui/Note';
import { Refusal } from '../../ui/Refusal';
import styles from './texts.module.css';

export interface ChosenFile {
  name: string;
  bytes: Blob;
}

interface FileChoiceProps {
  /** Why the back end cannot read it: line and column. */
  problem: string | undefined;
  onChosen: (file: ChosenFile | undefined) => void;
}

/** As the back end counts it. */
const MB = 1024 * 1024;
const KINDS = '.json,.csv,.tsv,.xlf,.xliff,.po,.pot';

export const FileChoice = ({ problem, onChosen }: FileChoiceProps) => {
  const [from, setFrom] = useState('file');
  const [name, setName] = useState<string>();
  const [pasted, setPasted] = useState('');
  const [refused, setRefused] = useState<string>();
  const [isOver, setOver] = useState(false);
  const forget = useRef<() => void>(null);

  const take = (file: File | null | undefined): void => {
    if (!file) return;
    const isTooLarge = file.size > MAX_TEXT_FILE;
    // It is not read: 50 MB would be sent for a refusal.
    setRefused(
      isTooLarge
        ? `${file.name} has ${Math.ceil(file.size / MB)} MB. At most ${MAX_TEXT_FILE / MB} MB are possible: split it, for example by language.`
        : undefined,
    );
    setName(isTooLarge ? undefined : file.name);
    onChosen(isTooLarge ? undefined : { name: file.name, bytes: file });
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const choose = (next: string): void => {
    setFrom(next);
    setRefused(undefined);
    setName(undefined);
    setPasted('');
    onChosen(undefined);
  };
  return (
    <div>
      <SegmentedControl
        aria-label="From"
        size="xs"
        mb={8}
        value={from}
        onChange={choose}
        data={[
          { value: 'file', label: 'File' },
          { value: 'paste', label: 'Paste' },
        ]}
      />
      {from === 'file' ? (
        <div
          className={styles.drop}
          data-over={isOver || undefined}
          onDrop={onDrop}
          onDragOver={onDragOver}
          onDragLeave={() => setOver(false)}
        >
          <Group gap={12}>
            <FileButton
              resetRef={forget}
              accept={KINDS}
              inputProps={{ 'aria-label': 'File to import' }}
              onChange={(file) => {
                // The browser reports no change if the same file is chosen again.
                forget.current?.();
                take(file);
              }}
            >
              {(button) => (
                <Button {...button} variant="default" leftSection={<IconFileUpload size={14} aria-hidden />}>
                  Choose a file, or drop one here
                </Button>
              )}
            </FileButton>
            {name !== undefined && <strong>{name}</strong>}
          </Group>
          <Note fz={12} mt={8}>
            JSON (flat or nested), CSV, XLIFF 1.2 or 2.0, gettext PO. The format is recognised.
          </Note>
        </div>
      ) : (
        <Textarea
          label="Content"
          value={pasted}
          rows={10}
          resize="vertical"
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => {
            setPasted(value);
            setRefused(undefined);
            onChosen(value === '' ? undefined : { name: 'pasted', bytes: new File([value], 'pasted') });
          }}
        />
      )}
      <Refusal
        what={refused === undefined ? 'This file cannot be read' : 'This file is too large'}
        error={
          refused === undefined ? (problem === undefined ? undefined : { msg: problem }) : { msg: refused }
        }
      />
    </div>
  );
};

/** In base64. The browser encodes it, without holding the page. */
export const base64Of = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = reader.result as string;
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () =>
      reject(new Error('The file could not be read. It may have been moved or changed since it was chosen.')),
    );
    reader.readAsDataURL(bytes);
  });
