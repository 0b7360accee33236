import { useEffect } from 'react';

/** What is told by the tab of the browser: "web-1 · Quarterdeck", with what ended meanwhile in front of it. */
let page = 'Quarterdeck';
let news = '';
let progress = '';

const show = (): void => {
  document.title = [news || progress, page].filter((part) => part !== '').join(' · ');
};

export const usePageTitle = (title: string): void => {
  useEffect(() => {
    page = `${title} · Quarterdeck`;
    show();
    return () => {
      page = 'Quarterdeck';
      show();
    };
  }, [title]);
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
