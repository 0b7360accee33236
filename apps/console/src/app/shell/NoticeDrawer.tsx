import { Box, Button, CloseButton, Drawer, Flex, Group } from '@mantine/core';
import { IconBellCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import type { Notice } from '../../records/notices';
import { EmptyState } from '../../ui/EmptyState';
import { Loading } from '../../ui/Loading';
import { RelativeTime } from '../../ui/RelativeTime';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import look from '../../ui/look.module.css';
import { Lines } from '../../ui/List';

interface NoticeDrawerProps {
  opened: boolean;
  notices: readonly Notice[];
  /** Whether the list is complete; otherwise some notices are still loading. */
  known: boolean;
  /** Whether some notices could not be loaded. */
  failed: boolean;
  onDismiss: (notices: readonly Notice[]) => void;
  onClose: () => void;
}

/** The notices that this person has not dismissed. */
export default function NoticeDrawer({
  opened,
  notices,
  known,
  failed,
  onDismiss,
  onClose,
}: NoticeDrawerProps) {
  return (
    <Drawer
      opened={useOpenedOnceThere(opened)}
      onClose={onClose}
      position="right"
      title="Notices"
      size={420}
      zIndex={300}
      closeButtonProps={{ 'aria-label': 'Close notices' }}
    >
      {failed && (
        <p role="alert">
          Some notices could not be loaded. They are requested again when the connection is back.
        </p>
      )}
      {notices.length === 0 && !known ? (
        !failed && <Loading label="Loading notices" />
      ) : notices.length === 0 ? (
        <EmptyState title="No notices" icon={IconBellCheck}>
          Alerts and problems with your credentials will appear here.
        </EmptyState>
      ) : (
        <Lines mb={16} aria-label="Notices" onClick={closeOnLink(onClose)}>
          {notices.map((notice) => (
            <Flex component="li" key={notice.id} gap={8} align="flex-start" p="10px 8px 10px 12px">
              <Box className={look.wrap} flex={1} miw={0}>
                {notice.message}
                {notice.at !== undefined && (
                  <Box mt={2} c="dimmed" fz={12}>
                    <RelativeTime at={notice.at} />
                  </Box>
                )}
              </Box>
              <CloseButton size="sm" aria-label="Dismiss" onClick={() => onDismiss([notice])} />
            </Flex>
          ))}
        </Lines>
      )}
      <Group gap={0} wrap="nowrap" justify="space-between">
        <Link to={paths.alerts()} onClick={onClose}>
          All alerts
        </Link>
        {notices.length > 1 && (
          <Button variant="default" onClick={() => onDismiss(notices)}>
            Dismiss all
          </Button>
        )}
      </Group>
    </Drawer>
  );
}

/** Closes the drawer when a link in a notice is followed. */
const closeOnLink =
  (close: () => void) =>
  ({ target }: { target: EventTarget }): void => {
    if (target instanceof Element && target.closest('a')) close();
  };
