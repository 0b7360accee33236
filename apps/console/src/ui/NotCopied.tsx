import { Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { NOT_COPIED } from './copying';

export default function NotCopied() {
  return (
    <Tooltip label={NOT_COPIED} opened withinPortal>
      <IconX size={13} aria-hidden />
    </Tooltip>
  );
}
