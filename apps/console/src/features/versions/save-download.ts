/** Downloads a file of a version, saved under the name that the back end gives it. */
import { send, type ApiError } from '../../core/http';
import { saveBlob } from '../../ui/save-text';

/** @returns the error if no file was saved */
export const saveDownload = async (
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<ApiError | undefined> => {
  const answer = await send({ url: `/data-model/version/${path}`, body });
  if ('error' in answer) return answer.error;
  const { name, blob } = answer.data as { name: string; blob: Blob };
  saveBlob(name, blob);
  return undefined;
};
