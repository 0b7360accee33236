/** Frame around code: its title, and buttons to copy and download it. */
import { Box, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NOT_COPIED, useCopy } from '../copying';
import { saveText } from '../save-text';
import styles from './code.module.css';
import look from '../look.module.css';

interface CodeFrameProps {
  title: ReactNode;
  /** Text to copy and download. */
  text: string;
  filename?: string | undefined;
  tools?: ReactNode;
  /** As tall as its text; otherwise it scrolls. */
  tall?: boolean | undefined;
  children: ReactNode;
}

const small = { variant: 'subtle', color: 'gray', size: 'compact-xs' } as const;

export function CodeFrame({ title, text, filename, tools, tall = false, children }: CodeFrameProps) {
  const { outcome, copy } = useCopy();
  const copied = outcome === 'copied';
  return (
    <figure className={`${look.framed} ${styles.figure}`}>
      <Group
        component="figcaption"
        className={styles.head}
        justify="space-between"
        gap="4px 12px"
        p="4px 8px 4px 12px"
      >
        <Box component="span" className={look.wrap} miw={0} fw={500}>
          {title}
        </Box>
        <Group gap={4}>
          <Text span size="xs" role="status">
            {outcome === 'refused' && NOT_COPIED}
          </Text>
          {tools}
          <Button
            {...small}
            leftSection={copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
            onClick={() => void copy(text)}
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
      </Group>
      <div className={styles.body} data-tall={tall || undefined}>
        {children}
      </div>
    </figure>
  );
}
