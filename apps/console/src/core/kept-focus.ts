/**
 * A button that is busy is disabled, and a browser takes the focus from what is disabled without telling anybody: the
 * keyboard would start at the top of the page. The button gets the focus back when it can be pressed again, unless
 * something else has the focus by then.
 */
export const keepFocus = (): (() => void) => {
  let last: EventTarget | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    last = target;
  };
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes)
      if (
        target === last &&
        target instanceof HTMLElement &&
        !target.hasAttribute('disabled') &&
        document.activeElement === document.body
      )
        target.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', onFocus);
  observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', onFocus);
    observer.disconnect();
  };
};
