/**
 * A tooltip on hover and on focus. Its bubble is loaded on first use: a list has hundreds of hints, and no page needs a
 * bubble to render.
 */
import {
  cloneElement,
  useEffect,
  useLayoutEffect,
  useId,
  useRef,
  useState,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
} from 'react';
import { quietPart } from './part';

const Bubble = quietPart(() => import('./HintBubble'));

interface HintProps {
  label: ReactNode;
  /** Milliseconds. */
  openDelay?: number;
  /** Maximum width in pixels; makes the text wrap. */
  maw?: number;
  /** One element without pointer and focus handlers of its own. */
  children: ReactElement<HTMLAttributes<HTMLElement> & RefAttributes<HTMLElement>>;
}

export function Hint({ label, openDelay = 0, maw, children }: HintProps) {
  const target = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const open = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setWanted(true);
      setOpened(true);
    }, openDelay);
  };
  const close = (): void => {
    clearTimeout(timer.current);
    setOpened(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useLayoutEffect(() => {
    if (!opened) return;
    const closeOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpened(false);
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [opened]);
  return (
    <>
      {cloneElement(children, {
        ref: target,
        onPointerEnter: open,
        onPointerLeave: close,
        onFocus: open,
        onBlur: close,
        ...(opened && { 'aria-describedby': id }),
      })}
      {wanted && <Bubble target={target} id={id} label={label} opened={opened} maw={maw} />}
    </>
  );
}
