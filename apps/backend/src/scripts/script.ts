/** The rules of saved scripts: those of the kit, except that a revision records a whole version. Pure. */
import { flag, integer, noun, paragraphs, text, type EventData, type EventsOf } from '@quarterdeck/events';
import type { scriptEvents } from '@quarterdeck/events/catalogue';
import { MAX_SCRIPT_BYTES } from '@quarterdeck/events/inputs';
import type { Rules } from '../platform/kit';

export type ScriptEvent = EventsOf<typeof scriptEvents>;
type ScriptFields = EventData<'ScriptAdded'>;
/** The content of one version. */
export type ScriptContent = EventData<'ScriptRevised'>;

/** Used for commands, the unique name and undo. Scripts have their own events, read model and calls, with versions. */
export const script = noun('script', {
  path: 'script',
  named: 'name',
  unique: ['name'],
  fields: { name: text(), body: paragraphs(MAX_SCRIPT_BYTES), changes: flag(), timeoutSeconds: integer() },
});

const contentOf = ({ body, changes, timeoutSeconds }: ScriptContent): ScriptContent => ({
  body,
  changes,
  timeoutSeconds,
});

export const scriptRules: Rules<ScriptFields> = {
  decide: (asked, plain) =>
    plain().map((event) =>
      asked.is === 'edit' && event.type === 'ScriptRevised'
        ? { ...event, data: contentOf({ ...asked.now, ...asked.data }) }
        : event,
    ),
};
