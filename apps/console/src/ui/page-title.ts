import { useEffect } from 'react';
import { useHeadingLevel } from './heading';

/** What is told by the tab of the browser: "web-1 · Quarterdeck", with what ended meanwhile in front of it. */
const APP = 'Quarterdeck';
/** By the level of their headings: a page inside another one names the tab. */
const pages: (string | undefined)[] = [];
let news = '';
let progress = '';

const show = (): void => {
  document.title = [news || progress, pages.findLast((title) => title !== undefined), APP]
    .filter(Boolean)
    .join(' · ');
};

export const usePageTitle = (title: string): void => {
  const level = useHeadingLevel();
  useEffect(() => {
    pages[level] = title;
    show();
    return () => {
      pages[level] = undefined;
      show();
    };
  }, [title, level]);
};

/** Said in the title until the tab is looked at. */
export const announceInTitle = (words: string): void => {
  if (document.visibilityState === 'visible') return;
  news = words;
  show();
  const forget = (): void => {
    if (document.visibilityState !== 'visible') return;
    news = '';
    show();
    document.removeEventListener('visibilitychange', forget);
  };
  document.addEventListener('visibilitychange', forget);
};

/** How far the work that one set going has come; nothing when there is none. What ended stands in its place. */
export const progressInTitle = (words: string): void => {
  if (words === progress) return;
  progress = words;
  show();
};
