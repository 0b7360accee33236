/** Browser features that the component library needs and jsdom lacks. */
import nodeConsole from 'node:console';
import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import * as React from 'react';
import { late } from '../../apps/console/src/testing/late';
import { refuseDeadPresses } from '../../apps/console/src/testing/presses';

// Prints console messages without the 80 lines of React stack after each, which hid the failures.
globalThis.console = nodeConsole;

// React records a stack and a task per element for its developer tools, up to 10,000 a second. Tests do not need them,
// and they took a tenth of the time.
Reflect.deleteProperty(nodeConsole, 'createTask');
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, object>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} });

// Generous, so that a busy machine causes no false failures.
configure({ asyncUtilTimeout: 120_000 });

refuseDeadPresses();
Object.assign(globalThis, { untilPartArrives: late });

class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }),
});
window.ResizeObserver = NoResizeObserver as unknown as typeof ResizeObserver;
window.HTMLElement.prototype.scrollIntoView = () => {};
