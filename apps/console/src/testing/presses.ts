/**
 * A press on an element that has left the page, or on a disabled one, does nothing in a browser. In a test it would end
 * in a wait for something that never comes, and only on a machine that is slow at this moment. So it is an error at once.
 */
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Begins a press, a drag or an input. Events that end one may come after its handlers have removed the element. */
const BEGINS = new Set([
  'pointerover',
  'pointermove',
  'pointerdown',
  'mousedown',
  'click',
  'dblclick',
  'keydown',
  'beforeinput',
  'input',
  'change',
  'paste',
  'submit',
  'dragstart',
  'drop',
]);
/** A disabled element may be hovered, for its tooltip. */
const HOVERS = new Set(['pointerover', 'pointermove']);

let areMeant = false;

const failureOf = (target: Element, type: string): string | undefined => {
  if (!target.isConnected) return 'is not in the document (any more). Find it again, after what replaces it';
  if (!HOVERS.has(type) && target.closest('button, input, select, textarea, option')?.matches(':disabled'))
    return 'is disabled. Wait until it is enabled';
  return undefined;
};

const shown = (target: Element): string => {
  const { outerHTML } = target;
  return outerHTML.length > 300 ? `${outerHTML.slice(0, 300)}…` : outerHTML;
};

export const refuseDeadPresses = (): void => {
  const dispatch = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function (event) {
    const failure =
      !areMeant && this instanceof Element && BEGINS.has(event.type)
        ? failureOf(this, event.type)
        : undefined;
    if (failure === undefined) return dispatch.call(this, event);
    throw new Error(`a test sends "${event.type}" to an element that ${failure}: ${shown(this as Element)}`);
  };
};

/** For a test of what such a press does. */
export const pressAnyway = async (press: () => Promise<void> | void): Promise<void> => {
  areMeant = true;
  try {
    await press();
  } finally {
    areMeant = false;
  }
};

/** Presses what is disabled at first, or replaced, until an answer has come. */
export const press = async (find: () => HTMLElement): Promise<void> => {
  await waitFor(() => expect(find()).toBeEnabled());
  await userEvent.click(find());
};
