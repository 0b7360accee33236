/** What the component library asks of a browser and jsdom does not have. */
import nodeConsole from 'node:console';
import '@testing-library/jest-dom';

// What the console says in its own lines, without 80 lines of React's stack after each: they hid what failed.
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
