export { HistoryPage as default } from './HistoryPage';
