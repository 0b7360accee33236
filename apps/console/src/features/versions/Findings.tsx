/** Lint findings: the reason, the remedy and, if counted, the number of rows concerned. */
import { Box, Flex } from '@mantine/core';
import { count } from '../../ui/count';
import { StateBadge } from '../../ui/StateBadge';
import { IconAlertTriangle } from '@tabler/icons-react';
import { shownAs, worstFirst, type Finding } from './version-words';
import { List } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';

export const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  if (findings.length === 0)
    return <p>The checks found nothing that destroys data or breaks applications.</p>;
  return (
    <List className={look.parted} aria-label="Findings">
      {worstFirst(findings).map((finding) => {
        const { code, severity, where, reason, remedy, rows } = finding;
        return (
          <Flex component="li" key={`${code} ${where}`} gap="4px 12px" align="baseline" wrap="wrap" py={8}>
            <StateBadge state={severity} icon={IconAlertTriangle} {...shownAs(finding)} />
            <Box flex="1 1 260px" miw={0}>
              <code className={look.wrap}>{where}</code>
              {rows !== undefined && (
                <Box component="span" ml={8} fw={600}>
                  {count(rows, 'row')} concerned
                </Box>
              )}
              <div>{reason}</div>
              <Note>{remedy}</Note>
            </Box>
          </Flex>
        );
      })}
    </List>
  );
};
