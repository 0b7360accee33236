import Bowser from 'bowser';

/** Readable name of a browser: `Firefox on Linux`. Programs are named by their first word. */
export const deviceOf = (userAgent: string | undefined): string => {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name) return os.name ? `${browser.name} on ${os.name}` : browser.name;
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? 'Unknown device';
};
