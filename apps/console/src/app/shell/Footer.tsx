import { copyToClipboard } from '../../ui/copying';
import { toast } from '../../ui/toast';
import { useSession } from '../../core/session';
import styles from './Shell.module.css';

const BUILT_AS = '0.5.14';

export function Footer() {
  const { instance, version } = useSession();
  const copy = async (): Promise<void> => {
    if (await copyToClipboard(instance.uuid)) toast.success('Instance UUID copied');
    else
      toast.failure(
        `The browser does not allow copying here. The instance UUID is ${instance.uuid}.`,
        'Not copied',
      );
  };
  return (
    <footer className={styles.footer}>
      <a href="/api/docs">v{version ?? BUILT_AS}</a>
      <button type="button" onClick={() => void copy()} title="Copy the instance UUID">
        {instance.name}
      </button>
    </footer>
  );
}
