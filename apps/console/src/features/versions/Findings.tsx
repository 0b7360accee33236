/** Lint findings: the reason, the remedy and, if counted, the number of rows concerned. */
import { Box } from '@mantine/core';
import { hasEffect } from '@quarterdeck/data-model';
import { count } from '../../ui/count';
import { StateBadge } from '../../ui/StateBadge';
import { IconAlertTriangle } from '@tabler/icons-react';
import { severities, worstFirst, type Finding } from './version-words';
import styles from './versions.module.css';

export const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  if (findings.length === 0)
    return <p>The checks found nothing that destroys data or breaks applications.</p>;
  return (
    <ul className={styles.findings} aria-label="Findings">
      {worstFirst(findings).map(({ code, severity, where, reason, remedy, rows }) => (
        <li key={`${code} ${where}`}>
          <StateBadge state={severity} icon={IconAlertTriangle} {...shownAs({ code, severity, rows })} />
          <div>
            <code>{where}</code>
            {rows !== undefined && (
              <Box component="span" ml={8} fw={600}>
                {count(rows, 'row')} concerned
              </Box>
            )}
            <p>{reason}</p>
            <p className={styles.hint}>{remedy}</p>
          </div>
        </li>
      ))}
    </ul>
  );
};

const shownAs = (finding: Pick<Finding, 'code' | 'severity' | 'rows'>) =>
  hasEffect(finding)
    ? severities[finding.severity]
    : ({ tone: 'quiet', label: 'no effect without rows' } as const);
