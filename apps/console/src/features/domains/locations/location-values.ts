import type { locations, Sent } from '@quarterdeck/contract';

/** What goes into a location; `url` means what the flags say. */
export type LocationFields = Sent<typeof locations.insert>['data'];
