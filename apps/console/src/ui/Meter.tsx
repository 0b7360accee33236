/** A bar that fills. The text beside it says the same. */
import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import look from './look.module.css';
import { toneColor, type Tone } from './tone';

interface MeterProps extends BoxProps, Omit<ComponentProps<'span'>, keyof BoxProps> {
  /** Shares of the whole, at most 1 together. */
  parts: readonly { tone: Tone; share: number }[];
}

export const Meter = ({ parts, ...props }: MeterProps) => (
  <Box component="span" className={look.meter} h={8} {...props}>
    {parts.map(({ tone, share }) => (
      <span key={tone} style={{ width: `${share * 100}%`, background: toneColor(tone) }} />
    ))}
  </Box>
);
