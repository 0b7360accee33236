/** All sections at the top of the page, and which of them needs the operator. Each leads to its place below. */
import { Alert, Anchor } from '@mantine/core';
import { sectionLabel } from '@quarterdeck/events';
import { mayHaveMade, type CreationSectionView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { SectionState } from './SectionCard';
import { placeOf } from './section-place';
import classes from './creations.module.css';

interface ProgressProps {
  sections: readonly CreationSectionView[];
  /** Those that the page has below. */
  shown: readonly CreationSectionView[];
}

export const Progress = ({ sections, shown }: ProgressProps) => {
  const failed = shown.filter(({ state }) => state === 'failed');
  return (
    <>
      <ol className={classes.progress} aria-label="Sections">
        {sections.map((one) => (
          <li key={one.section}>
            {shown.includes(one) ? (
              <To section={one.section}>{sectionLabel(one.section)}</To>
            ) : (
              sectionLabel(one.section)
            )}{' '}
            <SectionState state={one.state} />
          </li>
        ))}
      </ol>
      {failed.map((one) => (
        <Alert
          key={one.section}
          color="red"
          variant="light"
          mb={16}
          role="alert"
          title={`${sectionLabel(one.section)} needs you`}
        >
          {mayHaveMade(one)
            ? 'It failed halfway: retry or undo it. '
            : 'It failed: correct it and start it again. '}
          <To section={one.section}>Go to {sectionLabel(one.section)}</To>
        </Alert>
      ))}
    </>
  );
};

const To = ({ section, children }: { section: string; children: ReactNode }) => (
  <Anchor
    component="button"
    type="button"
    fz="inherit"
    onClick={() => {
      const place = document.getElementById(placeOf(section));
      place?.scrollIntoView({ block: 'start' });
      place?.focus({ preventScroll: true });
    }}
  >
    {children}
  </Anchor>
);
