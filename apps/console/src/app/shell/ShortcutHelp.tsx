import { Kbd, Modal, Switch } from '@mantine/core';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { setShortcutsOff, shortcutWords, useShortcutsOff } from '../../core/shortcuts';
import styles from './ShortcutHelp.module.css';
import { Note } from '../../ui/Note';

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
      <dl className={styles.shortcuts}>
        {shortcutWords.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <Note m="0 0 12px">In tables: arrow keys to move, Enter to open. Escape closes.</Note>
      <Switch
        label="Single-key shortcuts"
        checked={!off}
        onChange={(event) => setShortcutsOff(!event.currentTarget.checked)}
      />
    </Modal>
  );
}
