import { foundWords, type SslCheck } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';
import { reasonsOf } from './monitor-words';
import { toneIcons } from './phase-icons';
import { Box } from '@mantine/core';
import look from '../../ui/look.module.css';

/** The result of a check. The reasons are text below the badge, so that they are also readable on a narrow screen. */
export const Found = ({ check }: { check: SslCheck }) => {
  const { label, tone } = foundWords(check);
  const reasons = reasonsOf(check);
  return (
    <>
      <StateBadge state={label} tone={tone} icon={toneIcons[tone]} />
      {reasons !== '' && (
        <Box component="p" className={look.wrap} m={0} maw="40rem">
          {reasons}
        </Box>
      )}
    </>
  );
};
