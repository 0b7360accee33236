import { Tooltip } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useOpenedOnceThere } from './use-opened-once-there';

interface HintBubbleProps {
  target: RefObject<HTMLElement | null>;
  id: string;
  label: ReactNode;
  opened: boolean;
  maw: number | undefined;
}

export default function HintBubble({ target, id, label, opened, maw }: HintBubbleProps) {
  const isOpen = useOpenedOnceThere(opened);
  return (
    <Tooltip
      target={target}
      label={<span id={id}>{label}</span>}
      opened={isOpen}
      withinPortal
      {...(maw !== undefined && { multiline: true, maw })}
    />
  );
}
