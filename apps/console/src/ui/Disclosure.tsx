/** What is there when somebody asks for it: fetched when it is first opened, and kept, also what was typed into it. */
import { useState, type ReactNode } from 'react';
import classes from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** What it comes down to, beside the title. */
  digest?: ReactNode;
  startOpen?: boolean;
  children: ReactNode;
}

export const Disclosure = ({ title, digest, startOpen = false, children }: DisclosureProps) => {
  const [opened, setOpened] = useState(startOpen);
  // From then on the browser opens and closes it.
  const [atFirst] = useState(startOpen);
  return (
    <details
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
