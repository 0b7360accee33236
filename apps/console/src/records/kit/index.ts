export { PlainArea } from './PlainArea';
export { PlainEditForm } from './PlainForms';
export type { PlainTab, PlainTabContext, PlainTabs } from './PlainPage';
