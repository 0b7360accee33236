/** What pages log as an error, throw and do not catch, or try against the content policy: in no test is any of it fine. */
import type { Browser, BrowserContext, ConsoleMessage } from '@playwright/test';

/**
 * The browser notes each call that was refused or lost, and the console that data could not be loaded (SHELL-08): what the
 * page then shows is for each test to look at. Stand-ins for providers have no icon; ours has another address.
 */
const isOfACall = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Data load failed') ||
  (/^Failed to load resource|^WebSocket connection/.test(message.text()) &&
    /\/(?:api|socket\.io)\/|\/favicon\.ico/.test(`${message.location().url} ${message.text()}`));

/** Chromium says nothing of a violation that a script caught. */
const tellViolations = (): void =>
  document.addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error(`violates ${violatedDirective}: ${blockedURI} (${sourceFile}:${lineNumber})`),
  );

/** Of every page of the browser from now on, also of those that a test opens by itself. */
export const collectComplaints = (browser: Browser, complaints: string[]): void => {
  const listen = (context: BrowserContext): void => {
    context.on('console', (message) => {
      if (message.type() === 'error' && !isOfACall(message))
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    void context.addInitScript(tellViolations);
  };
  browser.contexts().forEach(listen);
  browser.on('context', listen);
};
