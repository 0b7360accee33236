/** Shows the number of notices not dismissed, and opens the list of them. */
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useAllNotices, useNoticeMemory } from '../../records/notices';
import { Hint } from '../../ui/Hint';
import { overlayPart } from '../../ui/part';
import styles from './Shell.module.css';

const NoticeDrawer = overlayPart(() => import('./NoticeDrawer'));

export function NoticeBell() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  const memory = useNoticeMemory();
  const { notices, complete, failed } = useAllNotices();
  const left = memory ? notices.filter((notice) => memory.stateOf(notice) !== 'dismissed') : [];
  const known = memory !== undefined && complete;
  const none = known ? 'No notices' : 'Notices';
  const words = left.length === 0 ? none : left.length === 1 ? '1 notice' : `${left.length} notices`;
  return (
    <>
      <Hint label={words}>
        <button
          type="button"
          className={styles.bell}
          data-some={left.length > 0 || undefined}
          aria-label={words}
          onClick={() => {
            setWanted(true);
            open();
          }}
        >
          <IconBell size={16} aria-hidden />
          {left.length > 0 && <span>{left.length}</span>}
        </button>
      </Hint>
      {wanted && (
        <NoticeDrawer
          opened={opened}
          notices={left}
          known={known}
          failed={failed}
          onDismiss={(dismissed) => memory?.remember(dismissed, 'dismissed')}
          onClose={close}
        />
      )}
    </>
  );
}
