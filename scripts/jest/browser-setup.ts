/** Browser features that the component library needs and jsdom lacks. */
import nodeConsole from 'node:console';
import '@testing-library/jest-dom';

// Keeps console messages to their own lines, without 80 lines of React's stack after each, which hid the failures.
globalThis.console = nodeConsole;

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
