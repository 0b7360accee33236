/** Downloads a file of a version, saved under the name that the back end gives it. */
import { send } from '../../core/http';
import { saveBlob } from '../../ui/save-text';

/** Throws an `ApiError` if no file was saved. */
export const saveDownload = async (path: string, body: Readonly<Record<string, string>>): Promise<void> => {
  const answer = await send({ url: `/data-model/version/${path}`, body });
  if ('error' in answer) throw answer.error;
  const { name, blob } = answer.data as { name: string; blob: Blob };
  saveBlob(name, blob);
};
