/** A collapsible section. Its content is rendered when first opened, and then kept together with any input in it. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import classes from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** Summary beside the title. */
  digest?: ReactNode;
  startOpen?: boolean;
  /** Opens it as soon as this becomes true. Nothing closes it but the person. */
  opens?: boolean;
  children: ReactNode;
}

export const Disclosure = ({
  title,
  digest,
  startOpen = false,
  opens = false,
  children,
}: DisclosureProps) => {
  const [opened, setOpened] = useState(startOpen);
  // At once and not with the toggle event, so that what opens it can focus its content.
  if (opens && !opened) setOpened(true);
  // Constant, so that after the first render the browser opens and closes it.
  const [atFirst] = useState(startOpen);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (opens && details.current) details.current.open = true;
  }, [opens]);
  return (
    <details
      ref={details}
      className={classes.disclosure}
      open={atFirst}
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary>
        <strong>{title}</strong>
        {digest !== undefined && <span className={classes.digest}>{digest}</span>}
      </summary>
      {opened && <div className={classes.disclosed}>{children}</div>}
    </details>
  );
};
