import { Box, Group, Kbd, Modal, Switch } from '@mantine/core';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { setShortcutsOff, shortcutWords, useShortcutsOff } from '../../core/shortcuts';
import { Note } from '../../ui/Note';
import { Stacked } from '../../ui/Columns';

export default function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const off = useShortcutsOff();
  return (
    <Modal
      opened={useOpenedOnceThere(opened)}
      onClose={onClose}
      title="Keyboard shortcuts"
      size="sm"
      centered
    >
      <Stacked component="dl" gap={6} mb={12}>
        {shortcutWords.map(([keys, words]) => (
          <Group key={keys} gap={12} wrap="nowrap">
            <Group component="dt" gap={4} w={76}>
              {keys.split(' ').map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </Group>
            <Box component="dd" m={0}>
              {words}
            </Box>
          </Group>
        ))}
      </Stacked>
      <Note m="0 0 12px">In tables: arrow keys to move, Enter to open. Escape closes.</Note>
      <Switch
        label="Single-key shortcuts"
        checked={!off}
        onChange={(event) => setShortcutsOff(!event.currentTarget.checked)}
      />
    </Modal>
  );
}
