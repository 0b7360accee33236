import href from '@xyflow/react/dist/base.css?url';

/** Fails with the error of a module that could not be loaded, so `part` tries again. */
export const loadBaseStyles = (): Promise<void> =>
  new Promise((resolve, reject) => {
    if (document.querySelector(`link[href="${href}"]`)) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError(`error loading dynamically imported module: ${href}`));
    });
    // Before all other stylesheets, so the console's rules win.
    document.head.prepend(link);
  });
