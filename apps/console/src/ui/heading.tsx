/** Heading levels: a page inside a tab of another page has headings below those of that page. */
import { Box, type BoxProps } from '@mantine/core';
import { createContext, useContext, type AriaAttributes, type ReactNode } from 'react';

type Level = 1 | 2 | 3 | 4;

const HeadingLevel = createContext<Level>(1);

export const useHeadingLevel = (): Level => useContext(HeadingLevel);

interface HeadingProps extends BoxProps, Pick<AriaAttributes, 'aria-live'> {
  id?: string;
  /** The highest level allowed, for a part that can also be on a page without tabs. */
  least?: Level;
  children: ReactNode;
}

export const Heading = ({ least = 1, ...props }: HeadingProps) => (
  <Box component={`h${Math.max(useHeadingLevel(), least) as Level}`} {...props} />
);

/** Heading of a part of a page. */
export const Title = ({ least = 2, ...props }: HeadingProps) => (
  <Heading least={least} m={0} fz={14} fw={600} {...props} />
);

/** Content below the current heading: its own headings are one level deeper. */
export const BelowHeading = ({ children }: { children: ReactNode }) => {
  const level = Math.min(useHeadingLevel() + 1, 4) as Level;
  return <HeadingLevel value={level}>{children}</HeadingLevel>;
};
