/** New recovery codes, shown this once. */
import { Button, Group } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { NOT_COPIED, useCopy } from '../../ui/copying';
import { saveText } from '../../ui/save-text';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';
import { Tiles } from '../../ui/Columns';
import look from '../../ui/look.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onKept: () => void;
}

export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { outcome, copy } = useCopy();
  const text = `${codes.join('\n')}\n`;
  return (
    <Section title="Recovery codes" least={3}>
      <p>
        If you lose your device, each of these codes gives the second factor once. They are shown only now:
        keep them where only you can read them, and not on that device.
      </p>
      <Tiles
        component="ul"
        className={`${look.list} ${look.raised} ${look.mono}`}
        min={176}
        gap="6px 16px"
        my={12}
        p="12px 16px"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Tiles>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={outcome === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy(text)}
        >
          Copy
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => saveText('quarterdeck-recovery-codes.txt', text)}
        >
          Download
        </Button>
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
      <Note role="status" m="0 0 12px">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && NOT_COPIED}
      </Note>
    </Section>
  );
}
