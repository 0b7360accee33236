/** The account button. Its menu is loaded on hover, focus or click, since no page needs it at first. */
import { useRef, useState } from 'react';
import { overlayPart } from '../../ui/part';
import { AccountButton } from './AccountButton';

const AccountMenu = overlayPart(() => import('./AccountMenu'));

export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const want = (): void => setWanted(true);
  const open = (): void => {
    want();
    setOpened(true);
  };
  return (
    <>
      {!loaded && (
        <AccountButton
          ref={button}
          onPointerEnter={want}
          onFocus={want}
          // The menu's own button may replace this one before the press ends: then nothing gets the click.
          onMouseDown={({ button: pressed }) => pressed === 0 && open()}
          onClick={open}
        />
      )}
      {wanted && (
        <AccountMenu
          before={button}
          onLoaded={() => setLoaded(true)}
          opened={opened}
          onChange={setOpened}
          onHelp={onHelp}
        />
      )}
    </>
  );
}
