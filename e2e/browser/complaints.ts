/** Collects logged errors, uncaught exceptions and content-policy violations of pages. They fail every test. */
import type { Browser, BrowserContext, ConsoleMessage } from '@playwright/test';

/**
 * Ignored messages: the browser logs each call that was refused or lost, and the console logs that data could not be
 * loaded (SHELL-08). Tests check what the page then shows. Fake providers have no favicon; the console's own icon has
 * another address.
 */
const isOfACall = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Data load failed') ||
  (/^Failed to load resource|^WebSocket connection/.test(message.text()) &&
    /\/(?:api|socket\.io)\/|\/favicon\.ico/.test(`${message.location().url} ${message.text()}`));

/**
 * What an e-mail wanted and did not get. The address is missing where its frame has gone before the message came. The
 * console itself never sets a base URI, and no other page has this policy.
 */
const isOfAnEmail = (message: ConsoleMessage): boolean =>
  /\/api\/email\/html\/|^about:srcdoc |default-src 'none'|Setting the document's base URI/.test(
    `${message.location().url} ${message.text()}`,
  );

/** Chromium does not log violations whose exception a script caught. */
const tellViolations = (): void =>
  document.addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI} (${sourceFile}:${lineNumber})`),
  );

/** Listens to every page of the browser from now on, including those that a test opens itself. */
export const collectComplaints = (browser: Browser, complaints: string[]): void => {
  const listen = (context: BrowserContext): void => {
    context.on('console', (message) => {
      if (message.type() === 'error' && !isOfACall(message) && !isOfAnEmail(message))
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    void context.addInitScript(tellViolations);
  };
  browser.contexts().forEach(listen);
  browser.on('context', listen);
};
