export { EventDrawer } from './EventDrawer';
export { knownTypes, typeInWords } from './event-words';
export { type HistoryFilter, useAllEvents } from './history.endpoints';
export { HistoryList } from './HistoryList';
export { HistoryBelow, HistoryOf } from './HistoryOf';
export { useHistory } from './use-history';
export { useOpenEvent } from './use-open-event';
export { undoOf } from './undoing';
