/** Finds every page, setting and record by any word of its name, and the actions on it. */
import { Box, ModalBase, ModalBaseContent, ModalBaseOverlay, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { hasAsOf, useTravel } from '../../../core/as-of/as-of-state';
import { allows, useSession } from '../../../core/session';
import { useOpenedOnceThere } from '../../../ui/use-opened-once-there';
import { fixedEntries, type Entry } from './entries';
import styles from './CommandPalette.module.css';
import { closePalette, enterPalette, setPaletteQuery, takeKeys, usePalette } from './palette-state';
import { rank, recallUses, rememberUse } from './ranking';
import { useThings } from './use-things';
import look from '../../../ui/look.module.css';
import { Note } from '../../../ui/Note';

const SHOWN = 12;
const PLACEHOLDER = 'Search pages, settings, servers, services, people and actions';

interface CommandPaletteProps {
  onHelp: () => void;
}

export default function CommandPalette({ onHelp }: CommandPaletteProps) {
  const { opened } = usePalette();
  return (
    // `Modal` would put a scroll area of its own around the results.
    <ModalBase
      opened={useOpenedOnceThere(opened)}
      onClose={closePalette}
      zIndex={400}
      withinPortal
      trapFocus
      returnFocus
      closeOnEscape
      closeOnClickOutside
      keepMounted={false}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <ModalBaseOverlay backgroundOpacity={0.35} />
      <ModalBaseContent
        aria-label="Search everything"
        className={styles.dialog}
        innerProps={{ className: styles.place }}
      >
        <Finder onHelp={onHelp} />
      </ModalBaseContent>
    </ModalBase>
  );
}

/** Entries that match the query; frequently and recently used ones come first. */
const useFound = (query: string, { onHelp }: CommandPaletteProps): { found: Entry[]; loading: boolean } => {
  const { permissions } = useSession();
  const { setColorScheme: setScheme } = useMantineColorScheme();
  const { things, loading } = useThings(query);
  const toInstant = useTravel();
  const travel = hasAsOf(useLocation().pathname) && allows(permissions, 'admin') ? toInstant : undefined;
  // Read once when the palette opens, so that the list does not reorder by itself.
  const [{ uses, now }] = useState(() => ({ uses: recallUses(), now: Date.now() }));
  const fixed = useMemo(
    () => fixedEntries((role) => allows(permissions, role), { onHelp, travel, setScheme }),
    [permissions, onHelp, travel, setScheme],
  );
  const found = useMemo(
    () => rank([...fixed, ...things], query, uses, now).slice(0, SHOWN),
    [fixed, things, query, uses, now],
  );
  return { found, loading };
};

function Finder({ onHelp }: CommandPaletteProps) {
  const { query, entered } = usePalette();
  const { found, loading } = useFound(query, { onHelp });
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  /** The entry that the person moved to, by id, since later results may be inserted before it. */
  const [chosen, setChosen] = useState<{ query: string; id: string | undefined }>();
  const isChosen = chosen?.query === query;
  const at = Math.max(0, isChosen ? found.findIndex(({ id }) => id === chosen.id) : 0);
  const move = (to: number): void => setChosen({ query, id: found.at(to % found.length)?.id });

  const choose = (entry: Entry | undefined): void => {
    if (!entry) return;
    closePalette();
    rememberUse(entry.id, Date.now());
    entry.run?.();
    if (entry.to) void navigate(entry.to, { state: entry.state });
  };

  // Enter was pressed before all results had arrived.
  useEffect(() => {
    if (entered && !loading) choose(found[at]);
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    // A better match may still arrive.
    if (event.key === 'Enter' && loading && !isChosen) return enterPalette();
    if (found.length === 0) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') choose(found[at]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={styles.field}>
        <IconSearch size={16} aria-hidden />
        <input
          ref={input}
          data-autofocus
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={PLACEHOLDER}
          placeholder={PLACEHOLDER}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setPaletteQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={({ currentTarget }) => {
            currentTarget.setSelectionRange(query.length, query.length);
            takeKeys();
          }}
        />
      </div>
      <div id={list} role="listbox" aria-label="Results" className={styles.results}>
        {found.map(({ id, label, kind, description, icon: Shape }, index) => (
          <div
            key={id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-label={`${label}, ${kind}`}
            className={styles.result}
            ref={index === at ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            onMouseMove={() => index !== at && move(index)}
            onClick={() => choose(found[index])}
          >
            <Shape size={16} aria-hidden />
            <Box component="span" className={look.cut}>
              {label}
            </Box>
            {description && (
              <Box component="span" className={look.cut} flex="1 1 0" c="dimmed" fz={12}>
                {description}
              </Box>
            )}
            <Box component="span" flex="none" ml="auto" c="dimmed" fz={12}>
              {kind}
            </Box>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <Note role="status" p={16}>
          {loading ? 'Searching' : 'Nothing found'}
        </Note>
      )}
    </>
  );
}
