import { useEffect } from 'react';
import { useHeadingLevel } from './heading';

/** Builds the browser tab's title: "web-1 · Quarterdeck", preceded by news about finished runs or by progress. */
const APP = 'Quarterdeck';
/** Page titles by heading level. The innermost page sets the title of the browser tab. */
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

/** Shows `words` in the title until the tab becomes visible; does nothing if it is visible already. */
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

/** Shows the progress of the operator's runs in the title; empty when none is running. News takes precedence. */
export const progressInTitle = (words: string): void => {
  if (words === progress) return;
  progress = words;
  show();
};
