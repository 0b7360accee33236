/**
 * Host element for an editor. It uses a shadow root, because only there the editor puts its styles into a constructed
 * style sheet; elsewhere it adds a `<style>` element, which the content security policy refuses.
 */
import { useEffect, useRef, type RefObject } from 'react';

/** Recreates the editor when `create` changes; keep it stable between renders. */
export const useShadowEditor = (
  create: (root: ShadowRoot) => { destroy: () => void },
): RefObject<HTMLDivElement | null> => {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = create(root);
    return () => editor.destroy();
  }, [create]);
  return host;
};
