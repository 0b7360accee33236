// Before the first paint, so that a dark console does not start with a white flash. A file of its own, since the
// content security policy refuses inline scripts.
(() => {
  let kept = 'auto';
  try {
    kept = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch {
    // Without storage the system decides.
  }
  const dark = kept === 'dark' || (kept === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
