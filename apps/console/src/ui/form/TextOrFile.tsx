/** Text of several lines: typed, pasted, or read from a dropped or chosen file. The file itself is not uploaded. */
import { FileButton, Button, Textarea, type TextareaProps } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { bytesInWords } from '../bytes';
import styles from './TextOrFile.module.css';

interface TextOrFileProps extends Omit<TextareaProps, 'onChange'> {
  onText: (text: string) => void;
  /** Larger files, such as a video that was dropped by mistake, are not read into the page. */
  maxBytes: number;
}

export function TextOrFile({ onText, maxBytes, disabled, error, ...rest }: TextOrFileProps) {
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string>();
  const forgetFile = useRef<() => void>(null);

  const read = async (file: File | null | undefined): Promise<void> => {
    if (!file || disabled) return;
    if (file.size > maxBytes) setRefused(`${file.name} is larger than ${bytesInWords(maxBytes)}`);
    else {
      setRefused(undefined);
      onText(textOf(await file.arrayBuffer()));
    }
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };

  return (
    <div
      className={styles.root}
      data-over={over || undefined}
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
    >
      <Textarea
        {...rest}
        disabled={disabled}
        error={refused ?? error}
        resize="vertical"
        classNames={{ input: styles.input }}
        onChange={(event) => {
          setRefused(undefined);
          onText(event.currentTarget.value);
        }}
      />
      <FileButton
        resetRef={forgetFile}
        onChange={(file) => {
          // The browser reports no change if the same file is chosen again.
          forgetFile.current?.();
          void read(file);
        }}
        disabled={disabled}
      >
        {(button) => (
          <Button
            {...button}
            variant="default"
            leftSection={<IconFileUpload size={14} aria-hidden />}
            disabled={disabled}
          >
            Choose a file, or drop one here
          </Button>
        )}
      </FileButton>
    </div>
  );
}

const UTF_16 = { 'ff fe': 'utf-16le', 'fe ff': 'utf-16be' } as const;

/** PowerShell writes UTF-16, with a byte order mark. */
const textOf = (bytes: ArrayBuffer): string => {
  const mark = [...new Uint8Array(bytes.slice(0, 2))].map((byte) => byte.toString(16)).join(' ');
  return new TextDecoder(UTF_16[mark as keyof typeof UTF_16] ?? 'utf-8').decode(bytes);
};
