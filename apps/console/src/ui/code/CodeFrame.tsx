/** What stands around code: its name, and what can be done with it. */
import { Button, Group } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { copyToClipboard } from '../CopyText';
import { saveText } from '../run-output';
import styles from './code.module.css';

interface CodeFrameProps {
  title: ReactNode;
  /** What is copied and saved. */
  text: string;
  filename?: string | undefined;
  tools?: ReactNode;
  /** As high as its text; otherwise it scrolls. */
  tall?: boolean | undefined;
  children: ReactNode;
}

const COPIED_MS = 1500;
const small = { variant: 'subtle', color: 'gray', size: 'compact-xs' } as const;

export function CodeFrame({ title, text, filename, tools, tall = false, children }: CodeFrameProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyToClipboard(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.head}>
        <span className={styles.title}>{title}</span>
        <Group gap={4}>
          {tools}
          <Button
            {...small}
            leftSection={copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
            onClick={() => void copy()}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
          {filename !== undefined && (
            <Button
              {...small}
              leftSection={<IconDownload size={13} aria-hidden />}
              onClick={() => saveText(filename, text)}
            >
              Download
            </Button>
          )}
        </Group>
      </figcaption>
      <div className={styles.body} data-tall={tall || undefined}>
        {children}
      </div>
    </figure>
  );
}
