/** Heading levels: a page inside a tab of another page has headings below those of that page. */
import { createContext, useContext, type ReactNode } from 'react';

type Level = 1 | 2 | 3 | 4;

const HeadingLevel = createContext<Level>(1);

export const useHeadingLevel = (): Level => useContext(HeadingLevel);

/** @param least the highest level allowed, for a part that can also be on a page without tabs */
export const Heading = ({ least = 1, children }: { least?: Level; children: ReactNode }) => {
  const Tag = `h${Math.max(useHeadingLevel(), least) as Level}` as const;
  return <Tag>{children}</Tag>;
};

/** Content below the current heading: its own headings are one level deeper. */
export const BelowHeading = ({ children }: { children: ReactNode }) => {
  const level = Math.min(useHeadingLevel() + 1, 4) as Level;
  return <HeadingLevel value={level}>{children}</HeadingLevel>;
};
