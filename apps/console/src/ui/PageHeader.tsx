import type { ReactNode } from 'react';
import { DisabledInPast } from '../core/past/in-past';
import styles from './DetailPage.module.css';
import { Heading } from './heading';
import { usePageTitle } from './page-title';

interface PageHeaderProps {
  title: string;
  count?: number | undefined;
  description?: ReactNode;
  /** Actions that change something; the primary one comes last. */
  actions?: ReactNode;
  /** Controls that change nothing, so they also work in the past. */
  reading?: ReactNode;
}

export function PageHeader({ title, count, description, actions, reading }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <>
      <header className={styles.header}>
        <div className={styles.title}>
          <Heading>{title}</Heading>
          {count !== undefined && <span className={styles.count}>{count.toLocaleString('en')}</span>}
        </div>
        {(reading || actions) && (
          <div className={styles.actions}>
            {reading}
            {actions && <DisabledInPast>{actions}</DisabledInPast>}
          </div>
        )}
      </header>
      {description && <p className={styles.description}>{description}</p>}
    </>
  );
}
