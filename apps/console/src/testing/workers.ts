import { act } from '@testing-library/react';

/** jsdom has no workers. These answer or fail when told to. */
class TestWorker extends EventTarget {
  asked: unknown;
  ended = false;

  postMessage(asked: unknown): void {
    this.asked = asked;
  }

  terminate(): void {
    this.ended = true;
  }

  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  fail(): void {
    this.dispatchEvent(new Event('error'));
  }
}

/** @returns the workers that pages start from now on, in their order */
export const withTestWorkers = (): TestWorker[] => {
  const started: TestWorker[] = [];
  globalThis.Worker = class extends TestWorker {
    constructor() {
      super();
      started.push(this);
    }
  } as unknown as typeof Worker;
  return started;
};

/** Workers that answer each question as the real ones do, one turn later. @param start makes the code that one of them runs */
export const withAnsweringWorkers = <Asked, Told>(start: () => (asked: Asked) => Told): void => {
  globalThis.Worker = class extends TestWorker {
    readonly #answerTo = start();

    override postMessage(asked: unknown): void {
      super.postMessage(asked);
      queueMicrotask(() => act(() => this.answer(this.#answerTo(asked as Asked))));
    }
  } as unknown as typeof Worker;
};
