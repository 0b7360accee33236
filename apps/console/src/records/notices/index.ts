export { useNoticeMemory } from './notice-memory';
export { useAllNotices, type Notice } from './notice-store';
export { useNotices } from './use-notices';
