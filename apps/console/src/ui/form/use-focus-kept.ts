/** Keeps the focus where the person was: browsers move it to the body when its element is disabled or removed. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

export const useFocusKept = (form: RefObject<HTMLFormElement | null>, busy: boolean): void => {
  // A form that is sending disables its button. If it stays open, the focus returns to what had it, or to the button if
  // that is gone, such as one of a resolved conflict.
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    if (!busy) return undefined;
    if (!isNowhere()) before.current = document.activeElement;
    const sent = form.current;
    return () => {
      const { current } = before;
      const submit = sent?.querySelector<HTMLElement>('[type="submit"]');
      queueMicrotask(() => {
        if (!isNowhere() || !sent?.isConnected) return;
        if (current instanceof HTMLElement && current.isConnected) current.focus();
        else submit?.focus();
      });
    };
  }, [busy, form]);
  // What replaces the form on its page begins where the page begins, as a new page does.
  useEffect(() => {
    const page = form.current?.closest('main');
    return () => {
      queueMicrotask(() => {
        if (isNowhere() && page?.isConnected) page.focus({ preventScroll: true });
      });
    };
  }, [form]);
};
